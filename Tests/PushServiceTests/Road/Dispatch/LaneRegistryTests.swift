import Foundation
import PushModel
import Synchronization
import Testing

@testable import PushService

/// Counts how often it was raised.
private final class CountingSignal: WorkSignal {
    private let count = Mutex(0)
    var lookInterval: Duration? { nil }
    var raised: Int { count.withLock { $0 } }
    func raise() { count.withLock { $0 += 1 } }
    func wait() async {}
}

@Suite("Which lanes are put to work")
struct LaneRegistryTests {
    private static let now = Date(timeIntervalSince1970: 1_767_254_400)
    private static let lane = Lane(app: 1, environment: .production, .immediate)
    private static let other = Lane(app: 1, environment: .development, .immediate)

    private func after(_ seconds: TimeInterval) -> Date { Self.now.addingTimeInterval(seconds) }

    private func waiting(_ lane: Lane, due: TimeInterval = -1, pausedFor seconds: TimeInterval? = nil) -> WaitingLane {
        WaitingLane(lane: lane, dueAt: after(due), pausedUntil: seconds.map(after))
    }

    @Test("A push to a lane at work tells its worker and wakes nobody else; the end of the work does")
    func busyLane() async {
        let signal = CountingSignal()
        let laneRegistry = LaneRegistry(signal: signal)
        laneRegistry.wake(Self.lane)
        #expect(signal.raised == 1)
        let wakeUp = laneRegistry.begin(Self.lane, isTrial: false, at: Self.now)
        #expect(laneRegistry.isBusy(Self.lane))
        laneRegistry.wake(Self.lane)
        #expect(signal.raised == 1)
        await wakeUp.wait()
        laneRegistry.wake(Self.other)
        #expect(signal.raised == 2)
        laneRegistry.end(Self.lane, rests: false, at: Self.now)
        #expect(!laneRegistry.isBusy(Self.lane))
        #expect(signal.raised == 3)
    }

    @Test("A lane in which other nodes leave nothing rests for a second, unless they end")
    func sharedLane() {
        let laneRegistry = LaneRegistry(signal: CountingSignal())
        func assigned(_ isShared: Bool, after seconds: TimeInterval) -> [Lane] {
            var waiting = waiting(Self.lane)
            waiting.isShared = isShared
            return laneRegistry.assign([waiting], since: after(-1), at: after(seconds)).map(\.lane)
        }
        _ = laneRegistry.begin(Self.lane, isTrial: false, at: Self.now)
        laneRegistry.end(Self.lane, rests: true, at: Self.now)
        #expect(assigned(true, after: 0.5) == [])
        #expect(assigned(false, after: 0.5) == [Self.lane])
        #expect(assigned(true, after: 1) == [Self.lane])
    }

    @Test("Paused is what was so at the last look, not what only waits for its time")
    func pausedLanes() {
        let signal = CountingSignal()
        let laneRegistry = LaneRegistry(signal: signal)
        laneRegistry.setPaused(
            [waiting(Self.lane, due: 50, pausedFor: 60), waiting(Self.other, due: 500)],
            at: Self.now
        )
        laneRegistry.wake(Self.lane)
        #expect(signal.raised == 0)
        laneRegistry.wake(Self.other)
        #expect(signal.raised == 1, "What waits there is due later; this push is due now.")
        laneRegistry.setPaused([waiting(Self.lane, pausedFor: -1)], at: Self.now)
        laneRegistry.wake(Self.lane)
        #expect(signal.raised == 2, "The pause is over.")
        laneRegistry.setPaused([waiting(Self.lane, due: 500, pausedFor: 60)], at: Self.now)
        laneRegistry.wake(Self.lane)
        #expect(signal.raised == 3, "The dispatcher would sleep until long after the pause.")
    }

    @Test("A push that falls due in a lane at work is reported to its worker, once")
    func dueAtWork() async {
        let laneRegistry = LaneRegistry(signal: CountingSignal())
        let wakeUp = laneRegistry.begin(Self.lane, isTrial: false, at: Self.now)
        #expect(laneRegistry.assign([waiting(Self.lane, due: 1)], since: Self.now, at: after(1)).isEmpty)
        await wakeUp.wait()
        #expect(laneRegistry.assign([waiting(Self.lane, due: 1)], since: after(1), at: after(2)).isEmpty)
        let waiting = Task { await wakeUp.wait() }
        waiting.cancel()
        await waiting.value
    }

    @Test("Only what is due begins; after a pause one lane of the two classes tries")
    func dueAndTrial() {
        let laneRegistry = LaneRegistry(signal: CountingSignal())
        let bulk = Lane(app: 1, environment: .production, .bulk)
        let chosen = laneRegistry.assign(
            [waiting(Self.lane, pausedFor: -1), waiting(bulk, pausedFor: -1), waiting(Self.other, due: 5)],
            since: .distantPast,
            at: Self.now
        )
        #expect(chosen.map(\.lane) == [Self.lane])
        _ = laneRegistry.begin(Self.lane, isTrial: true, at: Self.now)
        #expect(laneRegistry.assign([waiting(bulk, pausedFor: -1)], since: Self.now, at: Self.now).isEmpty)
        laneRegistry.progressed(Self.lane, devices: 1, at: Self.now)
        #expect(
            laneRegistry.assign([waiting(bulk, pausedFor: -1)], since: Self.now, at: Self.now).map(\.lane) == [bulk]
        )
    }

    @Test("Lanes without an outcome for a second give their places to others; the classes have places of their own")
    func places() {
        let laneRegistry = LaneRegistry(signal: CountingSignal())
        let lanes = (0..<40).map { Lane(app: App.ID($0 + 1), environment: .production, .bulk) }
        let all = lanes.map { waiting($0) }
        let first = laneRegistry.assign(all, since: .distantPast, at: Self.now).map(\.lane)
        #expect(first.count == LaneRegistry.slots)
        #expect(laneRegistry.isCrowded)
        for lane in first { _ = laneRegistry.begin(lane, isTrial: false, at: Self.now) }
        #expect(laneRegistry.assign(all, since: Self.now, at: after(0.5)).isEmpty)
        #expect(
            laneRegistry.assign(all + [waiting(Self.lane)], since: Self.now, at: after(0.5)).map(\.lane) == [Self.lane]
        )
        laneRegistry.progressed(first[0], devices: 500, at: after(0.9))
        let later = laneRegistry.assign(all, since: Self.now, at: after(1)).map(\.lane)
        #expect(later.count == LaneRegistry.slots - 1, "All but the one that got answers have given way.")
        #expect(Set(later).isDisjoint(with: first))
    }

    @Test("The turn goes to the lane that has sent to the fewest devices, whatever the age of what waits")
    func turns() {
        var turns = LaneTurns()
        let lanes = (1...3).map { Lane(app: App.ID($0), environment: .production, .bulk) }
        let all = lanes.map { waiting($0, due: -Double($0.app) * 1000) }
        turns.update(lanes: Set(lanes[..<2]))
        turns.add(4000, to: lanes[0])
        turns.add(1000, to: lanes[1])
        // One that comes later neither has saved up turns nor is behind.
        turns.update(lanes: Set(lanes))
        turns.add(1, to: lanes[2])
        #expect(turns.order(all).map(\.lane) == [lanes[1], lanes[2], lanes[0]])
        // A lane that had nothing to do begins where the least of the others stands.
        turns.update(lanes: Set(lanes[1...]))
        turns.add(9000, to: lanes[1])
        turns.add(8000, to: lanes[2])
        turns.update(lanes: Set(lanes))
        #expect(turns.order(all).map(\.lane).last == lanes[1])
    }
}
