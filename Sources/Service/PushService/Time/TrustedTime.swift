package import Foundation
import PushClock
import Synchronization

/// The time by which things end: pushes and devices are deleted, times to live run out, schedules fire.
///
/// It is the machine's clock, unless that has jumped ahead (``ClockJumpDetector``): then it goes on at the pace at which time passes. The
/// latest time that was believed lies in the store, so a jump while the service is down is seen as well.
package final class TrustedTime: Sendable {
    private static let key = "clock.trusted"

    private let store: any PushStore
    private let clock: any CivilClock
    private let elapsed: @Sendable () -> Duration
    private let judge: Mutex<ClockJumpDetector>

    /// - `believesClock`: takes the clock as it is, whatever was believed before.
    init(store: any PushStore, clock: any CivilClock, believesClock: Bool) async throws {
        let stored = believesClock ? nil : try await store.value(Self.key)
        self.store = store
        self.clock = clock
        elapsed = clock.stopwatch()
        judge = Mutex(ClockJumpDetector(trusted: stored.flatMap(Self.date), date: clock.date))
    }

    package var date: Date { judge.withLock { $0.believable(clock.date, at: elapsed()) } }

    /// Compares the clock with the time that has passed.
    func look() -> ClockJumpDetector.Finding? { judge.withLock { $0.look(clock.date, at: elapsed()) } }

    /// Writes down the latest time that was believed.
    func keep() async throws {
        let trusted = judge.withLock(\.trusted)
        try await store.setValue(Array("\(Int64(trusted.timeIntervalSince1970))".utf8), for: Self.key)
    }

    private static func date(_ stored: [UInt8]) -> Date? {
        Int64(String(decoding: stored, as: UTF8.self)).map { Date(timeIntervalSince1970: Double($0)) }
    }
}
