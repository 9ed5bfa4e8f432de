extension PushRequest {
    /// The in-app message, which the app shows itself if the user has disabled notifications.
    ///
    /// It is nil if the push does not ask for it, has its own message, or has no text.
    ///
    /// Source: JPush REST API v3, "Push API", "inapp_message".
    package var inAppMessage: CustomMessage? {
        guard isShownInApp, hasNotification, message == nil else { return nil }
        let alert = notification.alert?.object
        let title = alert?["title"]?.string
        let body = notification.alert?.string ?? alert?["body"]?.string ?? ""
        guard !body.isEmpty || title?.isEmpty == false else { return nil }
        let extras = notification.extras
        return CustomMessage(content: body, title: title, extras: extras.isEmpty ? nil : extras, isInApp: true)
    }

    /// The message for the SDK link: the custom message or the in-app message.
    package var linkMessage: CustomMessage? { message ?? inAppMessage }
}
