package import Foundation
import PushModel

/// A place under an alias, which a change of devices takes.
///
/// JPush allows ten devices for an alias (REST API v3, "Device API", error 7015). ``Registry/claim(_:for:at:)`` holds places among the requests
/// of one process. A store of several nodes also looks for the devices that have the alias, within the transaction of the change.
package struct AliasClaim: Hashable, Sendable {
    package var alias: String
    /// The number of devices that may have it, those of the change included.
    package var limit: Int
    /// Devices last seen before take no place.
    package var activeSince: Date

    /// Creates a claim by the date of the change.
    package init(_ alias: String, at date: Date) {
        (self.alias, limit) = (alias, JPushLimits.devicesPerAlias)
        activeSince = AudienceColumns.activeSince(date)
    }
}

/// The error for an alias that as many other devices have as may have it. Nothing was changed.
package struct AliasIsFull: Error, Hashable, CustomStringConvertible {
    package var alias: String

    package init(_ alias: String) { self.alias = alias }

    package var description: String { "\(JPushLimits.devicesPerAlias) devices have the alias '\(alias)' already." }
}
