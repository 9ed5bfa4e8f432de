/// A first-in, first-out queue of waiting callers. Entries that have left are skipped.
struct WaitingLine<Entry: Sendable>: Sendable {
    private var entries: [UInt64: Entry] = [:]
    private var tickets: [UInt64] = []
    private var next = 0

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ ticket: UInt64, _ entry: Entry) {
        entries[ticket] = entry
        tickets.append(ticket)
    }

    mutating func popFirst() -> Entry? {
        while next < tickets.count {
            let ticket = tickets[next]
            next += 1
            if next >= 1024, next * 2 >= tickets.count {
                tickets.removeFirst(next)
                next = 0
            }
            if let entry = entries.removeValue(forKey: ticket) { return entry }
        }
        tickets.removeAll(keepingCapacity: true)
        next = 0
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
