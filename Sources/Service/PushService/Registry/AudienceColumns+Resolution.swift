import Foundation
import PushModel

/// The devices of an audience by reachability. Each list is in ascending order.
package struct Resolution: Hashable, Sendable {
    package var reachable: [DeviceOrdinal] = []
    package var inOtherEnvironment: [DeviceOrdinal] = []
    package var withoutToken: [DeviceOrdinal] = []
    /// Devices with a token of this environment that APNs has refused.
    package var refused: [DeviceOrdinal] = []
    /// Devices on which push is switched off, whatever else applies.
    package var stopped: [DeviceOrdinal] = []
    /// Devices of the lists above that get no custom message: the audience names them by an alias for which nobody vouches, and their app asks
    /// for that. Empty unless ``PushAcceptor/withhold(_:from:file:of:)`` has looked.
    package var unproved: [DeviceOrdinal] = []

    package var isEmpty: Bool {
        reachable.isEmpty && inOtherEnvironment.isEmpty && withoutToken.isEmpty && refused.isEmpty && stopped.isEmpty
    }

    /// Whether every device can be reached.
    var isAllReachable: Bool {
        inOtherEnvironment.isEmpty && withoutToken.isEmpty && refused.isEmpty && stopped.isEmpty
    }

    /// The devices on which push is not switched off, regardless of APNs.
    var linked: [DeviceOrdinal] {
        if inOtherEnvironment.isEmpty, withoutToken.isEmpty, refused.isEmpty { return reachable }
        return (reachable + inOtherEnvironment + withoutToken + refused).sorted()
    }

    /// The devices that receive a custom message over their links.
    var forMessages: [DeviceOrdinal] { proved(linked) }

    /// The devices that receive an in-app message over their links: those that would receive a notification if all had a token.
    var forInAppMessages: [DeviceOrdinal] {
        proved(withoutToken.isEmpty && refused.isEmpty ? reachable : (reachable + withoutToken + refused).sorted())
    }

    private func proved(_ ordinals: [DeviceOrdinal]) -> [DeviceOrdinal] {
        guard !unproved.isEmpty else { return ordinals }
        let unproved = Set(unproved)
        return ordinals.filter { !unproved.contains($0) }
    }

    /// Whether a push reaches none of the devices, of which ``unproved`` are known.
    func reachesNobody(_ isForAPNs: Bool) -> Bool {
        isEmpty || (!isForAPNs && !unproved.isEmpty && stopped.isEmpty && forMessages.isEmpty)
    }

    /// Moves devices on which push is switched off to ``stopped``.
    mutating func separateStopped(_ flags: DeviceFlags) {
        func isStopped(_ ordinal: DeviceOrdinal) -> Bool { flags.isStopped(Int(ordinal)) }
        stopped = (reachable + inOtherEnvironment + withoutToken).filter(isStopped).sorted()
        guard !stopped.isEmpty else { return }
        reachable.removeAll(where: isStopped)
        inOtherEnvironment.removeAll(where: isStopped)
        withoutToken.removeAll(where: isStopped)
    }

    /// Moves devices whose token APNs has refused to ``refused``.
    mutating func separateRefused(_ flags: DeviceFlags) {
        func isRefused(_ ordinal: DeviceOrdinal) -> Bool { flags.isRefused(Int(ordinal)) }
        refused = withoutToken.filter(isRefused)
        if !refused.isEmpty { withoutToken.removeAll(where: isRefused) }
    }

    /// Appends a device to its list.
    mutating func add(_ ordinal: DeviceOrdinal, _ flags: DeviceFlags, environment: APNSEnvironment) {
        if flags.isStopped(Int(ordinal)) {
            stopped.append(ordinal)
        } else if flags.environment(of: Int(ordinal)) != environment {
            inOtherEnvironment.append(ordinal)
        } else if flags.isRefused(Int(ordinal)) {
            refused.append(ordinal)
        } else if !flags.withToken.contains(Int(ordinal)) {
            withoutToken.append(ordinal)
        } else {
            reachable.append(ordinal)
        }
    }
}

/// The names in an audience, hashed before the lock is taken.
struct AudienceNames: Sendable {
    let audience: Audience
    /// The hashes of the aliases.
    fileprivate let aliasHashes: [UInt64]

    init(_ audience: Audience) {
        self.audience = audience
        if case .filter(let filter) = audience {
            aliasHashes = KeyedHash.hashes(filter.aliases)
        } else {
            aliasHashes = []
        }
    }
}

extension AudienceColumns {
    /// Returns the query for an audience, of whose registration ids the devices are given; devices not seen for 255 days
    /// count as inactive. Nil if the audience is certainly empty.
    mutating func question(_ names: AudienceNames, registered: [DeviceOrdinal], at date: Date) -> AudienceQuery? {
        renewActivity(at: date)
        guard case .filter(let filter) = names.audience else { return AudienceQuery(self) }
        return AudienceQuery(self, tagQuery(filter), named: named(by: filter, names.aliasHashes, registered))
    }

    func tagQuery(_ filter: Audience.Filter) -> TagQuery {
        TagQuery(
            anyOf: filter.tags.map(set(ofTag:)),
            allOf: filter.tagsAnd.map(set(ofTag:)),
            noneOf: filter.tagsNot.map(set(ofTag:))
        )
    }

    /// Returns the devices named by alias or registration id, in ascending order; nil if the audience names none that way.
    private func named(
        by filter: Audience.Filter,
        _ aliasHashes: [UInt64],
        _ registered: [DeviceOrdinal]
    ) -> [DeviceOrdinal]? {
        let byAlias = filter.aliases.isEmpty ? nil : aliases.devices(aliasHashes)
        guard !filter.registrationIDs.isEmpty else { return byAlias }
        let byID = registered.sortedOnce()
        guard let byAlias else { return byID }
        let both = Set(byAlias)
        return byID.filter(both.contains)
    }
}
