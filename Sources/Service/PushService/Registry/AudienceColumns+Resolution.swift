import Foundation
import PushModel

/// An audience, by what can be done for its devices. Each list is in rising order.
package struct Resolution: Hashable, Sendable {
    package var reachable: [DeviceOrdinal] = []
    package var inOtherEnvironment: [DeviceOrdinal] = []
    package var withoutToken: [DeviceOrdinal] = []
    /// Push is switched off there, whatever else holds.
    package var stopped: [DeviceOrdinal] = []

    package var isEmpty: Bool {
        reachable.isEmpty && inOtherEnvironment.isEmpty && withoutToken.isEmpty && stopped.isEmpty
    }

    /// Those to whom a custom message goes, whatever APNs knows of them.
    var linked: [DeviceOrdinal] {
        if inOtherEnvironment.isEmpty, withoutToken.isEmpty { return reachable }
        return (reachable + inOtherEnvironment + withoutToken).sorted()
    }

    /// Those to whom a notification would go if all had a token.
    var ofItsEnvironment: [DeviceOrdinal] {
        withoutToken.isEmpty ? reachable : (reachable + withoutToken).sorted()
    }

    /// Puts those apart on which push is switched off.
    fileprivate mutating func separate(_ stopped: DeviceColumn) {
        func isStopped(_ ordinal: DeviceOrdinal) -> Bool { stopped.contains(Int(ordinal)) }
        self.stopped = (reachable + inOtherEnvironment + withoutToken).filter(isStopped).sorted()
        guard !self.stopped.isEmpty else { return }
        reachable.removeAll(where: isStopped)
        inOtherEnvironment.removeAll(where: isStopped)
        withoutToken.removeAll(where: isStopped)
    }

    /// Takes a device in, behind those before it.
    mutating func add(_ ordinal: DeviceOrdinal, in columns: AudienceColumns, environment: APNSEnvironment) {
        if columns.isStopped(ordinal) {
            stopped.append(ordinal)
        } else if columns.environment(of: ordinal) != environment {
            inOtherEnvironment.append(ordinal)
        } else if !columns.hasToken(ordinal) {
            withoutToken.append(ordinal)
        } else {
            reachable.append(ordinal)
        }
    }
}

/// The tags that an audience speaks of, as sets of devices; nil stands for a tag that nobody has.
private struct TagQuestion {
    /// Who has none of these is not meant, if there are any.
    var anyOf: [DeviceSet?] = []
    var allOf: [DeviceSet?] = []
    var noneOf: [DeviceSet?] = []

    func includes(_ ordinal: DeviceOrdinal) -> Bool {
        func has(_ set: DeviceSet?) -> Bool { set?.contains(ordinal) == true }
        return (anyOf.isEmpty || anyOf.contains(where: has)) && allOf.allSatisfy(has) && !noneOf.contains(where: has)
    }

    /// No more than this are meant, of `count` devices.
    func bound(_ count: Int) -> Int {
        let some = anyOf.isEmpty ? count : anyOf.reduce(0) { $0 + ($1?.count ?? 0) }
        return allOf.reduce(min(count, some)) { min($0, $1?.count ?? 0) }
    }

    /// Those who are meant among the devices of one block.
    func answer(block number: Int, into bits: inout DeviceBits) {
        func block(_ set: DeviceSet?) -> DeviceSet.Block? {
            guard let set, number < set.blocks.count else { return nil }
            return set.blocks[number]
        }
        bits.fill(anyOf.isEmpty)
        for set in anyOf { bits.unite(block(set)) }
        for set in allOf { bits.intersect(block(set)) }
        for set in noneOf { bits.subtract(block(set)) }
    }
}

extension AudienceColumns {
    /// Who is meant by an audience, and what can be done for them; those not seen for 255 days count as gone.
    ///
    /// * `registered`: the devices to which the audience's registration ids lead.
    mutating func resolve(
        _ audience: Audience,
        registered: [DeviceOrdinal],
        environment: APNSEnvironment,
        at date: Date
    ) -> Resolution {
        renewActivity(at: date)
        guard case .filter(let filter) = audience else { return resolve(TagQuestion(), environment) }
        guard !filter.namesUnknownSegment else { return Resolution() }
        let tags = TagQuestion(
            anyOf: filter.tags.map(set(ofTag:)),
            allOf: filter.tagsAnd.map(set(ofTag:)),
            noneOf: filter.tagsNot.map(set(ofTag:))
        )
        guard let named = named(by: filter, registered: registered) else { return resolve(tags, environment) }
        return resolve(named, tags, environment)
    }

    /// Who is called by an alias or a registration id, in rising order; nil if the audience calls nobody so.
    private func named(by filter: Audience.Filter, registered: [DeviceOrdinal]) -> [DeviceOrdinal]? {
        var lists: [[DeviceOrdinal]] = []
        if !filter.aliases.isEmpty { lists.append(filter.aliases.flatMap(devices(withAlias:))) }
        if !filter.registrationIDs.isEmpty { lists.append(registered) }
        guard let first = lists.first else { return nil }
        if first.count < 2, lists.count == 1 { return first }
        return lists.dropFirst().reduce(Set(first)) { $0.intersection($1) }.sorted()
    }

    private func resolve(
        _ named: [DeviceOrdinal],
        _ tags: TagQuestion,
        _ environment: APNSEnvironment
    ) -> Resolution {
        var resolution = Resolution()
        for ordinal in named where active.contains(Int(ordinal)) && tags.includes(ordinal) {
            resolution.add(ordinal, in: self, environment: environment)
        }
        return resolution
    }

    private func resolve(_ tags: TagQuestion, _ environment: APNSEnvironment) -> Resolution {
        var resolution = Resolution()
        let flip: UInt64 = environment == .production ? 0 : .max
        let (active, production, withToken) = (active.words.span, production.words.span, withToken.words.span)
        var (members, reachable) = (DeviceBits(all: true), DeviceBits(all: false))
        resolution.reachable = [DeviceOrdinal](capacity: tags.bound(count)) { ordinals in
            for block in 0..<active.count / DeviceBits.wordCount {
                tags.answer(block: block, into: &members)
                let places = block * DeviceBits.wordCount..<(block + 1) * DeviceBits.wordCount
                members.intersect(active.extracting(places))
                let isAll = reachable.fill(
                    members,
                    production.extracting(places),
                    flip: flip,
                    withToken.extracting(places)
                )
                let first = DeviceOrdinal(block * DeviceBits.size)
                let (found, all) = (reachable.words.span, members.words.span)
                for index in found.indices where found[index] != 0 {
                    ordinals.append(members: found[index], first: first | DeviceOrdinal(index << 6))
                }
                if isAll { continue }
                for index in found.indices where found[index] != all[index] {
                    let here = production[places.lowerBound + index] ^ flip
                    let first = first | DeviceOrdinal(index << 6)
                    resolution.inOtherEnvironment.append(members: all[index] & ~here, first: first)
                    resolution.withoutToken.append(members: all[index] & here & ~found[index], first: first)
                }
            }
        }
        if stoppedCount > 0 { resolution.separate(stopped) }
        return resolution
    }
}
