import Foundation
import Logging
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// The machine's clock is set while the service runs.
@Suite("A clock that jumps", .suiteLimit)
struct ClockJumpTests {
    private static let year = Duration.seconds(365 * 86_400)
    private static let day = Duration.seconds(86_400)

    private static func run(
        in folder: URL,
        _ clock: SetClock,
        _ sender: ScriptedSender = ScriptedSender(),
        believesClock: Bool = false,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (TestService) async throws -> Void
    ) async throws {
        try await TestService.run(
            in: folder,
            clock: clock.virtual,
            set: clock,
            sender: sender,
            logger: logger,
            settings: { $0.believesClock = believesClock },
            body
        )
    }

    @Test("Ahead by a year nothing is deleted, nobody is left out of an audience, a cid still counts, and it says so")
    func aheadDeletesNothing() async throws {
        let clock = SetClock()
        let warnings = Recorder<String>()
        try await withTemporaryFolder { folder in
            let logger = Logger(label: "test") { _ in WarningRecorder(warnings: warnings) }
            try await Self.run(in: folder, clock, logger: logger) { service in
                let device = try await service.addDevice { $0.alias = "bob" }
                let cid = "\(service.app.key)-\(UUID().uuidString)"
                let first = try await service.push(pushBody(cid: cid))
                try await service.waitForSent(1)
                let trigger = "{\"single\":{\"time\":\"2026-06-01 12:00:00\"}}"
                let schedule = try await service.core.schedules.create(
                    Array("{\"name\":\"a\",\"enabled\":true,\"trigger\":\(trigger),\"push\":\(pushBody())}".utf8),
                    for: service.app
                )
                await service.core.clockWatch.look()
                clock.set(by: Self.year)
                await service.core.clockWatch.look()
                #expect(warnings.elements.count { $0.hasPrefix("The machine's clock has jumped ahead") } == 1)
                await service.core.housekeeper.tidy()
                #expect(try await service.store.agingMessages(after: MessageID(0), limit: 9).count == 1)
                #expect(service.core.registry.device(service.registrationID(device), of: service.app.id) != nil)
                #expect(try await service.push(pushBody(cid: cid)).messageID == first.messageID)
                _ = try await service.push(pushBody(audience: "{\"alias\":[\"bob\"]}"))
                try await service.waitForSent(2)
                // Neither fired nor missed: half a year is not over.
                let record = try await service.core.schedules.schedule(schedule.id.uuidString, of: service.app.id)
                #expect(record.dueAt != nil)
                #expect(try await service.store.firings(of: schedule.id).isEmpty)
                // Back again, all is as it was.
                clock.set(by: .zero - Self.year)
                await service.core.clockWatch.look()
                await service.core.housekeeper.tidy()
                #expect(try await service.store.agingMessages(after: MessageID(0), limit: 9).count == 2)
            }
        }
    }

    @Test("Ahead by a year, what waits is sent and not called expired")
    func aheadExpiresNothing() async throws {
        let clock = SetClock()
        let sender = ScriptedSender { _ in SendOutcome(.unreachable("no route")) }
        try await withTemporaryFolder { folder in
            try await Self.run(in: folder, clock, sender) { service in
                try await service.addDevice()
                await service.core.clockWatch.look()
                _ = try await service.push(pushBody())
                try await service.waitFor(1) { if case .retried = $0 { true } else { false } }
                try await service.untilAsleep()
                clock.set(by: Self.year)
                sender.answer { _ in SendOutcome(.sent) }
                await clock.virtual.advance(by: .seconds(2))
                try await service.waitForSent(1)
            }
        }
    }

    @Test("Ahead by a year while the service is down nothing is deleted, until a person says that the clock is right")
    func aheadWhileDown() async throws {
        let clock = SetClock()
        try await withTemporaryFolder { folder in
            try await Self.run(in: folder, clock) { service in
                try await service.addDevice()
                _ = try await service.push(pushBody())
                try await service.waitForSent(1)
                await service.core.housekeeper.tidy()
            }
            clock.set(by: Self.year)
            func left(believesClock: Bool) async throws -> Int {
                let count = Mutex(0)
                try await Self.run(in: folder, clock, believesClock: believesClock) { service in
                    await service.core.housekeeper.tidy()
                    let messages = try await service.store.agingMessages(after: MessageID(0), limit: 9)
                    count.withLock { $0 = messages.count }
                }
                return count.withLock(\.self)
            }
            #expect(try await left(believesClock: false) == 1)
            #expect(try await left(believesClock: true) == 0)
        }
    }

    @Test("Back by a day what waits goes out within its back-off, a pause ends in time, nothing is sent twice")
    func backHoldsUpNothing() async throws {
        let clock = SetClock()
        let sender = ScriptedSender { _ in SendOutcome(.unreachable("no route")) }
        try await withTemporaryFolder { folder in
            try await Self.run(in: folder, clock, sender) { service in
                try await service.addDevice()
                await service.core.clockWatch.look()
                _ = try await service.push(pushBody())
                try await service.waitFor(1) { if case .retried = $0 { true } else { false } }
                try await service.store.pause(
                    service.app.id,
                    .production,
                    Pause(reason: .noCredential, detail: "none", until: clock.date.addingTimeInterval(60))
                )
                try await service.untilAsleep()
                clock.set(by: .zero - Self.day)
                await service.core.clockWatch.look()
                sender.answer { _ in SendOutcome(.sent) }
                // One second of back-off, a minute of pause.
                await clock.virtual.advance(by: .seconds(62))
                try await service.waitForSent(1)
                // What comes from now on is due at once.
                _ = try await service.push(pushBody())
                try await service.waitForSent(2)
                await clock.virtual.advance(by: Self.day * 2)
                #expect(service.seen.elements.count { $0.kind == .sent } == 2)
            }
        }
    }

    @Test("Back by a day, a push that nobody has taken up yet does not wait for the day to pass")
    func backWithUnstartedPush() async throws {
        let clock = SetClock()
        try await withTemporaryFolder { folder in
            try await Self.run(in: folder, clock) { service in
                let device = try await service.addDevice()
                await service.core.clockWatch.look()
                try await service.store.pause(
                    service.app.id,
                    .production,
                    Pause(reason: .noCredential, detail: "none", until: clock.date.addingTimeInterval(60))
                )
                let push = try await service.push(pushBody())
                clock.set(by: .zero - Self.day)
                await service.core.clockWatch.look()
                let lanes = try await service.store.waiting(for: .onlyNode, at: clock.date)
                #expect(lanes.count == 1)
                #expect(lanes.allSatisfy { $0.startsAt <= clock.date.addingTimeInterval(60) })
                #expect(try await service.journey(push, device).verdict.state == .paused)
                await clock.virtual.advance(by: .seconds(62))
                try await service.waitForSent(1)
            }
        }
    }
}

/// Keeps the sentences of warnings.
private struct WarningRecorder: LogHandler {
    let warnings: Recorder<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    init(warnings: Recorder<String>) { self.warnings = warnings }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { warnings.add(event.message.description) }
}
