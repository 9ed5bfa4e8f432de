package import Foundation
package import PushModel

/// A token for which APNs refuses pushes; no more are sent to the device unless it has registered after `since`.
package struct RefusedToken: Hashable, Sendable {
    package var device: DeviceID
    package var token: DeviceToken
    package var reason: APNSReason
    package var since: Date

    package init(device: DeviceID, token: DeviceToken, reason: APNSReason, since: Date) {
        self.device = device
        self.token = token
        self.reason = reason
        self.since = since
    }
}
