package import Foundation
package import PushModel

/// The number of a device within its app, counted from 0. SQLite leaves no gaps. In PostgreSQL each node takes numbers in blocks, so some stay unused.
package typealias DeviceOrdinal = UInt32

/// One installation of an app on a device.
package struct RegisteredDevice: Hashable, Sendable {
    package var id: DeviceID
    /// The installation id created by the SDK: an installation that registers twice is one device.
    package var installation: String
    package var secretHash: SecretHash
    package var token: DeviceToken? { didSet { tokenRefusal = nil } }
    /// The reason why APNs refused the token, if it will do so again: no push is sent to it until the device registers again.
    package var tokenRefusal: APNSReason?
    /// The environment in which the token was registered, depending on how the app was built.
    package var environment: APNSEnvironment
    /// The time at which the token was last confirmed: an older 410 does not remove it.
    package var tokenRegisteredAt: Date
    @Exact package var alias: String? { didSet { if !oldValue.isSame(as: alias) { isAliasProved = false } } }
    /// Whether the app's backend has vouched for the alias: by a proof, with `POST /v3/devices`, or in a file. Another alias has no
    /// proof.
    package var isAliasProved = false
    @Exact package var tags: [String]
    /// Digits with an optional leading `+`.
    package var mobile: String?
    package var badge: Int
    @Exact package var system: String
    @Exact package var channel: String?
    package var lastSeen: Date
    /// Whether the app has switched push off: it receives neither notifications nor custom messages.
    package var isStopped: Bool
    /// The device's time zone as last sent by its SDK, an IANA name; nil if it sent none.
    package var zone: String?
    /// The version of the app as last sent by its SDK; nil if it sent none.
    @Exact package var appVersion: String?
    /// The user's language as last sent, a BCP 47 tag; nil if the app sent none.
    @Exact package var language: String?
    /// The permission to show notifications, as last sent; nil if the app sent none.
    package var permission: NotificationPermission?
    /// When the device registered, or was imported; nil for devices of version 0.1.0.
    package var registeredAt: Date?
    /// Named texts, which alert texts may name.
    @Exact package var attributes: [String: String] = [:]
    /// The number of the last operation that the app has asked for with a number and the service has carried out; 0 before the first.
    package var sequence: Int64 = 0
    /// The last phone that has shared this registration, restored from one backup with this one, and has a registration of its own now; nil
    /// if none has reported that.
    package var separation: Separation?
    /// Increases with every change, so that an in-memory copy never goes back.
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
        appVersion: String? = nil,
        language: String? = nil,
        permission: NotificationPermission? = nil,
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
        self.appVersion = appVersion
        self.language = language
        self.permission = permission
        self.version = version
    }
}

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
    /// The end of a registration that two phones have shared.
    package struct Separation: Hashable, Sendable {
        package var date: Date
        /// The other phone's device, of the same app.
        package var ordinal: DeviceOrdinal

        package init(date: Date, ordinal: DeviceOrdinal) {
            self.date = date
            self.ordinal = ordinal
        }
    }

    /// The device as which the other phone has registered.
    package var separatedID: DeviceID? { separation.map { DeviceID(app: id.app, ordinal: $0.ordinal) } }
}

extension RegisteredDevice {
    /// Takes a token from the device that another has registered; an imported device is retired.
    ///
    /// The device is a former life of the other: an installation that is gone. It gives up its place under its alias.
    package mutating func loseToken() {
        guard !isImported else { return retire() }
        token = nil
        alias = nil
    }

    /// Notes the number that the app gave an operation.
    ///
    /// - Returns: whether the operation has to be carried out: one whose number is not above the last was carried out before, and arrives
    ///   again, perhaps after later ones.
    package mutating func takes(_ number: Int64?) -> Bool {
        guard let number else { return true }
        guard number > sequence else { return false }
        sequence = number
        return true
    }

    /// Sets the alias. One that the device has already keeps its proof.
    package mutating func setAlias(_ alias: String?, isProved: Bool) {
        self.alias = alias
        if alias != nil, isProved { isAliasProved = true }
    }

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
