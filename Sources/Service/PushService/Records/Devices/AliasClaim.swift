package import Foundation
import PushModel

/// A place under an alias, which a change of devices takes.
///
/// JPush allows ten devices for an alias (REST API v3, "Device API", error 7015). ``Registry/claim(_:for:at:)`` holds places among the requests
/// of one process. A store of several nodes also looks for the devices that have the alias, within the transaction of the change.
package struct AliasClaim: Hashable, Sendable {
    /// The devices that may lose the alias, if as many have it as may have it.
    package enum Room: Hashable, Sendable {
        case nobody
        /// Devices without a proof of it, if the claim has one.
        case unproved
        /// Devices without an open link too, unless they have a proof and the claim has none.
        case unlinked
    }

    package var alias: String
    /// The number of devices that may have it, those of the change included.
    package var limit: Int
    /// Devices last seen before take no place.
    package var activeSince: Date
    /// Whether the app's backend has vouched for the alias of the device.
    package var isProved: Bool
    package var room: Room

    /// Creates a claim by the date of the change.
    package init(_ alias: String, at date: Date, isProved: Bool = false, room: Room = .nobody) {
        self.alias = alias
        limit = JPushLimits.devicesPerAlias
        activeSince = DeviceActivity.since(date)
        self.isProved = isProved
        self.room = room
    }

    /// Returns the devices that lose the alias so that `count` fewer have it: those without a proof first, then the ones unseen longest.
    ///
    /// - Returns: nil if there are not as many that may lose it.
    package func losers(among holders: [AliasPlaceHolder], count: Int) -> [DeviceOrdinal]? {
        guard count > 0 else { return [] }
        let losers = holders.filter(mayLose).sorted { $0.rank < $1.rank }.prefix(count)
        return losers.count == count ? losers.map(\.ordinal) : nil
    }

    private func mayLose(_ holder: AliasPlaceHolder) -> Bool {
        switch room {
        case .nobody: false
        case .unproved: isProved && !holder.isProved
        case .unlinked: isProved && !holder.isProved || !holder.isLinked && (isProved || !holder.isProved)
        }
    }
}

/// A device that has an alias for which there is a claim.
package struct AliasPlaceHolder: Hashable, Sendable {
    package var ordinal: DeviceOrdinal
    package var lastSeen: Date
    package var isProved: Bool
    /// Whether it has an open link.
    package var isLinked: Bool

    package init(_ ordinal: DeviceOrdinal, lastSeen: Date, isProved: Bool, isLinked: Bool) {
        self.ordinal = ordinal
        self.lastSeen = lastSeen
        self.isProved = isProved
        self.isLinked = isLinked
    }

    fileprivate var rank: (Int, Date, DeviceOrdinal) { (isProved ? 1 : 0, lastSeen, ordinal) }
}

/// The error for an alias that as many other devices have as may have it. Nothing was changed.
package struct AliasIsFull: Error, Hashable, CustomStringConvertible {
    package var alias: String

    package init(_ alias: String) { self.alias = alias }

    package var description: String { "\(JPushLimits.devicesPerAlias) devices have the alias '\(alias)' already." }
}
