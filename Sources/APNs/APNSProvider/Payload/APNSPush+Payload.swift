public import Foundation
public import PushModel

extension APNSPush {
    /// A push of a typed payload.
    ///
    /// ```swift
    /// let push = try APNSPush(
    ///     APNSPayload(APS(alert: "Lunch is ready", sound: .default)),
    ///     to: token,
    ///     app: "com.example.app"
    /// )
    /// ```
    /// - Parameters:
    ///   - payload: what it carries.
    ///   - token: the device's.
    ///   - bundleID: the app's; the topic is made of it and the push type.
    ///   - pushType: sets how long the payload may be.
    ///   - priority: nil is 5 for `background`, which cannot have 10; otherwise it leaves the header out, which is 10.
    ///   - expiration: nil lets APNs keep the push for 30 days at most.
    ///   - collapseID: at most 64 bytes; a later push with the same takes this one's place.
    ///   - id: names the push on the whole road.
    /// - Throws: ``APNSPayloadProblem`` when the payload is too long or a value in it is impossible.
    public init(
        _ payload: APNSPayload,
        to token: DeviceToken,
        app bundleID: String,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil,
        id: UUID = UUID()
    ) throws(APNSPayloadProblem) {
        self.init(
            id: id.uuidString.lowercased(),
            token: token,
            topic: pushType.topic(of: bundleID),
            pushType: pushType,
            priority: priority ?? (pushType == .background ? .consideringPower : nil),
            expiration: expiration,
            collapseID: collapseID,
            payload: try payload.bytes(for: pushType)
        )
    }
}
