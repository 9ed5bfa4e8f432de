import PushModel

/// The pushes on their way, in a flat array of places that are used again and again.
struct PushSlots<Waiter> {
    enum Stage: Hashable {
        case free
        /// There is no connection.
        case parked
        /// Handed to a connection.
        case sent
        /// To be tried again after a pause.
        case pausing
    }

    struct Slot {
        var stage: Stage = .free
        /// Goes up with each attempt, so that what an earlier one still brings is told apart.
        fileprivate var round: UInt32 = 0
        fileprivate(set) var ticket: UInt64 = 0
        /// The connection it was sent over, and the number of the provider token.
        var connection = 0
        var tokenNumber: Int32 = 0
        var sentAt = Duration.zero
        /// When it has to be looked at.
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

    /// Takes a place in; there must be room.
    mutating func insert(_ push: APNSPush, _ ticket: UInt64, _ attempts: Attempts, _ waiter: Waiter) -> Int {
        count += 1
        guard let index = free.popLast().map({ Int($0) }) else {
            var slot = Slot(attempts: attempts)
            slot.stage = .parked
            slot.ticket = ticket
            slot.push = push
            slot.waiter = waiter
            slots.append(slot)
            return slots.count - 1
        }
        slots[index].stage = .parked
        slots[index].ticket = ticket
        slots[index].attempts = attempts
        slots[index].push = push
        slots[index].waiter = waiter
        return index
    }

    /// Frees the place and hands out who waits for the outcome.
    mutating func remove(_ index: Int) -> Waiter? {
        guard slots[index].stage != .free else { return nil }
        count -= 1
        slots[index].stage = .free
        slots[index].push = nil
        free.append(Int32(truncatingIfNeeded: index))
        return slots[index].waiter.take()
    }

    /// Begins another attempt and names it.
    mutating func beginAttempt(_ index: Int) -> UInt64 {
        slots[index].round = (slots[index].round + 1) & 0x3FFF_FFFF
        return tag(index)
    }

    /// Names the present attempt.
    func tag(_ index: Int) -> UInt64 { Self.bit | UInt64(slots[index].round) << 32 | UInt64(index) }

    /// The place whose present attempt has that name; nil if there is none any more.
    func index(of tag: UInt64, in stage: Stage = .sent) -> Int? {
        let index = Int(tag & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].stage == stage, self.tag(index) == tag else { return nil }
        return index
    }

    /// The next moment at which somebody has to be looked at.
    var earliest: Duration? { slots.lazy.filter { $0.stage != .free }.map(\.moment).min() }

    /// The place of a caller.
    func index(ofTicket ticket: UInt64) -> Int? {
        slots.firstIndex { $0.ticket == ticket && $0.stage != .free }
    }

    /// Set in the names of attempts; batches leave it out.
    static var bit: UInt64 { 1 << 62 }
}
