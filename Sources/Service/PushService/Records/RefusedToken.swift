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

extension RegisteredDevice {
    /// Takes a token from the device that another has registered; an imported device is retired.
    package mutating func loseToken() { isImported ? retire() : (token = nil) }

    /// Takes a token that was registered at a date, and what imported devices had that lose it.
    package mutating func setToken(
        _ token: DeviceToken,
        _ environment: APNSEnvironment,
        at date: Date,
        from others: [Self]
    ) {
        for other in others { inherit(from: other) }
        self.token = token
        self.environment = environment
        tokenRegisteredAt = date
    }

    /// Removes a token that APNs reports as gone, or marks one that it refuses, unless it was registered again since.
    ///
    /// - Returns: whether the device has changed.
    package mutating func note(_ refused: RefusedToken) -> Bool {
        guard token == refused.token, tokenRegisteredAt <= refused.since else { return false }
        if refused.reason.isTokenGone { token = nil } else { tokenRefusal = refused.reason }
        return true
    }
}
