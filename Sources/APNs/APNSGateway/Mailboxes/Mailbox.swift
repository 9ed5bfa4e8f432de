import APNSTransport
package import Foundation
package import PushModel

/// The waiting pushes of one device token: store and forward as a state machine. Time arrives as a value.
///
/// Apple's own pages contradict each other on which pushes are kept for a device that is away, so it is a ``Policy``. Dates
/// are strict: nothing is delivered after its expiration.
package struct Mailbox: Sendable {
    package enum Policy: Sendable {
        /// One place for pushes without a collapse id and one for each collapse id; the newest push takes its place.
        case placePerCollapseID
        /// One place for the newest push. The historical rule.
        case single
    }

    /// The part of the gateway's rules that mailboxes need, one object for all of them.
    final class Rules: Sendable {
        let policy: Policy
        let longestGrouping: TimeInterval
        let silentBudget: SilentBudget?

        init(_ rules: GatewayRules) {
            policy = rules.policy
            longestGrouping = rules.longestGrouping
            silentBudget = rules.silentBudget
        }
    }

    /// The value of `apns-expiration`.
    package enum Expiration: Hashable, Sendable {
        /// `0`: one attempt, never stored.
        case atOnce
        case at(Date)
    }

    package enum Effect: Hashable, Sendable {
        /// Indirect, since all other cases are small.
        indirect case deliver(MailboxPush)
        case stored(APNSID)
        case coalesced(APNSID)
        case expired(APNSID)
        case delivered(APNSID)
        /// The push was stored although the device is connected: the budget of background pushes is used up.
        case overBudget(APNSID)
    }

    /// The longest time that anything is stored: "30 days or less" in Apple's text.
    package static let longestStorage: TimeInterval = 30 * 24 * 3600
    /// The largest number of distinct collapse ids that are kept for one token.
    package static let places = 100
    /// The largest number of pushes that may be in flight without an acknowledgement.
    package static let window = 1000
    /// The number of apns-ids that are remembered to recognise a repeated push.
    package static let remembered = 64

    struct Item {
        var push: MailboxPush
        var expiration: Expiration
        /// Whether the push was in flight when the link broke, so that it may still arrive.
        var isReturned = false
        /// Whether the push came while the device was connected, and is held back; it may still arrive too.
        var isHeld = false

        /// Whether only a push with the same collapse id replaces it.
        var keepsPlace: Bool { isReturned || isHeld }

        func isOver(at now: Date) -> Bool {
            if case .at(let date) = expiration { date <= now } else { false }
        }
    }

    /// A push as it is stored on disk.
    struct Kept: Hashable, Sendable {
        var push: MailboxPush
        var expiration: Date
        /// Whether the push was in flight.
        var isReturned = false
    }

    /// Indirect, so that the many mailboxes without restraint do not pay for it.
    private indirect enum Restrained {
        case never
        case by(Restraint)
    }

    package private(set) var isConnected = false
    /// The oldest waiting push, stored inline, since most often it is the only one.
    private(set) var first: Item?
    private var others: [Item] = []
    let rules: Rules
    private var restrained = Restrained.never
    var onTheWay: [Item] = []
    private var recent = Ring<APNSID>()

    package init(_ rules: GatewayRules = GatewayRules()) { self.init(Rules(rules)) }

    private init(_ rules: Rules) { self.rules = rules }

    /// An empty mailbox with the same rules.
    var emptied: Mailbox { Mailbox(rules) }

    var restraint: Restraint {
        get { if case .by(let restraint) = restrained { restraint } else { Restraint() } }
        set { restrained = .by(newValue) }
    }

    var waiting: [Item] {
        get { first.map { [$0] + others } ?? [] }
        set {
            first = newValue.first
            others = Array(newValue.dropFirst())
        }
    }

    /// Reads what ``receive(_:_:at:hasGeneratedID:)`` reads: the waiting push, the beginning of its payload, the number of others, and
    /// the remembered ids, one of each 64 octets. Returns a meaningless number, so that the reads happen.
    @inline(__always)
    func touch() -> UInt64 {
        var sum = UInt64(truncatingIfNeeded: (first?.push.payload.count ?? 0) &+ others.count)
        for place in stride(from: 0, to: recent.elements.count, by: 4) { sum &+= recent.elements[place].low }
        return sum
    }

    /// The date when the next waiting push expires; nil if none waits.
    @inline(__always)
    var nextExpiration: Date? {
        guard case .at(let next) = first?.expiration else { return nil }
        return others.isEmpty ? next : min(next, nextExpirationOfOthers)
    }

    private var nextExpirationOfOthers: Date {
        others.reduce(.distantFuture) { next, item in
            if case .at(let date) = item.expiration { min(next, date) } else { next }
        }
    }

    /// The number of waiting pushes.
    var waitingCount: Int { first == nil ? 0 : 1 + others.count }

    /// Returns the place of a push; nil if it is not here.
    func place(of id: APNSID) -> PushStanding.Place? {
        func end(_ item: Item) -> Date? { if case .at(let date) = item.expiration { date } else { nil } }
        if let item = onTheWay.first(where: { $0.push.id == id }) { return .onTheWay(until: end(item)) }
        return waiting.first { $0.push.id == id }.flatMap(end).map { .waiting(until: $0) }
    }

    /// Returns the expiration of a push in flight; nil if it is not stored. The newest is found first.
    func expiration(onTheWay id: APNSID) -> Date? {
        guard let item = onTheWay.last(where: { $0.push.id == id }), case .at(let date) = item.expiration else {
            return nil
        }
        return date
    }

    /// The apns-ids of the waiting pushes, oldest first.
    package var waitingIDs: [APNSID] { waiting.map(\.push.id) }

    /// The apns-ids of the unacknowledged pushes: those in flight, then those that wait.
    var unacknowledgedIDs: [APNSID] { onTheWay.map(\.push.id) + waitingIDs }

    /// Takes in a push. A repeated apns-id has no effect.
    ///
    /// `hasGeneratedID` means that only the gateway knows the push's apns-id, so it cannot have come before.
    package mutating func receive(
        _ push: MailboxPush,
        _ expiration: Expiration,
        at now: Date,
        hasGeneratedID: Bool = false
    ) -> Effects {
        guard hasGeneratedID || remember(push.id) else { return Effects() }
        let item = Item(push: push, expiration: expiration)
        if item.isOver(at: now) {
            return Effects(.expired(push.id))
        } else if isConnected, isRestrained {
            return receiveRestrained(item, at: now)
        } else if isConnected, first == nil, onTheWay.count < Self.window {
            onTheWay.append(item)
            return Effects(.deliver(push))
        } else if expiration == .atOnce {
            return Effects(.expired(push.id))
        } else {
            return store(item)
        }
    }

    /// Records that the device is connected, and delivers the waiting pushes, oldest first.
    package mutating func connect(at now: Date) -> [Effect] {
        // A device that registers twice on one link already has the pushes in flight.
        isConnected = true
        return expire(at: now) + forward(at: now)
    }

    /// Records that the device is disconnected: unacknowledged pushes wait again.
    package mutating func disconnect(at now: Date) -> [Effect] {
        isConnected = false
        if restraint.isAsleep {
            restraint.isAsleep = false
            restraint.groupEnds = nil
        }
        var effects: [Effect] = []
        var returned: [Item] = []
        for var item in onTheWay {
            if item.expiration == .atOnce {
                effects.append(.expired(item.push.id))
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

    package mutating func acknowledge(_ id: APNSID, at now: Date) -> [Effect] {
        if let place = onTheWay.firstIndex(where: { $0.push.id == id }) {
            onTheWay.remove(at: place)
        } else if let place = waiting.firstIndex(where: { $0.push.id == id }) {
            waiting.remove(at: place)
        } else {
            return []
        }
        return [.delivered(id)] + expire(at: now) + forward(at: now)
    }

    /// Drops expired pushes.
    package mutating func expire(at now: Date) -> [Effect] {
        guard first != nil else { return [] }
        let over = waiting.filter { $0.isOver(at: now) }
        guard !over.isEmpty else { return [] }
        waiting.removeAll { $0.isOver(at: now) }
        return over.map { .expired($0.push.id) }
    }

    // MARK: - On disk

    /// The pushes that have to be stored: all except those with one attempt only.
    var kept: [Kept] {
        func kept(_ item: Item, _ isReturned: Bool) -> Kept? {
            guard case .at(let date) = item.expiration else { return nil }
            return Kept(push: item.push, expiration: date, isReturned: isReturned)
        }
        return onTheWay.compactMap { kept($0, true) } + waiting.compactMap { kept($0, $0.keepsPlace) }
    }

    /// Whether the mailbox remembers having taken in this push.
    func remembers(_ id: APNSID) -> Bool { recent.elements.contains(id) }

    /// The apns-ids that identify a repeat, oldest first.
    var recentIDs: [APNSID] { recent.inOrder }

    /// Restores a stored push behind the existing ones; the device is disconnected.
    mutating func restore(_ kept: Kept, isRemembered: Bool) {
        if isRemembered { _ = remember(kept.push.id) }
        let item = Item(push: kept.push, expiration: .at(kept.expiration), isReturned: kept.isReturned)
        if first == nil { first = item } else { others.append(item) }
    }

    /// Removes a stored push.
    mutating func forget(_ id: APNSID) {
        if first?.push.id == id {
            first = others.isEmpty ? nil : others.removeFirst()
        } else {
            others.removeAll { $0.push.id == id }
        }
    }

    mutating func restoreRecent(_ id: APNSID) { _ = remember(id) }

    // MARK: - Moves

    mutating func forward(at now: Date, wakes: Bool = false) -> [Effect] {
        guard isConnected, first != nil else { return [] }
        if isRestrained { return forwardRestrained(at: now, wakes: wakes) }
        let count = min(waiting.count, Self.window - onTheWay.count)
        guard count > 0 else { return [] }
        let next = waiting.prefix(count)
        waiting.removeFirst(count)
        onTheWay += next
        return next.map { .deliver($0.push) }
    }

    /// Takes in a push for a disconnected device, replacing the only waiting push in place and reusing its memory.
    ///
    /// This is the most common case for such a device. The result is the same as after ``receive(_:_:at:hasGeneratedID:)``.
    ///
    /// - Returns: the push that was replaced; nil if this is another case, and nothing was done.
    mutating func replaceOnly(
        with id: APNSID,
        head: PushHead,
        payload: Span<UInt8>,
        expiration: Expiration,
        at now: Date,
        hasGeneratedID: Bool
    ) -> APNSID? {
        guard case .at(let end) = expiration, end > now, others.isEmpty, !isConnected, let older = first?.push.id else {
            return nil
        }
        // Of two pushes with one head, the newer replaces the older under either policy, unless the older may keep its place.
        let isAlike = first?.push.head === head
        guard
            isAlike && first?.keepsPlace == false
                || isReplaced(first?.push.head.collapseID, first?.keepsPlace == true, by: head.collapseID)
        else { return nil }
        guard hasGeneratedID || remember(id) else { return nil }
        first?.push.id = id
        if !isAlike { first?.push.head = head }
        first?.push.payload.replaceAll(with: payload)
        first?.expiration = expiration
        first?.isReturned = false
        first?.isHeld = false
        return older
    }

    mutating func store(_ item: Item) -> Effects {
        var effects = Effects()
        // The most common case for a disconnected device: no push waits, or one that this push replaces.
        if others.isEmpty, let only = first?.push.id {
            if isReplaced(first?.push.head.collapseID, first?.keepsPlace == true, by: item.push.head.collapseID) {
                effects.append(.coalesced(only))
                first = item
            } else {
                others.append(item)
            }
        } else {
            if first != nil { effects = makeRoom(for: item) }
            if first == nil { first = item } else { others.append(item) }
        }
        effects.append(.stored(item.push.id))
        return effects
    }

    private mutating func makeRoom(for item: Item) -> Effects {
        var effects = Effects()
        var waiting = waiting
        defer { self.waiting = waiting }
        while let place = waiting.firstIndex(where: {
            isReplaced($0.push.head.collapseID, $0.keepsPlace, by: item.push.head.collapseID)
        }) {
            effects.append(.coalesced(waiting.remove(at: place).push.id))
        }
        if waiting.count >= Self.places { effects.append(.coalesced(waiting.removeFirst().push.id)) }
        return effects
    }

    /// Whether a push replaces an older one, which had this collapse id and may keep its place.
    private func isReplaced(_ collapseID: String?, _ keepsPlace: Bool, by newer: String?) -> Bool {
        switch rules.policy {
        case .single: !keepsPlace
        case .placePerCollapseID: collapseID.isSame(as: newer) && (collapseID != nil || !keepsPlace)
        }
    }

    private mutating func keepNewestOfEachCollapseID() -> [Effect] {
        var seen: Set<ExactText> = []
        var kept: [Item] = []
        var effects: [Effect] = []
        for item in waiting.reversed() {
            if let collapseID = item.push.head.collapseID, !seen.insert(ExactText(collapseID)).inserted {
                effects.append(.coalesced(item.push.id))
            } else {
                kept.append(item)
            }
        }
        waiting = kept.reversed()
        return effects.reversed()
    }

    /// - Returns: false if the id is already known.
    private mutating func remember(_ id: APNSID) -> Bool {
        guard !recent.elements.contains(id) else { return false }
        recent.append(id, capacity: Self.remembered)
        return true
    }
}

extension Mailbox {
    /// The effects of taking in a push, in order. Nearly always there are one or two, which need no memory of their own.
    package struct Effects: Hashable, Sendable {
        private var first: Effect?
        private var second: Effect?
        /// The effects after ``second``.
        private var others: [Effect] = []

        init() {}

        init(_ effect: Effect) { first = effect }

        mutating func append(_ effect: Effect) {
            if first == nil {
                first = effect
            } else if second == nil {
                second = effect
            } else {
                others.append(effect)
            }
        }

        mutating func append(contentsOf effects: some Sequence<Effect>) {
            for effect in effects { append(effect) }
        }
    }
}

extension Mailbox.Effects: Sequence {
    package struct Iterator: IteratorProtocol {
        private let effects: Mailbox.Effects
        private var index = 0

        fileprivate init(_ effects: Mailbox.Effects) { self.effects = effects }

        package mutating func next() -> Mailbox.Effect? {
            defer { index += 1 }
            return effects.effect(at: index)
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    fileprivate func effect(at index: Int) -> Mailbox.Effect? {
        switch index {
        case 0: first
        case 1: second
        default: index - 2 < others.count ? others[index - 2] : nil
        }
    }
}
