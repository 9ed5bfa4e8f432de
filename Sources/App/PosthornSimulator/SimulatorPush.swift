package import DeviceLink
package import Foundation
package import PushModel

/// The outcome of a push at `simctl push`.
///
/// Source: Apple, release notes of Xcode 11.4, "Simulator", and `simctl help push`: an object with an `aps` key of at most 4096 bytes; "Only
/// application remote push notifications are supported. VoIP, Complication, File Provider, and other types are not supported."
package enum SimulatorPush: Hashable, Sendable {
    /// Handed to the app with this bundle id. `losesHeaders`: the push has headers that `simctl` cannot carry.
    case handed(bundleID: String, losesHeaders: Bool)
    case refused(SuppressionReason)

    /// The largest payload in bytes.
    static let limit = 4096
    /// APNs stores a push for at most 30 days, also one without `apns-expiration`. An earlier end is the provider's.
    private static let longestStorage: TimeInterval = 29 * 24 * 3600

    package init(_ push: CourierPush, at now: Date) {
        guard push.payload.count <= Self.limit else {
            self = .refused(.simulatorSize)
            return
        }
        let topic = CourierTopic(text: push.topic).topic
        guard [nil, .alert, .background].contains(push.pushType), APNSPushType(suffixOf: topic) == nil else {
            self = .refused(.simulatorType)
            return
        }
        let expires = push.expiration?.hasPassed(at: now + Self.longestStorage) ?? true
        let losesHeaders = push.priority != 10 || push.collapseID != nil || expires
        self = .handed(bundleID: topic, losesHeaders: losesHeaders)
    }
}
