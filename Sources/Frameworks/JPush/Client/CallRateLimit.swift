import Foundation
import PushModel

/// A limit on the number of calls per interval.
struct CallRateLimit: Hashable, Sendable {
    /// The interval in seconds.
    static let length: TimeInterval = 10

    let limit: Int
    private var moments: [Date] = []

    init(limit: Int) { self.limit = limit }

    /// - Returns: false if the call exceeds the limit; such a call does not count.
    mutating func admits(at now: Date) -> Bool {
        moments.removeAll { $0.isOver(after: Self.length, at: now) }
        guard moments.count < limit else { return false }
        moments.append(now)
        return true
    }
}
