import Intents
import UserNotifications

// The initialisers of iOS 10 to 15, as messengers of those years wrote them.
public final class ConversationIntents {
    public init() {}

    public func oldest(group: String?, sender name: String) -> INSendMessageIntent {
        let person = INPerson(
            personHandle: INPersonHandle(value: "\(name)@example.com", type: .emailAddress, label: .work),
            nameComponents: nil,
            displayName: name,
            image: INImage(named: "missing"),
            contactIdentifier: nil,
            customIdentifier: nil,
            aliases: nil,
            suggestionType: .socialProfile
        )
        return INSendMessageIntent(recipients: nil, content: nil, groupName: group, serviceName: nil, sender: person)
    }

    public func beforeMessageTypes(_ sender: INPerson?) -> INSendMessageIntent {
        let intent = INSendMessageIntent(
            recipients: sender.map { [$0] },
            content: "Hello",
            speakableGroupName: INSpeakableString(spokenPhrase: "Friends"),
            conversationIdentifier: "c1",
            serviceName: "Chat",
            sender: sender
        )
        intent.donationMetadata = {
            let metadata = INSendMessageIntentDonationMetadata()
            metadata.mentionsCurrentUser = true
            return metadata
        }()
        return intent
    }

    public func me() -> INPerson {
        var name = PersonNameComponents()
        name.givenName = "Mei"
        name.familyName = "Lin"
        return INPerson(
            personHandle: INPersonHandle(value: "1", type: .unknown),
            nameComponents: name,
            displayName: nil,
            image: nil,
            contactIdentifier: nil,
            customIdentifier: "1",
            isMe: true,
            suggestionType: .instantMessageAddress
        )
    }

    public func donate(_ intent: INIntent, then: @escaping (Error?) -> Void) {
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .outgoing
        interaction.donate { error in
            then(error)
        }
    }
}
