public import Foundation

/// The context of a communication notification with formatted text, of iOS 18 and later.
///
/// Apple's only initializer takes an `INSendMessageIntent` from Intents, which Linux lacks. So the type can be named, and no object of
/// it exists. Source: Apple, `UNNotificationAttributedMessageContext`.
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding {
    @available(*, unavailable, message: "its initializer takes an INSendMessageIntent, and Linux has no Intents")
    public override init() { super.init() }
}
