import Foundation
import PushModel
import Synchronization
import Testing

@testable import PushService

/// Counts how often it was raised.
private final class CountingSignal: WorkSignal {
    private let count = Mutex(0)
    var raised: Int { count.withLock { $0 } }
    func raise() { count.withLock { $0 += 1 } }
    func wait() async {}
}

@Suite("What wakes the dispatcher")
struct LaneBoardTests {
    private static let now = Date(timeIntervalSince1970: 1_767_254_400)
    private static let lane = Lane(app: 1, environment: .production)
    private static let other = Lane(app: 1, environment: .development)

    @Test("A push to a lane that is busy or paused wakes nobody; the end of the delivery does")
    func quietLanes() {
        let signal = CountingSignal()
        let board = LaneBoard(signal: signal)
        board.accepted(in: Self.lane)
        #expect(signal.raised == 1)
        board.begin(Self.lane)
        #expect(board.busy == [Self.lane])
        board.accepted(in: Self.lane)
        #expect(signal.raised == 1)
        board.accepted(in: Self.other)
        #expect(signal.raised == 2)
        board.end(Self.lane)
        #expect(board.busy.isEmpty)
        #expect(signal.raised == 3)
        board.accepted(in: Self.lane)
        #expect(signal.raised == 4)
    }

    @Test("Paused is what was so at the last look, not what only waits for its time")
    func pausedLanes() {
        let signal = CountingSignal()
        let board = LaneBoard(signal: signal)
        func waiting(_ lane: Lane, pausedFor seconds: TimeInterval?) -> WaitingLane {
            WaitingLane(
                lane: lane,
                dueAt: Self.now.addingTimeInterval(500),
                pausedUntil: seconds.map { Self.now.addingTimeInterval($0) }
            )
        }
        board.paused(in: [waiting(Self.lane, pausedFor: 60), waiting(Self.other, pausedFor: nil)], at: Self.now)
        board.accepted(in: Self.lane)
        #expect(signal.raised == 0)
        board.accepted(in: Self.other)
        #expect(signal.raised == 1, "What waits there is due later; this push is due now.")
        board.paused(in: [waiting(Self.lane, pausedFor: -1)], at: Self.now)
        board.accepted(in: Self.lane)
        #expect(signal.raised == 2, "The pause is over.")
    }
}
