/// The format of a message. Raw values: Apple, `INOutgoingMessageType`.
public enum INOutgoingMessageType: Int, Sendable {
    /// Not said.
    case unknown
    /// A written message.
    case outgoingMessageText
    /// A recorded message.
    case outgoingMessageAudio
}

/// A message from one person to others.
///
/// In a notification it says who has written: `UNNotificationContent.updating(from:)`. Source: Apple, `INSendMessageIntent`, and
/// "Implementing communication notifications"; the names of the initialisers are those of iOS 10 to 26.
open class INSendMessageIntent: INIntent, @unchecked Sendable {
    /// The recipients besides the user; several, or a group name, make it a message in a group.
    open var recipients: [INPerson]? { fields.recipients }
    /// Whether the message is written or recorded; stored only.
    open var outgoingMessageType: INOutgoingMessageType { fields.type }
    /// The text; the notification shows its own body.
    open var content: String? { fields.content }
    /// The name of the group that the message goes to; nil for a conversation of two.
    open var speakableGroupName: INSpeakableString? { fields.group }
    /// The identifier of the conversation, by which notifications are grouped.
    open var conversationIdentifier: String? { fields.conversation }
    /// The name of the service of the message; stored only.
    open var serviceName: String? { fields.service }
    /// The person who wrote: name and picture replace title and icon in a communication notification.
    open var sender: INPerson? { fields.sender }
    /// The attachments of the message; stored only.
    open var attachments: [INSendMessageAttachment]? { fields.attachments }
    /// The name of the group, as INSpeakableString has it since iOS 11; nil for none.
    @available(*, deprecated, message: "Use speakableGroupName instead")
    open var groupName: String? { fields.group?.spokenPhrase }

    private struct Fields {
        var recipients: [INPerson]?
        var type = INOutgoingMessageType.unknown
        var content: String?
        var group: INSpeakableString?
        var conversation: String?
        var service: String?
        var sender: INPerson?
        var attachments: [INSendMessageAttachment]?
    }

    private let fields: Fields

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
        var fields = Fields()
        fields.recipients = recipients
        fields.type = outgoingMessageType
        fields.content = content
        fields.group = speakableGroupName
        fields.conversation = conversationIdentifier
        fields.service = serviceName
        fields.sender = sender
        fields.attachments = attachments
        self.fields = fields
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
