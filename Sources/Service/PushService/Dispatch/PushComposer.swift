import Foundation
import PushModel

/// Makes the APNs push for each device of a message; what is the same for all is made once.
struct PushComposer {
    let badge: BadgeChange?
    private let template: PayloadTemplate
    private let message: Message
    private let app: App
    private let apnsIDs: APNsIDCodec
    private let isSilent: Bool
    private let collapseID: String?
    private let expiration: APNSExpiration

    init(_ request: PushRequest, message: Message, expiresAt: Date, app: App, apnsIDs: APNsIDCodec) {
        badge = request.notification.badge
        template = PayloadTemplate(request.notification, messageID: message.id)
        isSilent = request.notification.isSilent
        collapseID = request.options.collapseID
        // 0 asks APNs for one attempt without storing, which is what a time to live of 0 asks of us.
        expiration = message.timeToLive == 0 ? .oneAttempt : .at(expiresAt)
        self.message = message
        self.app = app
        self.apnsIDs = apnsIDs
    }

    /// - Parameter target: its badge is the one after this push.
    /// - Returns: nil if the device has no token for the push's environment any more.
    func push(to target: Target) -> APNSPush? {
        guard let token = target.token else { return nil }
        let device = DeviceID(app: app.id, ordinal: target.ordinal)
        return APNSPush(
            id: apnsIDs.apnsID(of: message.id, to: target.ordinal),
            token: token,
            topic: app.bundleID,
            pushType: isSilent ? .background : .alert,
            priority: isSilent ? 5 : 10,
            expiration: expiration,
            collapseID: collapseID,
            payload: template.payload(badge: target.badge, userID: device.userID)
        )
    }
}
