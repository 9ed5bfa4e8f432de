package import Foundation
package import PushModel

/// The number of a device within its app, counted from 0 without gaps.
package typealias DeviceOrdinal = UInt32

package struct DeviceID: Hashable, Sendable {
    package var app: App.ID
    package var ordinal: DeviceOrdinal

    package init(app: App.ID, ordinal: DeviceOrdinal) {
        self.app = app
        self.ordinal = ordinal
    }

    /// The numeric name of the device in payloads (`_j_uid`): eleven digits or more.
    package var userID: Int64 { 10_000_000_000 + Int64(app) << 32 + Int64(ordinal) }
}

/// One app on one device.
package struct Device: Hashable, Sendable {
    package var id: DeviceID
    /// Made by the SDK: the same installation that registers twice is one device.
    package var installation: String
    package var secretHash: SecretHash
    package var token: DeviceToken? { didSet { tokenRefusal = nil } }
    /// Why APNs refused the token, if it will do so again: no push goes to it until the device registers once more.
    package var tokenRefusal: APNSReason?
    /// How the app was built: the environment in which the token was registered.
    package var environment: APNSEnvironment
    /// When the token was last confirmed: an older 410 does not remove it.
    package var tokenRegisteredAt: Date
    package var alias: String?
    package var tags: [String]
    /// Digits, with or without `+` before them.
    package var mobile: String?
    package var badge: Int
    package var system: String
    package var channel: String?
    package var lastSeen: Date
    /// The app has switched push off: neither notifications nor custom messages go to it.
    package var isStopped: Bool
    /// The device's time zone as its SDK told it last, an IANA name; nil if it never did.
    package var zone: String?
    /// Grows with every change, so that a memory image never goes back.
    package var version: UInt32

    package init(
        id: DeviceID,
        installation: String,
        secretHash: SecretHash,
        token: DeviceToken? = nil,
        environment: APNSEnvironment,
        tokenRegisteredAt: Date,
        alias: String? = nil,
        tags: [String] = [],
        mobile: String? = nil,
        badge: Int = 0,
        system: String = "",
        channel: String? = nil,
        lastSeen: Date,
        isStopped: Bool = false,
        zone: String? = nil,
        tokenRefusal: APNSReason? = nil,
        version: UInt32 = 0
    ) {
        self.id = id
        self.installation = installation
        self.secretHash = secretHash
        self.token = token
        self.tokenRefusal = tokenRefusal
        self.environment = environment
        self.tokenRegisteredAt = tokenRegisteredAt
        self.alias = alias
        self.tags = tags
        self.mobile = mobile
        self.badge = badge
        self.system = system
        self.channel = channel
        self.lastSeen = lastSeen
        self.isStopped = isStopped
        self.zone = zone
        self.version = version
    }
}
