package import Foundation
import PushModel

/// The largest rate of pushes for one device token, counted in intervals that begin with a push. The rule is our choice.
package struct PushPace: Hashable, Sendable {
    package var pushes: Int
    /// The length of an interval in seconds.
    package var interval: TimeInterval
}

/// The recent pushes, by the token's index.
struct PushPaceRecord: Sendable {
    private struct Count {
        var begin: Date
        var pushes = 0
    }

    /// The size beyond which ended intervals are removed.
    private static let sweepSize = 65_536

    let pace: PushPace
    private var counts: [Int: Count] = [:]

    init(_ pace: PushPace) { self.pace = pace }

    /// Counts a push, unless it exceeds the limit.
    mutating func admit(_ index: Int, at now: Date) -> Bool {
        if counts.count >= Self.sweepSize { counts = counts.filter { !isOver($0.value, now) } }
        var count = counts[index] ?? Count(begin: now)
        if isOver(count, now) { count = Count(begin: now) }
        guard count.pushes < pace.pushes else { return false }
        count.pushes += 1
        counts[index] = count
        return true
    }

    private func isOver(_ count: Count, _ now: Date) -> Bool { count.begin.isOver(after: pace.interval, at: now) }
}
