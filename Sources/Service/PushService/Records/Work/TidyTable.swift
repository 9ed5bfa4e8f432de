/// Values by keys that others choose; those that no longer matter make room when there are many.
package struct TidyTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package var values: [Key: Value] = [:]
    /// The number of values above which it is tidied next.
    private var limit: Int
    private let least: Int

    package init(above least: Int) {
        limit = least
        self.least = least
    }

    /// Removes the values that are over, if there are many. Each removal costs a look at all, so the next one waits for twice as many.
    package mutating func tidy(_ isOver: (Key, Value) -> Bool) {
        guard values.count > limit else { return }
        values = values.filter { !isOver($0.key, $0.value) }
        limit = max(least, values.count * 2)
    }
}
