/// The format of a message. Raw values: Apple, `INOutgoingMessageType`.
public enum INOutgoingMessageType: Int, Sendable {
    case unknown
    case outgoingMessageText
    case outgoingMessageAudio
}

/// A message from one person to others.
///
/// In a notification it says who has written: `UNNotificationContent.updating(from:)`. Source: Apple, `INSendMessageIntent`, and
/// "Implementing communication notifications"; the names of the initialisers are those of iOS 10 to 26.
open class INSendMessageIntent: INIntent, @unchecked Sendable {
    open var recipients: [INPerson]? { fields.recipients }
    open var outgoingMessageType: INOutgoingMessageType { fields.type }
    open var content: String? { fields.content }
    /// The name of the group that the message goes to; nil for a conversation of two.
    open var speakableGroupName: INSpeakableString? { fields.group }
    open var conversationIdentifier: String? { fields.conversation }
    open var serviceName: String? { fields.service }
    open var sender: INPerson? { fields.sender }
    open var attachments: [INSendMessageAttachment]? { fields.attachments }
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
