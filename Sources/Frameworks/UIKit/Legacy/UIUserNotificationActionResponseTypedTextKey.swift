/// The user's text, a `String` in `responseInfo`.
@available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationResponse.userText.")
public let UIUserNotificationActionResponseTypedTextKey = "UIUserNotificationActionResponseTypedTextKey"
