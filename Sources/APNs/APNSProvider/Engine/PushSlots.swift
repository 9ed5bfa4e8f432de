import PushModel

/// The pushes in flight, in a flat array of reusable slots.
struct PushSlots<Waiter: Sendable>: Sendable {
    enum Stage: Hashable, Sendable {
        case free
        /// There is no connection.
        case parked
        /// The push was handed to a connection.
        case sent
        /// The push will be retried after a pause.
        case pausing
    }

    struct Slot: Sendable {
        var stage: Stage = .free
        /// The number of the attempt, so that late results of an earlier one are recognised.
        fileprivate var round: UInt32 = 0
        fileprivate(set) var ticket: UInt64 = 0
        /// The connection of the attempt, and the number of the provider token.
        var connection = 0
        var tokenNumber: Int32 = 0
        var sentAt = Duration.zero
        /// The time when the push needs attention.
        var moment = Duration.zero
        var attempts: Attempts
        fileprivate(set) var push: APNSPush?
        fileprivate var waiter: Waiter?
    }

    private var slots: [Slot] = []
    private var free: [Int32] = []
    private let limit: Int
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    var hasRoom: Bool { count < limit }
    var indices: Range<Int> { slots.indices }

    subscript(index: Int) -> Slot {
        _read { yield slots[index] }
        _modify { yield &slots[index] }
    }

    /// Adds a push; there must be room.
    mutating func insert(_ push: APNSPush, ticket: UInt64, attempts: Attempts, waiter: Waiter) -> Int {
        count += 1
        let index = free.popLast().map { Int($0) } ?? slots.count
        if index == slots.count { slots.append(Slot(attempts: attempts)) }
        slots[index].stage = .parked
        slots[index].ticket = ticket
        slots[index].attempts = attempts
        slots[index].push = push
        slots[index].waiter = waiter
        return index
    }

    /// Frees the slot and returns the waiter for the outcome.
    mutating func remove(_ index: Int) -> Waiter? {
        guard slots[index].stage != .free else { return nil }
        count -= 1
        slots[index].stage = .free
        slots[index].push = nil
        free.append(Int32(truncatingIfNeeded: index))
        return slots[index].waiter.take()
    }

    /// Begins another attempt and returns its tag.
    mutating func beginAttempt(_ index: Int) -> UInt64 {
        slots[index].round = (slots[index].round + 1) & 0x3FFF_FFFF
        return tag(index)
    }

    /// The tag of the current attempt.
    func tag(_ index: Int) -> UInt64 { Self.bit | UInt64(slots[index].round) << 32 | UInt64(index) }

    /// Returns the index of the slot whose current attempt has the tag; nil if there is none any more.
    func index(of tag: UInt64, in stage: Stage = .sent) -> Int? {
        let index = Int(tag & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].stage == stage, self.tag(index) == tag else { return nil }
        return index
    }

    /// The next time when a push needs attention.
    var earliest: Duration? { slots.lazy.filter { $0.stage != .free }.map(\.moment).min() }

    /// Returns the slot of a caller.
    func index(ofTicket ticket: UInt64) -> Int? { slots.firstIndex { $0.ticket == ticket && $0.stage != .free } }

    /// The bit that is set in the tags of attempts; batches do not set it.
    static var bit: UInt64 { 1 << 62 }
}
