package import Foundation
import PushClock
import Synchronization

/// The time that decides expiry: of pushes, devices and times to live, and when schedules fire.
///
/// It is the machine's clock, unless that has jumped ahead (``ClockJumpDetector``): then it continues at the pace of elapsed time.
/// The latest trusted time is stored, so a jump while the service is down is detected as well.
package final class TrustedTime: Sendable {
    private static let key = "clock.trusted"

    private let store: any KeyValueStore
    private let clock: any CivilClock
    private let elapsed: @Sendable () -> Duration
    private let judge: Mutex<ClockJumpDetector>

    /// Creates the trusted time; `believesClock` trusts the clock as it is, whatever was trusted before.
    init(store: any KeyValueStore, clock: any CivilClock, believesClock: Bool) async throws {
        let stored = believesClock ? nil : try await store.value(Self.key)
        self.store = store
        self.clock = clock
        elapsed = clock.stopwatch()
        judge = Mutex(ClockJumpDetector(trusted: stored.flatMap(Self.date), date: clock.date))
    }

    package var date: Date { judge.withLock { $0.believable(clock.date, at: elapsed()) } }

    /// Compares the clock with the time that has passed.
    func look() -> ClockJumpDetector.Finding? { judge.withLock { $0.look(clock.date, at: elapsed()) } }

    /// Stores the latest trusted time.
    func save() async throws {
        let trusted = judge.withLock(\.trusted)
        try await store.setValue(Array("\(Int64(trusted.timeIntervalSince1970))".utf8), for: Self.key)
    }

    private static func date(_ stored: [UInt8]) -> Date? {
        Int64(String(decoding: stored, as: UTF8.self)).map { Date(timeIntervalSince1970: Double($0)) }
    }
}
