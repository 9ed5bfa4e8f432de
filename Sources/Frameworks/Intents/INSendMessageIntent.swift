public import Foundation

/// The format of a message. Raw values: Apple, `INOutgoingMessageType`.
public enum INOutgoingMessageType: Int, Sendable {
    /// Not said, a written message, and a recorded message.
    case unknown, outgoingMessageText, outgoingMessageAudio
}

/// A message from one person to others.
///
/// In a notification it says who has written: `UNNotificationContent.updating(from:)`. Source: Apple, `INSendMessageIntent`, and
/// "Implementing communication notifications"; the names of the initialisers are those of iOS 10 to 26.
open class INSendMessageIntent: INIntent, @unchecked Sendable {
    /// The recipients besides the user; several, or a group name, make it a message in a group.
    open private(set) var recipients: [INPerson]?
    /// Whether the message is written or recorded; stored only.
    open private(set) var outgoingMessageType: INOutgoingMessageType
    /// The text; the notification shows its own body.
    open private(set) var content: String?
    /// The name of the group that the message goes to; nil for a conversation of two.
    open private(set) var speakableGroupName: INSpeakableString?
    /// The identifier of the conversation, by which notifications are grouped.
    open private(set) var conversationIdentifier: String?
    /// The name of the service of the message; stored only.
    open private(set) var serviceName: String?
    /// The person who wrote: name and picture replace title and icon in a communication notification.
    open private(set) var sender: INPerson?
    /// The attachments of the message; stored only.
    open private(set) var attachments: [INSendMessageAttachment]?
    /// The name of the group, as INSpeakableString has it since iOS 11; nil for none.
    @available(*, deprecated, message: "Use speakableGroupName instead")
    open var groupName: String? { speakableGroupName?.spokenPhrase }

    /// The initializer of iOS 14 and later.
    public init(
        recipients: [INPerson]?,
        outgoingMessageType: INOutgoingMessageType,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?,
        attachments: [INSendMessageAttachment]?
    ) {
        self.recipients = recipients
        self.outgoingMessageType = outgoingMessageType
        self.content = content
        self.speakableGroupName = speakableGroupName
        self.serviceName = serviceName
        self.sender = sender
        self.conversationIdentifier = conversationIdentifier
        self.attachments = attachments
        super.init()
    }
}

extension INSendMessageIntent {
    /// The initializer with a message type and without attachments.
    @available(*, deprecated, message: "Use the initializer with attachments instead")
    public convenience init(
        recipients: [INPerson]?,
        outgoingMessageType: INOutgoingMessageType,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?
    ) {
        self.init(
            recipients: recipients,
            outgoingMessageType: outgoingMessageType,
            content: content,
            speakableGroupName: speakableGroupName,
            conversationIdentifier: conversationIdentifier,
            serviceName: serviceName,
            sender: sender,
            attachments: nil
        )
    }

    /// The initializer of iOS 11 to 13.
    @available(*, deprecated, message: "Use the initializer with attachments instead")
    public convenience init(
        recipients: [INPerson]?,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?
    ) {
        self.init(
            recipients: recipients,
            outgoingMessageType: .unknown,
            content: content,
            speakableGroupName: speakableGroupName,
            conversationIdentifier: conversationIdentifier,
            serviceName: serviceName,
            sender: sender,
            attachments: nil
        )
    }

    /// The initializer of iOS 10.
    @available(*, deprecated, message: "Use the initializer with attachments instead")
    public convenience init(
        recipients: [INPerson]?,
        content: String?,
        groupName: String?,
        serviceName: String?,
        sender: INPerson?
    ) {
        self.init(
            recipients: recipients,
            outgoingMessageType: .unknown,
            content: content,
            speakableGroupName: groupName.map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: nil,
            serviceName: serviceName,
            sender: sender,
            attachments: nil
        )
    }
}

/// A file of a message. Source: Apple, `INSendMessageAttachment`, of iOS 14 and later. `@unchecked Sendable`: it is immutable.
open class INSendMessageAttachment: NSObject, @unchecked Sendable {
    /// The file of a recorded message; nil for none.
    open private(set) var audioMessageFile: INFile?

    /// Creates an attachment from the file of a recorded message.
    public init(audioMessageFile: INFile) { self.audioMessageFile = audioMessageFile }
}
