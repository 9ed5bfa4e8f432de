import Foundation

/// So many calls in a stretch of time.
struct CallRateLimit: Hashable, Sendable {
    /// Seconds.
    static let length: TimeInterval = 10

    let limit: Int
    private var moments: [Date] = []

    init(limit: Int) { self.limit = limit }

    /// - Returns: false for one too many; it does not count itself.
    mutating func admits(at now: Date) -> Bool {
        moments.removeAll { now.timeIntervalSince($0) >= Self.length }
        guard moments.count < limit else { return false }
        moments.append(now)
        return true
    }
}
