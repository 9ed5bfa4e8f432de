import Foundation
import PushModel
import Synchronization

/// The earliest date of the next push of each message with a send rate. A restart clears them.
final class SendRates: Sendable {
    private let next = Mutex<[MessageID: Date]>([:])

    /// Returns the date when a message may send again; nil if it may send now.
    func wait(of message: MessageID, at now: Date) -> Date? {
        next.withLock { next in
            guard let date = next[message] else { return nil }
            // A clock that was set back must not delay a message: no step takes longer than this.
            if date > now, date.timeIntervalSince(now) <= Self.longestRest { return date }
            next[message] = nil
            return nil
        }
    }

    /// Records that a message begins to send to a number of devices.
    ///
    /// - Returns: the date when it may send again.
    func add(_ devices: Int, to message: MessageID, rate: Int64, at now: Date) -> Date {
        let end = now.addingTimeInterval(Double(devices) / Double(rate))
        next.withLock { next in
            if next.count >= 1000 { next = next.filter { $0.value > now } }
            next[message] = end
        }
        return end
    }

    /// Returns the number of devices sent together at a rate: at most one second's worth, so that the rate holds in every second.
    static func step(_ rate: Int64) -> Int { Int(min(rate, Int64(LanePlan.stepSize))) }

    private static let longestRest: TimeInterval = 1.5
}
