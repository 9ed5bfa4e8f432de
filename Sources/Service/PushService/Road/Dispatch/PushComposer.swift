import Foundation
import PushModel

/// Creates the APNs push for each device of a message; parts that all devices share are created once. A class, since each push reads it.
final class PushComposer: Sendable {
    let badge: BadgeChange?
    /// The tokens that the push is sent to, if they are not those for notifications.
    let channel: ChannelKey?
    private let template: PayloadTemplate
    /// The payloads with the alerts of ``languages``.
    private let localized: [PayloadTemplate]
    /// The alerts by language; empty for most pushes.
    let languages: LocalizedAlerts
    private let message: MessageID
    private let apnsIDs: APNSIDCodec
    let headers: APNSHeaders
    /// The topic of the push, which devices can decline; nil for none.
    let topic: String?
    /// The push that must not have been opened; nil for none.
    let unlessOpened: MessageID?
    /// The time zone of devices that have reported none.
    let zone: TimeZone
    /// The quiet hours of the push; nil if they hold it back from no device.
    let quietHours: QuietHoursRule?

    /// Prepares the parts that all devices share, in the service's time zone.
    init(_ request: PushRequest, message: Message, expiresAt: Date, app: App, zone: TimeZone, apnsIDs: APNSIDCodec) {
        quietHours = QuietHoursRule(request, ofApp: app.quietHours, fallback: zone)
        topic = request.hasNotification ? request.options.topic : nil
        unlessOpened = request.hasNotification ? request.options.unlessOpened : nil
        self.zone = zone
        badge = request.notification.badge
        channel = request.channelKey
        var headers = APNSHeaders(request, bundleID: app.bundleID)
        // 0 asks APNs for one attempt without storing, which is the meaning of a time to live of 0.
        headers.expiration = message.timeToLive == 0 ? .oneAttempt : .at(expiresAt)
        self.headers = headers
        var languages = LocalizedAlerts()
        template = PayloadTemplate(
            request,
            messageID: message.id,
            at: message.acceptedAt,
            takingBack: message.takesBack
        )
        if request.liveActivity == nil, channel == nil { languages = request.notification.localized }
        localized = languages.alerts.indices.map {
            PayloadTemplate(request.notification.localized(at: $0), messageID: message.id)
        }
        self.languages = languages
        self.message = message.id
        self.apnsIDs = apnsIDs
    }

    /// Room for a payload in bytes.
    var payloadBytes: Int { localized.reduce(template.usualBytes) { max($0, $1.usualBytes) } }

    /// Whether an alert has variables.
    var hasVariables: Bool { template.hasVariables || localized.contains(where: \.hasVariables) }

    /// Adds the push for a device, with the badge after this push, sent only if the push changes it, the headers with an index in the
    /// batch, the values of the alert's variables at a place, and the place of its language among ``languages``; nil for the plain alert.
    func add(
        to batch: inout SendBatch,
        _ device: DeviceID,
        _ token: DeviceToken,
        badge: Int,
        headers: Int,
        values: inout AttributeValues,
        at place: Int,
        language: Int?
    ) {
        let id = apnsIDs.apnsID(of: message, to: device.ordinal)
        let changed = self.badge.map { _ in badge }
        guard let language else {
            return batch.add(id, token, headers: headers) {
                template.write(badge: changed, number: device.userID, values: &values, at: place, to: &$0)
            }
        }
        batch.add(id, token, headers: headers) {
            localized[language].write(badge: changed, number: device.userID, values: &values, at: place, to: &$0)
        }
    }
}
