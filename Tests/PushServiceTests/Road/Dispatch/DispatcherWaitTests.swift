import Crypto
import Foundation
import Logging
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// A store with the waiting lanes that a test gives it, which records how often they are read.
private final class ListedLanes: DispatchStore {
    let reads = Recorder<Void>()
    private let lanes: Mutex<[WaitingLane]>

    init(_ lanes: [WaitingLane]) { self.lanes = Mutex(lanes) }

    func set(_ lanes: [WaitingLane]) { self.lanes.withLock { $0 = lanes } }

    func waiting(for owner: LeaseOwner, at now: Date) async throws -> [WaitingLane] {
        defer { reads.add(()) }
        return lanes.withLock(\.self)
    }

    func releaseLeases(of owner: LeaseOwner) async throws {}
    func reclaimLeases(besides owner: LeaseOwner, at now: Date) async throws {}
    func renewLeases(_ claim: LeaseClaim) async throws {}
    func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease? { nil }
    func channelTokens(
        _ key: ChannelKey,
        of ordinals: [DeviceOrdinal],
        app: App.ID,
        _ environment: APNSEnvironment
    ) async throws -> [DeviceOrdinal: DeviceToken] { [:] }
    func attributes(of ordinals: OrdinalList, app: App.ID) async throws -> AttributeValues { AttributeValues() }
    func prepareBadges(_ badges: [BadgeUpdate], app: App.ID) async throws -> [StoredBadge] { [] }
    func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [RegisteredDevice] { [] }
    func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult {
        CheckpointResult()
    }
    func resume(_ destination: Destination) async throws {}
}

@Suite("When the dispatcher reads the waiting lanes", .suiteLimit)
struct DispatcherWaitTests {
    private static let lane = Lane(app: 1, environment: .production, .immediate)
    private static let later = Lane(app: 2, environment: .production, .bulk)

    /// Runs a dispatcher on these lanes; nothing but `service.clock` and the signals of `registry` wake it.
    private func dispatch(
        _ lanes: ListedLanes,
        in service: TestService,
        _ body: (_ registry: LaneRegistry) async throws -> Void
    ) async throws {
        let registry = LaneRegistry(signal: LocalWorkSignal())
        let dispatcher = Dispatcher(
            store: lanes,
            laneRegistry: registry,
            clock: service.clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            worker: service.core.dispatcher.worker
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await dispatcher.run() }
            try await body(registry)
            group.cancelAll()
        }
    }

    @Test("Not while they are paused or due later, until a credential comes or the pause ends")
    func pausedAndLater() async throws {
        try await TestService.run { service in
            let start = service.clock.date
            let waiting = [
                WaitingLane(lane: Self.lane, dueAt: start, pausedUntil: start + 3600),
                WaitingLane(lane: Self.later, dueAt: start + 7200, pausedUntil: nil),
            ]
            let lanes = ListedLanes(waiting)
            try await dispatch(lanes, in: service) { registry in
                try await service.clock.sleeper(for: .seconds(3600))
                await service.clock.advance(by: .seconds(1800))
                #expect(lanes.reads.elements.count == 1)
                let notifier = CredentialChangeNotifier(trials: nil, signal: registry.signal, certificates: nil)
                await notifier.credentialsChanged(of: Self.lane.app)
                try await lanes.reads.wait(for: 2)
                try await service.clock.sleeper(for: .seconds(1800))
                lanes.set([waiting[1]])
                await service.clock.advance(by: .seconds(1800))
                try await lanes.reads.wait(for: 3)
                try await service.clock.sleeper(for: .seconds(3600))
                #expect(lanes.reads.elements.count == 3)
            }
        }
    }

    @Test("At once for a push to a paused lane that would otherwise be read only after the pause")
    func dueAfterThePause() async throws {
        try await TestService.run { service in
            let start = service.clock.date
            let lanes = ListedLanes([WaitingLane(lane: Self.lane, dueAt: start + 7200, pausedUntil: start + 60)])
            try await dispatch(lanes, in: service) { registry in
                try await service.clock.sleeper(for: .seconds(7200))
                lanes.set([WaitingLane(lane: Self.lane, dueAt: start, pausedUntil: start + 60)])
                registry.wake(Self.lane)
                try await lanes.reads.wait(for: 2)
                try await service.clock.sleeper(for: .seconds(60))
                // The end of the pause wakes the dispatcher anyway, so only the push to another app does now.
                registry.wake(Self.lane)
                registry.wake(Lane(app: 2, environment: .production, .immediate))
                try await lanes.reads.wait(for: 3)
                try await service.clock.sleeper(for: .seconds(60))
                #expect(lanes.reads.elements.count == 3)
            }
        }
    }

    @Test("Every second while one that is due has no place")
    func crowded() async throws {
        try await TestService.run { service in
            let start = service.clock.date
            // The lane of the other class is tried first; this one may go only when that has an outcome.
            let lanes = ListedLanes([])
            try await dispatch(lanes, in: service) { registry in
                try await lanes.reads.wait(for: 1)
                _ = registry.begin(Self.lane, isTrial: true, at: start)
                let other = Lane(app: 1, environment: .production, .bulk)
                lanes.set([WaitingLane(lane: other, dueAt: start, pausedUntil: start)])
                registry.signal.raise()
                for second in 1...3 {
                    try await lanes.reads.wait(for: second + 1)
                    try await service.clock.sleeper(for: .seconds(1))
                    await service.clock.advance(by: .seconds(1))
                }
            }
        }
    }

    @Test("A credential that an operator adds is used for the waiting pushes without time passing")
    func credentialAdded() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            try await service.clock.sleeper(for: .seconds(60))
            service.sender.answer { _ in SendOutcome(.sent) }
            let parameters: JSONObject = [
                "app": .string(service.app.key.text), "key_id": "ABCDE12345", "team_id": "TEAM123456",
                "p8": .string(P256.Signing.PrivateKey().pemRepresentation),
            ]
            _ = try await service.core.operators.perform("credential.add", JSONValue.object(parameters).bytes)
            try await service.waitForSent(1)
        }
    }
}
