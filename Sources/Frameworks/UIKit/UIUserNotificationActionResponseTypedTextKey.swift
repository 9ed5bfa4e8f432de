/// In `responseInfo`: what the person wrote, a `String`.
@available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNTextInputNotificationResponse.userText.")
public let UIUserNotificationActionResponseTypedTextKey = "UIUserNotificationActionResponseTypedTextKey"
