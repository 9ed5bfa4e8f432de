public import Foundation
public import PushModel

extension APNSPush {
    /// Creates a push with a typed payload.
    ///
    /// ```swift
    /// let push = try APNSPush(
    ///     APNSPayload(APS(alert: "Lunch is ready", sound: .default)),
    ///     to: token,
    ///     app: "com.example.app"
    /// )
    /// ```
    /// - Parameters:
    ///   - payload: the content of the push.
    ///   - token: the device's token.
    ///   - bundleID: the app's; the topic is derived from it and the push type.
    ///   - pushType: the push type, which determines the largest payload.
    ///   - priority: nil means 5 for `background`, which cannot have 10; otherwise it leaves the header out, which means 10.
    ///   - expiration: nil lets APNs keep the push for 30 days at most.
    ///   - collapseID: at most 64 bytes; a later push with the same id replaces this one.
    ///   - id: the apns-id, which identifies the push along its whole path.
    /// - Throws: `APNSPayloadProblem` if the payload is too long or contains an invalid value.
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
