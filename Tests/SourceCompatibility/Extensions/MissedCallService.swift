import Intents
import UserNotifications

// The service extension of an app for calls, which says who has called.
class MissedCallService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let info = request.content.userInfo
        let caller = INPerson(
            personHandle: INPersonHandle(value: info["number"] as? String, type: .phoneNumber),
            nameComponents: nil,
            displayName: info["name"] as? String,
            image: (info["picture"] as? String).flatMap { Data(base64Encoded: $0) }.map { INImage(imageData: $0) },
            contactIdentifier: nil,
            customIdentifier: nil
        )
        let intent = INStartCallIntent(
            callRecordFilter: nil,
            callRecordToCallBack: INCallRecord(
                identifier: request.identifier,
                dateCreated: Date(),
                caller: caller,
                callRecordType: .missed,
                callCapability: .audioCall,
                callDuration: nil,
                unseen: true
            ),
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: [caller],
            callCapability: .audioCall
        )
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate(completion: nil)
        contentHandler((try? request.content.updating(from: intent)) ?? request.content)
    }
}
