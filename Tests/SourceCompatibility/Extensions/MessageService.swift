import Intents
import UserNotifications

// The service extension of a messenger, which says who has written.
class MessageService: UNNotificationServiceExtension {

    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttempt = request.content
        do {
            let content = try request.content.updating(from: message(in: request))
            bestAttempt = content
            contentHandler(content)
        } catch {
            contentHandler(request.content)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
    }

    private func message(in request: UNNotificationRequest) -> INSendMessageIntent {
        let info = request.content.userInfo
        let handle = info["from"] as? String
        let name = info["name"] as? String
        let group = info["group"] as? String
        let picture = (info["picture"] as? String).flatMap { Data(base64Encoded: $0) }

        let sender = INPerson(
            personHandle: INPersonHandle(value: handle, type: .unknown),
            nameComponents: nil,
            displayName: name,
            image: picture.map { INImage(imageData: $0) },
            contactIdentifier: nil,
            customIdentifier: handle
        )
        let intent = INSendMessageIntent(
            recipients: nil,
            outgoingMessageType: .outgoingMessageText,
            content: request.content.body,
            speakableGroupName: group.map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: request.content.threadIdentifier,
            serviceName: nil,
            sender: sender,
            attachments: nil
        )
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate(completion: nil)

        if let badge = (info["groupPicture"] as? String).flatMap({ Data(base64Encoded: $0) }) {
            intent.setImage(INImage(imageData: badge), forParameterNamed: \.speakableGroupName)
        }
        return intent
    }
}
