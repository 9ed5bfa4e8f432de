import NIOCore

/// A first-in, first-out queue of waiting callers. Entries that have left are skipped.
struct WaitingLine<Entry: Sendable>: Sendable {
    private var entries: [UInt64: Entry] = [:]
    private var tickets = CircularBuffer<UInt64>()

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ ticket: UInt64, _ entry: Entry) {
        entries[ticket] = entry
        tickets.append(ticket)
    }

    mutating func popFirst() -> Entry? {
        while let ticket = tickets.popFirst() {
            if let entry = entries.removeValue(forKey: ticket) { return entry }
        }
        return nil
    }

    mutating func remove(_ ticket: UInt64) -> Entry? { entries.removeValue(forKey: ticket) }

    /// Removes and returns all matching entries.
    mutating func removeAll(where fits: (Entry) -> Bool) -> [Entry] {
        let found = entries.filter { fits($0.value) }
        for ticket in found.keys { entries[ticket] = nil }
        return Array(found.values)
    }

    func min(of moment: (Entry) -> Duration?) -> Duration? { entries.values.lazy.compactMap(moment).min() }
}

/// A caller that waits for the outcome of a push.
///
/// It omits the checks of a checked continuation, which cost a tenth of a push: a waiter is in the queue or in a slot, and
/// both return it once (``PushSlots/remove(_:)``, ``WaitingLine``).
@safe
struct Waiter: Sendable {
    private let continuation: UnsafeContinuation<PushEnding, Never>

    func resume(_ ending: PushEnding) { unsafe continuation.resume(returning: ending) }

    /// Waits for ``resume(_:)``, which must be called exactly once.
    nonisolated(nonsending) static func ending(_ enter: (Waiter) -> Void) async -> PushEnding {
        unsafe await withUnsafeContinuation { unsafe enter(Waiter(continuation: $0)) }
    }

    private init(continuation: UnsafeContinuation<PushEnding, Never>) { unsafe self.continuation = continuation }
}
