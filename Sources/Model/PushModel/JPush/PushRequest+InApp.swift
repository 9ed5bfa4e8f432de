extension PushRequest {
    /// What the app shows itself where the person has switched notifications off; nil if the push does not ask for it, has a
    /// message of its own, or has no text.
    ///
    /// Source: JPush REST API v3, "Push API", "inapp_message".
    public var inAppMessage: CustomMessage? {
        guard isShownInApp, hasNotification, message == nil else { return nil }
        let alert = notification.alert?.object
        let title = alert?["title"]?.string
        let body = notification.alert?.string ?? alert?["body"]?.string ?? ""
        guard !body.isEmpty || title?.isEmpty == false else { return nil }
        let extras = notification.extras
        return CustomMessage(content: body, title: title, extras: extras.isEmpty ? nil : extras, isInApp: true)
    }

    /// What goes over the link of the SDK: its message, or its in-app message.
    public var linkMessage: CustomMessage? { message ?? inAppMessage }
}
