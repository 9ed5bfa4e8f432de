import Foundation
import PushModel
import Synchronization

/// When the next push of a message with a send rate may leave. After a restart all of them begin anew.
final class SendRates: Sendable {
    private let next = Mutex<[MessageID: Date]>([:])

    /// When the message may send again; nil for at once.
    func wait(of message: MessageID, at now: Date) -> Date? {
        next.withLock { next in
            guard let date = next[message] else { return nil }
            // A clock that was turned back holds nothing up: no step takes longer than this.
            if date > now, date.timeIntervalSince(now) <= Self.longestRest { return date }
            next[message] = nil
            return nil
        }
    }

    /// A message begins to send to so many devices.
    ///
    /// - Returns: when it may send again.
    func add(_ devices: Int, to message: MessageID, rate: Int64, at now: Date) -> Date {
        let end = now.addingTimeInterval(Double(devices) / Double(rate))
        next.withLock { next in
            if next.count >= 1000 { next = next.filter { $0.value > now } }
            next[message] = end
        }
        return end
    }

    /// Devices that go together at a rate: those of a second at most, so that the rate holds within each.
    static func step(_ rate: Int64) -> Int { Int(min(rate, Int64(LanePlan.stepSize))) }

    private static let longestRest: TimeInterval = 1.5
}
