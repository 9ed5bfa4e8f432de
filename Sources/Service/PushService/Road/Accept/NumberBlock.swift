import PushClock
import Synchronization

/// Numbers that are taken one after the other from a block, which comes from the store.
///
/// One call at a time fetches a block, and the others wait for it: otherwise all blocks but one would be lost.
package final class NumberBlock: Sendable {
    private let numbers = Mutex<Range<Int64>>(0..<0)
    /// Held while a block is fetched.
    private let fetching = AsyncMutex()

    package init() {}

    /// Takes consecutive numbers and returns the first; nil if the block has too few.
    package func takeAtOnce(_ count: Int64) -> Int64? {
        numbers.withLock { numbers in
            let first = numbers.lowerBound
            guard numbers.upperBound - first >= count else { return nil }
            numbers = first + count..<numbers.upperBound
            return first
        }
    }

    /// Takes consecutive numbers and returns the first. If the block has too few, `fetch` gets the next one, and the rest stays unused.
    package func take(_ count: Int64, fetch: () async throws -> Range<Int64>) async throws -> Int64 {
        while true {
            if let first = takeAtOnce(count) { return first }
            try await fetching.withLock {
                // Another call may have fetched one meanwhile.
                guard numbers.withLock({ $0.count < count }) else { return }
                let next = try await fetch()
                numbers.withLock { $0 = next }
            }
        }
    }
}
