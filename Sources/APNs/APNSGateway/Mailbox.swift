package import DeviceLink
package import Foundation

/// What waits for one device token: store and forward as a state machine. Time arrives as a value.
///
/// Which pushes are kept for a device that is away is contradictory in Apple's own pages, so it is a ``Policy``. Dates are
/// strict: nothing is handed over after its expiration. Kept in memory for now.
package struct Mailbox: Sendable {
    package enum Policy: String, Sendable {
        /// One place for pushes without a collapse id and one for each collapse id; the newest wins its place.
        case placePerCollapseID
        /// One place: the newest wins. The historical rule.
        case single
    }

    /// What `apns-expiration` asks for.
    package enum Expiration: Hashable, Sendable {
        /// `0`: one attempt, never stored.
        case atOnce
        case at(Date)
    }

    package enum Effect: Hashable, Sendable {
        case deliver(CourierPush)
        case stored(apnsID: String)
        case coalesced(apnsID: String)
        case expired(apnsID: String)
        case delivered(apnsID: String)
    }

    /// What "30 days or less" in Apple's text means here: the longest time that anything is stored.
    package static let longestStorage: TimeInterval = 30 * 24 * 3600
    /// Distinct collapse ids that are kept for one token.
    package static let places = 100
    /// Pushes that may be on their way without an acknowledgement.
    package static let window = 1000
    /// How many apns-ids are remembered to recognise a push that is sent again.
    package static let remembered = 64

    private struct Item {
        var push: CourierPush
        var expiration: Expiration
        /// It was on its way when the link broke, and keeps its right to arrive.
        var isReturned = false

        func isOver(at now: Date) -> Bool {
            if case .at(let date) = expiration { date <= now } else { false }
        }
    }

    private let policy: Policy
    private var waiting: [Item] = []
    private var onTheWay: [Item] = []
    private var recent: [CompactID] = []
    package private(set) var isConnected = false

    package init(policy: Policy = .placePerCollapseID) { self.policy = policy }

    /// When the next push that waits is over; nil if none waits.
    package var nextExpiration: Date? {
        waiting.compactMap { if case .at(let date) = $0.expiration { date } else { nil } }.min()
    }

    /// The apns-ids of what waits, oldest first.
    package var waitingIDs: [String] { waiting.map(\.push.apnsID) }

    /// Takes in a push. One with an apns-id that was taken in before has no effect.
    package mutating func receive(_ push: CourierPush, _ expiration: Expiration, at now: Date) -> [Effect] {
        guard remember(push.apnsID) else { return [] }
        let item = Item(push: push, expiration: expiration)
        if item.isOver(at: now) { return [.expired(apnsID: push.apnsID)] }
        if isConnected, waiting.isEmpty, onTheWay.count < Self.window {
            onTheWay.append(item)
            return [.deliver(push)]
        }
        if expiration == .atOnce { return [.expired(apnsID: push.apnsID)] }
        var effects = makeRoom(for: item)
        waiting.append(item)
        effects.append(.stored(apnsID: push.apnsID))
        return effects
    }

    /// The device is there: hands over what waits, oldest first.
    package mutating func connect(at now: Date) -> [Effect] {
        // A device that registers twice on one link has what is on its way already.
        isConnected = true
        return expire(at: now) + forward()
    }

    /// The device is gone: what it has not acknowledged waits again.
    package mutating func disconnect(at now: Date) -> [Effect] {
        isConnected = false
        var effects: [Effect] = []
        var returned: [Item] = []
        for var item in onTheWay {
            if item.expiration == .atOnce {
                effects.append(.expired(apnsID: item.push.apnsID))
            } else {
                item.isReturned = true
                returned.append(item)
            }
        }
        onTheWay = []
        waiting = returned + waiting
        effects += expire(at: now)
        return effects + keepNewestOfEachCollapseID()
    }

    package mutating func acknowledge(_ apnsID: String, at now: Date) -> [Effect] {
        if let place = onTheWay.firstIndex(where: { $0.push.apnsID == apnsID }) {
            onTheWay.remove(at: place)
        } else if let place = waiting.firstIndex(where: { $0.push.apnsID == apnsID }) {
            waiting.remove(at: place)
        } else {
            return []
        }
        return [.delivered(apnsID: apnsID)] + expire(at: now) + forward()
    }

    /// Drops what is over.
    package mutating func expire(at now: Date) -> [Effect] {
        let over = waiting.filter { $0.isOver(at: now) }
        guard !over.isEmpty else { return [] }
        waiting.removeAll { $0.isOver(at: now) }
        return over.map { .expired(apnsID: $0.push.apnsID) }
    }

    private mutating func forward() -> [Effect] {
        guard isConnected else { return [] }
        let count = min(waiting.count, Self.window - onTheWay.count)
        guard count > 0 else { return [] }
        let next = waiting.prefix(count)
        waiting.removeFirst(count)
        onTheWay += next
        return next.map { .deliver($0.push) }
    }

    private mutating func makeRoom(for item: Item) -> [Effect] {
        let collapseID = item.push.collapseID
        let isReplaced: (Item) -> Bool =
            switch policy {
            case .single: { !$0.isReturned }
            case .placePerCollapseID:
                { $0.push.collapseID == collapseID && (collapseID != nil || !$0.isReturned) }
            }
        var replaced = waiting.filter(isReplaced)
        waiting.removeAll(where: isReplaced)
        if waiting.count >= Self.places { replaced.append(waiting.removeFirst()) }
        return replaced.map { .coalesced(apnsID: $0.push.apnsID) }
    }

    private mutating func keepNewestOfEachCollapseID() -> [Effect] {
        var seen: Set<String> = []
        var kept: [Item] = []
        var effects: [Effect] = []
        for item in waiting.reversed() {
            if let collapseID = item.push.collapseID, !seen.insert(collapseID).inserted {
                effects.append(.coalesced(apnsID: item.push.apnsID))
            } else {
                kept.append(item)
            }
        }
        waiting = kept.reversed()
        return effects.reversed()
    }

    /// - Returns: false if the id is known already.
    private mutating func remember(_ apnsID: String) -> Bool {
        let key = CompactID(apnsID)
        guard !recent.contains(key) else { return false }
        if recent.count >= Self.remembered { recent.removeFirst() }
        recent.append(key)
        return true
    }
}

/// An apns-id in 16 bytes, whatever the case of its digits.
private struct CompactID: Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0

    init(_ apnsID: String) {
        for digit in apnsID.utf8.lazy.compactMap({ Character(UnicodeScalar($0)).hexDigitValue }) {
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
    }
}
