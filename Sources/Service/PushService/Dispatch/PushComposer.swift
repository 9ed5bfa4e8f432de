import Foundation
import PushModel

/// Makes the APNs push for each device of a message; what is the same for all is made once.
struct PushComposer: Sendable {
    let badge: BadgeChange?
    private let template: PayloadTemplate
    private let message: MessageID
    private let apnsIDs: APNsIDCodec
    let headers: SendBatch.Headers
    /// Nil if it is held back from nobody.
    let quietHours: QuietHoursRule?

    /// * `zone`: that of the service.
    init(
        _ request: PushRequest,
        message: Message,
        expiresAt: Date,
        app: App,
        zone: TimeZone,
        apnsIDs: APNsIDCodec
    ) {
        quietHours = QuietHoursRule(request, ofApp: app.quietHours, fallback: zone)
        badge = request.notification.badge
        template = PayloadTemplate(request.notification, messageID: message.id)
        let isSilent = request.notification.isSilent
        headers = SendBatch.Headers(
            topic: app.bundleID,
            pushType: isSilent ? .background : .alert,
            priority: isSilent ? 5 : 10,
            // 0 asks APNs for one attempt without storing, which is what a time to live of 0 asks of us.
            expiration: message.timeToLive == 0 ? .oneAttempt : .at(expiresAt),
            collapseID: request.options.collapseID
        )
        self.message = message.id
        self.apnsIDs = apnsIDs
    }

    var longestPayload: Int { template.longestPayload }

    /// Adds the push for a device.
    ///
    /// * `headers`: where the batch has them.
    /// * `badge`: the one after this push.
    func add(
        to batch: inout SendBatch,
        _ device: DeviceID,
        _ token: DeviceToken,
        badge: Int,
        headers: Int
    ) {
        let id = apnsIDs.identifier(of: message, to: device.ordinal)
        batch.add(id, token, headers: headers) { template.write(badge: badge, userID: device.userID, to: &$0) }
    }
}
