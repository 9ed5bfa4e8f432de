import Foundation
import Synchronization

/// The number of pushes that the service sends in a second when it has many to send, from its steps since it started.
final class SendPace: Sendable {
    /// Steps without a rest between them.
    private struct Run {
        var start: Date
        var end: Date
        var devices = 0
    }

    private struct State {
        var run: Run?
        var perSecond: Double?
    }

    /// The devices of a run from which on it says something.
    private static let enough = 2000
    /// The rest that ends a run, in seconds.
    private static let rest: TimeInterval = 1

    private let state = Mutex(State())

    /// The pushes per second of the last run of many steps; nil if there was none.
    var perSecond: Double? { state.withLock(\.perSecond) }

    /// Notes a step whose pushes were answered.
    func note(_ devices: Int, from start: Date, to end: Date) {
        state.withLock { state in
            var run = state.run ?? Run(start: start, end: start)
            if start.timeIntervalSince(run.end) > Self.rest || end < run.start { run = Run(start: start, end: end) }
            run.end = max(run.end, end)
            run.devices += devices
            state.run = run
            let seconds = run.end.timeIntervalSince(run.start)
            if run.devices >= Self.enough, seconds > 0 { state.perSecond = Double(run.devices) / seconds }
        }
    }
}
