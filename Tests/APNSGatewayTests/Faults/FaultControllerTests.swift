import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import APNSGateway

/// The order in which a request is decided upon and held, with other calls in between.
@Suite("Faults: held requests", .suiteLimit)
struct FaultControllerTests {
    private static let request = FaultRequest(environment: .development, connection: 1, path: "/3/device/00")

    private func faultController(_ clock: any CivilClock = VirtualClock()) -> FaultController {
        FaultController(clock: clock, seed: 1)
    }

    @Test("A request whose fault is lifted between the decision and the wait goes on at once", arguments: [nil, 30.0])
    func liftedBefore(_ seconds: Double?) {
        let faultController = faultController()
        let wentOn = Counter()
        let fault = faultController.add(Fault(.stall(seconds)), seed: nil)
        let decision = faultController.decide(Self.request)
        #expect(faultController.log(after: 0).map(\.fault) == [fault.id])
        #expect(faultController.lift { $0.id == fault.id } == 1)
        faultController.hold(decision, connection: 1) { wentOn.next() }
        #expect(wentOn.value == 1)
    }

    @Test("A request whose fault ends between the decision and the wait goes on at once", arguments: [true, false])
    func overBefore(isSeenByOthers: Bool) async {
        let clock = VirtualClock()
        let faultController = faultController(clock)
        let wentOn = Counter()
        _ = faultController.add(Fault(.stall(nil), until: 60), seed: nil)
        let decision = faultController.decide(Self.request)
        await clock.advance(by: .seconds(60))
        if isSeenByOthers { #expect(faultController.faults.isEmpty) }
        faultController.hold(decision, connection: 1) { wentOn.next() }
        #expect(wentOn.value == 1)
    }

    @Test("A request whose script is forgotten between the decision and the wait goes on at once")
    func forgottenBefore() {
        let faultController = faultController()
        let wentOn = Counter()
        let script = faultController.run(FaultScript(faults: [Fault(.stall(nil))]))
        let decision = faultController.decide(Self.request)
        #expect(faultController.forget(script: script.id))
        faultController.hold(decision, connection: 1) { wentOn.next() }
        #expect(wentOn.value == 1)
    }

    @Test("A stall for a fixed time holds its last request too, until it is lifted", arguments: [nil, 30.0])
    func lastTurn(_ seconds: Double?) {
        let faultController = faultController()
        let wentOn = Counter()
        let fault = faultController.add(Fault(.stall(seconds), next: 2), seed: nil)
        for _ in 0..<2 { faultController.hold(faultController.decide(Self.request), connection: 1) { wentOn.next() } }
        #expect(!faultController.decide(Self.request).isLater)
        #expect(faultController.faults.map(\.carriedOut) == [2])
        #expect(wentOn.value == 0)
        #expect(faultController.lift { $0.id == fault.id } == 1)
        #expect(wentOn.value == 2)
    }

    @Test("A stall for a fixed time is gone when its last request has gone on, latency included")
    func fixedTime() async {
        let clock = VirtualClock()
        let faultController = faultController(clock)
        let wentOn = Counter()
        _ = faultController.add(Fault(.stall(30), next: 1), seed: nil)
        _ = faultController.add(Fault(.latency(5...5), next: 1), seed: nil)
        faultController.hold(faultController.decide(Self.request), connection: 1) { wentOn.next() }
        await clock.advance(by: .seconds(34))
        #expect(faultController.lift { _ in false } == 0)
        #expect(faultController.faults.count == 1 && wentOn.value == 0)
        await clock.advance(by: .seconds(2))
        #expect(faultController.lift { _ in false } == 0)
        #expect(faultController.faults.isEmpty && wentOn.value == 1)
    }

    @Test("The keeper of held requests wakes in time though the clock moves while it lies down")
    func wakesInTime() async {
        let clock = MovingClock()
        let faultController = faultController(clock)
        _ = faultController.add(Fault(.latency(60...60)), seed: nil)
        faultController.hold(faultController.decide(Self.request), connection: 1) {}
        let end = clock.start.advanced(by: .seconds(60))
        clock.move(by: .seconds(10))
        let deadline = await withTaskGroup(of: Void.self) { group in
            group.addTask { await faultController.run {} }
            let deadline = await clock.firstDeadline()
            group.cancelAll()
            return deadline
        }
        #expect(deadline.map { $0 <= end } == true)
    }

    @Test("The keeper of expirations wakes in time though the clock moves while it lies down")
    func expiresInTime() async throws {
        let clock = MovingClock()
        let world = try World()
        let gateway = Gateway(secret: [UInt8](repeating: 7, count: 32), clock: clock, sink: world.sink)
        let bearer = try world.bearer(gateway.generateKey(id: keyID, team: team))
        gateway.setBundleIDs([bundleID], ofTeam: team)
        let token = gateway.issueToken(topic: bundleID, environment: .development)
        let expiration = String(Int(clock.date.timeIntervalSince1970) + 60)
        let request = world.request(to: token, ["authorization": bearer, "apns-expiration": expiration])
        #expect(gateway.respond(to: request, on: ProviderConnection(environment: .development)).status == 200)
        #expect(gateway.nextExpiration() != nil)
        clock.move(by: .seconds(10))
        await gateway.runExpirations()
        let end = clock.start.advanced(by: .seconds(60))
        #expect(await clock.firstDeadline().map { $0 <= end } == true)
    }
}

/// A clock on which nobody can sleep, and which moves on by a step whenever the date has been read.
private final class MovingClock: CivilClock {
    typealias Instant = VirtualClock.Instant

    private struct State {
        var now: Instant
        var step = Duration.zero
    }

    let start: Instant
    private let calendar = VirtualClock().date
    private let state: Mutex<State>
    private let (deadlines, slept) = AsyncStream.makeStream(of: Instant.self)

    init() {
        start = VirtualClock().now
        state = Mutex(State(now: start))
    }

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .nanoseconds(1) }

    var date: Date {
        state.withLock { state in
            defer { state.now = state.now.advanced(by: state.step) }
            return calendar.addingTimeInterval(start.duration(to: state.now) / .seconds(1))
        }
    }

    func move(by step: Duration) { state.withLock { $0.step = step } }

    /// The deadline of whoever lay down first.
    func firstDeadline() async -> Instant? { await deadlines.first { _ in true } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        slept.yield(deadline)
        throw CancellationError()
    }
}
