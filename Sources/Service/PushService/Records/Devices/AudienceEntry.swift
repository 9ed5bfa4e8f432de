package import Foundation
package import PushModel

/// The in-memory data of a device: everything that decides whether a push selects it, and how it is reached.
package struct AudienceEntry: Hashable, Sendable {
    package var id: DeviceID
    package var version: UInt32
    /// The token; nil also if APNs has refused it.
    package var token: DeviceToken?
    package var environment: APNSEnvironment
    package var alias: String?
    package var tags: [String]
    package var badge: Int
    package var lastSeen: Date
    package var isStopped = false
    /// Whether the device has a token that APNs has refused.
    package var isRefused = false
    /// Whether the app's backend has vouched for the alias.
    package var isAliasProved = false
    /// The IANA name of the time zone; nil if unknown.
    package var zone: String?
    /// The version of the app; nil if unknown.
    package var appVersion: String?
    /// The system with its version; nil if unknown.
    package var system: String?
    /// The language, a BCP 47 tag; nil if unknown.
    package var language: String?
    /// When the device registered; nil if unknown.
    package var registeredAt: Date?
    /// Empty in the scan of all devices at start: they are read for those apps alone whose segments name some.
    package var attributes: [String: String] = [:]
}

extension RegisteredDevice {
    package var audienceEntry: AudienceEntry {
        var entry = AudienceEntry(
            id: id,
            version: version,
            token: tokenRefusal == nil ? token : nil,
            environment: environment,
            alias: alias,
            tags: tags,
            badge: badge,
            lastSeen: lastSeen,
            isStopped: isStopped,
            isRefused: tokenRefusal != nil,
            zone: zone,
            appVersion: appVersion
        )
        entry.isAliasProved = isAliasProved
        entry.system = system.isEmpty ? nil : system
        entry.language = language
        entry.registeredAt = registeredAt
        entry.attributes = attributes
        return entry
    }
}
