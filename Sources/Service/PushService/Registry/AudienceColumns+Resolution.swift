import Foundation
import PushModel

/// An audience, by what can be done for its devices. Each list is in rising order.
package struct Resolution: Hashable, Sendable {
    package var reachable: [DeviceOrdinal] = []
    package var inOtherEnvironment: [DeviceOrdinal] = []
    package var withoutToken: [DeviceOrdinal] = []
    /// They have a token of the environment that APNs has refused.
    package var refused: [DeviceOrdinal] = []
    /// Push is switched off there, whatever else holds.
    package var stopped: [DeviceOrdinal] = []

    package var isEmpty: Bool {
        reachable.isEmpty && inOtherEnvironment.isEmpty && withoutToken.isEmpty && refused.isEmpty && stopped.isEmpty
    }

    /// Those to whom a custom message goes, whatever APNs knows of them.
    var linked: [DeviceOrdinal] {
        if inOtherEnvironment.isEmpty, withoutToken.isEmpty, refused.isEmpty { return reachable }
        return (reachable + inOtherEnvironment + withoutToken + refused).sorted()
    }

    /// Those to whom a notification would go if all had a token.
    var ofItsEnvironment: [DeviceOrdinal] {
        withoutToken.isEmpty && refused.isEmpty ? reachable : (reachable + withoutToken + refused).sorted()
    }

    /// Puts those apart on which push is switched off.
    mutating func separateStopped(_ flags: DeviceFlags) {
        func isStopped(_ ordinal: DeviceOrdinal) -> Bool { flags.isStopped(Int(ordinal)) }
        stopped = (reachable + inOtherEnvironment + withoutToken).filter(isStopped).sorted()
        guard !stopped.isEmpty else { return }
        reachable.removeAll(where: isStopped)
        inOtherEnvironment.removeAll(where: isStopped)
        withoutToken.removeAll(where: isStopped)
    }

    /// Puts those apart whose token APNs has refused.
    mutating func separateRefused(_ flags: DeviceFlags) {
        func isRefused(_ ordinal: DeviceOrdinal) -> Bool { flags.isRefused(Int(ordinal)) }
        refused = withoutToken.filter(isRefused)
        if !refused.isEmpty { withoutToken.removeAll(where: isRefused) }
    }

    /// Takes a device in, behind those before it.
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
    /// The question that an audience asks; those not seen for 255 days count as gone. Nil if certainly nobody is meant.
    ///
    /// * `registered`: the devices to which the audience's registration ids lead.
    mutating func question(_ names: AudienceNames, registered: [DeviceOrdinal], at date: Date) -> AudienceQuestion? {
        renewActivity(at: date)
        guard case .filter(let filter) = names.audience else { return AudienceQuestion(self) }
        guard !filter.namesUnknownSegment else { return nil }
        let tags = TagQuestion(
            anyOf: filter.tags.map(set(ofTag:)),
            allOf: filter.tagsAnd.map(set(ofTag:)),
            noneOf: filter.tagsNot.map(set(ofTag:))
        )
        return AudienceQuestion(self, tags, named: named(by: filter, names.aliasHashes, registered))
    }

    /// Who is called by an alias or a registration id, in rising order; nil if the audience calls nobody so.
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
