import PushModel

/// The devices of a step with all data needed for sending, stored as columns, so that many of them cost few allocations; neighbours
/// share the registry's own columns.
package struct Targets: RandomAccessCollection, Sendable {
    private let ordinals: ArraySlice<DeviceOrdinal>
    /// Tokens of 32 bytes, by place; undefined for places in ``others``.
    package let tokens: ArraySlice<SIMD4<UInt64>>
    private let badges: ArraySlice<Int32>
    /// Tokens of another length by place; nil if there is none, or none of the environment.
    private let others: [Int: DeviceToken?]
    /// The reasons, by place, why devices are skipped, other than having no token.
    private let absences: [Int: SuppressionReason]

    init() {
        ordinals = []
        tokens = []
        badges = []
        others = [:]
        absences = [:]
    }

    init(
        _ ordinals: ArraySlice<DeviceOrdinal>,
        tokens: ArraySlice<SIMD4<UInt64>>,
        badges: ArraySlice<Int32>,
        others: [Int: DeviceToken?],
        absences: [Int: SuppressionReason] = [:]
    ) {
        self.ordinals = ordinals
        self.tokens = tokens
        self.badges = badges
        self.others = others
        self.absences = absences
    }

    /// Returns the same devices with other tokens: devices without one in `channelTokens` have none.
    func with(_ channelTokens: [DeviceOrdinal: DeviceToken]) -> Targets {
        var others: [Int: DeviceToken?] = [:]
        for (place, ordinal) in ordinals.enumerated() { others.updateValue(channelTokens[ordinal], forKey: place) }
        // A refusal is about the token for notifications.
        return Targets(
            ordinals,
            tokens: tokens,
            badges: badges,
            others: others,
            absences: absences.filter { $0.value != .tokenRefused }
        )
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ordinals.count }

    package subscript(place: Int) -> Target {
        let token = others[place] ?? DeviceToken(words: tokens[tokens.startIndex + place])
        let badge = Int(badges[badges.startIndex + place])
        var target = Target(ordinal: ordinals[ordinals.startIndex + place], token: token, badge: badge)
        if !absences.isEmpty, let absence = absences[place] {
            target.token = nil
            target.absence = absence
        }
        return target
    }
}

extension AudienceColumns {
    /// Returns the targets in the order of `ordinals`, which ascend; the token is nil if there is none, or none of the environment.
    func targets(_ ordinals: ArraySlice<DeviceOrdinal>, _ environment: APNSEnvironment) -> Targets {
        guard let first = ordinals.first, let last = ordinals.last else { return Targets() }
        let places = Int(first)..<Int(last) + 1
        if places.count == ordinals.count, areUsual(places, environment),
            let tokens = tokens.slice(places), let badges = badges.slice(places)
        {
            // Neighbours, the usual case in large audiences.
            return Targets(ordinals, tokens: tokens, badges: badges, others: [:])
        }
        return Targets(
            ordinals,
            tokens: tokens.values(of: ordinals)[...],
            badges: badges.values(of: ordinals)[...],
            others: others(among: ordinals, environment),
            absences: absences(among: ordinals)
        )
    }

    /// Returns whether each of them has a token of 32 bytes for the environment.
    private func areUsual(_ places: Range<Int>, _ environment: APNSEnvironment) -> Bool {
        guard longTokens.isEmpty, flags.stoppedCount == 0 else { return false }
        let flip: UInt64 = environment == .production ? 0 : .max
        let words = places.lowerBound >> 6...(places.upperBound - 1) >> 6
        return words.allSatisfy { index in
            // Devices outside the range count as usual: the first and the last word contain some.
            let before = index == words.lowerBound ? ~(UInt64.max << UInt64(places.lowerBound & 63)) : 0
            let after = index == words.upperBound ? ~(UInt64.max >> UInt64(63 - (places.upperBound - 1) & 63)) : 0
            return flags.withToken.word(index) & (flags.production.word(index) ^ flip) | before | after == .max
        }
    }

    private func absences(among ordinals: ArraySlice<DeviceOrdinal>) -> [Int: SuppressionReason] {
        guard flags.stoppedCount > 0 || flags.refusedCount > 0 else { return [:] }
        var absences: [Int: SuppressionReason] = [:]
        for (place, ordinal) in ordinals.enumerated() {
            if flags.isStopped(Int(ordinal)) {
                absences[place] = .pushOff
            } else if flags.isRefused(Int(ordinal)) {
                absences[place] = .tokenRefused
            }
        }
        return absences
    }

    /// Returns the devices without a token of 32 bytes for the environment, by their place in `ordinals`.
    private func others(
        among ordinals: ArraySlice<DeviceOrdinal>,
        _ environment: APNSEnvironment
    ) -> [Int: DeviceToken?] {
        var others: [Int: DeviceToken?] = [:]
        let flip: UInt64 = environment == .production ? 0 : .max
        let span = ordinals.span
        var start = 0
        while start < span.count {
            let block = Int(span[start]) / DeviceBits.size
            guard block < flags.withToken.blocks.count else {
                // They are after the end.
                for place in start..<span.count { others.updateValue(nil, forKey: place) }
                break
            }
            let withToken = flags.withToken.blocks[block].words
            let production = flags.production.blocks[block].words
            let tokenWords = withToken.span
            let productionWords = production.span
            while start < span.count, Int(span[start]) / DeviceBits.size == block {
                let place = Int(span[start]) % DeviceBits.size
                let usual = tokenWords[place >> 6] & (productionWords[place >> 6] ^ flip)
                if usual & 1 << UInt64(place & 63) == 0 {
                    others.updateValue(nil, forKey: start)
                } else if !longTokens.isEmpty, let token = longTokens[span[start]] {
                    others.updateValue(token, forKey: start)
                }
                start += 1
            }
        }
        return others
    }
}
