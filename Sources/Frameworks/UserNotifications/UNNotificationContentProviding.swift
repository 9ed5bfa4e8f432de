public import Foundation
public import Intents
import SystemPort

/// A source of additional content: an intent for a message or a call, or the context of a message with formatted text. Apple's systems
/// accept types of their own alone.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension INSendMessageIntent: UNNotificationContentProviding {}
extension INStartCallIntent: UNNotificationContentProviding {}

extension UNNotificationContent {
    /// Returns the content as a communication notification: the sender's or caller's name and picture stand in it, and the group's name.
    ///
    /// The texts of the content itself do not change; the device shows the person in their place. Source: Apple,
    /// "Implementing communication notifications".
    ///
    /// - Throws: `UNError.contentProvidingInvalid` if the intent names nobody, and `UNError.contentProvidingObjectNotAllowed` for a
    ///   type of the app's own.
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        let copy = immutableCopy()
        switch provider {
        case let intent as INSendMessageIntent: copy.fields.sender = try MessageSenderRecord(of: intent)
        case let intent as INStartCallIntent:
            copy.fields.sender = try MessageSenderRecord(intent.contacts?.first, of: intent)
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
    fileprivate init(_ person: INPerson?, of intent: INIntent) throws(UNError) {
        guard let person, !person.displayName.isEmpty else {
            throw UNError.make(
                .contentProvidingInvalid,
                """
                The \(type(of: intent)) names nobody. Give it an INPerson with displayName, nameComponents or a handle: a message its \
                sender, a call its first contact.
                """
            )
        }
        self.init(name: person.displayName)
        picture = person.image?.bytes
    }

    fileprivate init(of intent: INSendMessageIntent) throws(UNError) {
        try self.init(intent.sender, of: intent)
        group = intent.speakableGroupName?.spokenPhrase
        conversation = intent.conversationIdentifier
        if let image = intent.image(forParameterNamed: \.speakableGroupName) { picture = image.bytes }
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
