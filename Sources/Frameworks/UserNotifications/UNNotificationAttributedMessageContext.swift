public import Foundation
public import Intents

/// The context of a communication notification with formatted text, of iOS 18 and later.
///
/// Source: Apple, `UNNotificationAttributedMessageContext`. The device shows the text in the place of the body, without its formats.
/// `@unchecked Sendable`: it is immutable.
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding, @unchecked Sendable {
    let intent: INSendMessageIntent
    let text: String

    /// - Parameters:
    ///   - sendMessageIntent: the intent for the message; its sender needs a name.
    ///   - attributedContent: the formatted text of the message; empty leaves the body as it is.
    public init(sendMessageIntent: INSendMessageIntent, attributedContent: NSAttributedString) {
        intent = sendMessageIntent
        text = attributedContent.string
    }
}
