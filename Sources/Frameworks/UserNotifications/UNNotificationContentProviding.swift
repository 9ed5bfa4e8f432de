public import Foundation
public import Intents
import SystemPort

/// A source of additional content: an intent for a message, or the context of one with formatted text. Apple's systems accept types of
/// their own alone.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension INSendMessageIntent: UNNotificationContentProviding {}

extension UNNotificationContent {
    /// Returns the content as a communication notification: the sender's name and picture stand in it, and the group's name.
    ///
    /// The texts of the content itself do not change; the device shows the sender in their place. Source: Apple,
    /// "Implementing communication notifications".
    ///
    /// - Throws: `UNError.contentProvidingInvalid` if the intent names no sender, and `UNError.contentProvidingObjectNotAllowed` for a
    ///   type of the app's own.
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        let copy = immutableCopy()
        switch provider {
        case let intent as INSendMessageIntent: copy.fields.sender = try MessageSenderRecord(of: intent)
        case let context as UNNotificationAttributedMessageContext:
            copy.fields.sender = try MessageSenderRecord(of: context.intent)
            if !context.text.isEmpty { copy.fields.body = context.text }
        default:
            throw UNError.make(
                .contentProvidingObjectNotAllowed,
                "The object of class \(type(of: provider)) may not provide content."
            )
        }
        return copy
    }
}

extension MessageSenderRecord {
    fileprivate init(of intent: INSendMessageIntent) throws(UNError) {
        guard let sender = intent.sender, !sender.displayName.isEmpty else {
            throw UNError.make(
                .contentProvidingInvalid,
                "The INSendMessageIntent has no sender with a name. Give it an INPerson with displayName, nameComponents or a handle."
            )
        }
        self.init(name: sender.displayName)
        group = intent.speakableGroupName?.spokenPhrase
        conversation = intent.conversationIdentifier
        picture = (intent.image(forParameterNamed: \.speakableGroupName) ?? sender.image)?.bytes
    }
}

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
