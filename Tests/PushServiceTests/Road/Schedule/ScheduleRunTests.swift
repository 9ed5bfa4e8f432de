import Foundation
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import TestSupport
import Testing

/// Under virtual time, which begins on 1 January 2026 at 08:00 UTC: 16:00 in China.
@Suite("Schedules on the clock", .suiteLimit)
struct ScheduleRunTests {
    private static func single(_ time: String, push: String = pushBody(), cid: String? = nil) -> String {
        let cid = cid.map { "\"cid\":\"\($0)\"," } ?? ""
        return """
            {\(cid)"name":"once","enabled":true,"trigger":{"single":{"time":"\(time)"}},"push":\(push)}
            """
    }

    /// At 16:30 China's time.
    private static let daily = """
        {"name":"daily","enabled":true,"trigger":{"periodical":{"start":"2026-01-01 00:00:00","end":"2026-01-31 00:00:00",
         "time":"16:30:00","time_unit":"day","frequency":1}},"push":\(pushBody())}
        """

    private static func create(_ body: String, _ service: TestService) async throws -> String {
        try await service.core.schedules.create(Array(body.utf8), for: service.app).id.uuidString
    }

    private static func change(_ id: String, _ body: String, _ service: TestService) async throws {
        _ = try await service.core.schedules.change(id, of: service.app, Array(body.utf8))
    }

    private static func firings(_ id: String, _ service: TestService) async throws -> [ScheduleFiring] {
        try await service.core.schedules.firings(id, of: service.app.id)
    }

    /// Waits, without time, until what is due has been dealt with.
    private static func settle(_ service: TestService) async throws {
        try await eventually("no schedule is due") {
            try await service.store.dueSchedule(at: service.clock.date) == nil
        }
    }

    private static func advance(_ service: TestService, by duration: Duration) async throws {
        // The runner sleeps until the next firing; a slow machine may not have come to that yet.
        try await service.untilAsleep()
        await service.clock.advance(by: duration)
        try await settle(service)
    }

    private static func live(_ service: TestService) async throws -> [String] {
        try await service.core.schedules.page(1, of: service.app.id).schedules.map(\.name)
    }

    @Test("A single schedule sends its push at its time, once, and then is gone from the list")
    func single() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let id = try await Self.create(Self.single("2026-01-01 16:30:00"), service)
            #expect(try await Self.live(service) == ["once"])
            try await Self.advance(service, by: .seconds(1799))
            #expect(try await Self.firings(id, service) == [])
            try await Self.advance(service, by: .seconds(1))
            try await service.waitForSent(1)
            let firing = try #require(try await Self.firings(id, service).first)
            #expect(firing.error == nil)
            #expect(firing.at == service.clock.date)
            let result = PushResult(messageID: try #require(firing.messageID), sendno: 0)
            #expect(try await service.journey(result, device).events.map(\.kind) == [.accepted, .targeted, .sent])
            #expect(try await Self.live(service) == [])
            let error = await #expect(throws: JPushError.self) {
                try await service.core.schedules.schedule(id, of: service.app.id)
            }
            #expect(error == .noSuchSchedule)
            await service.clock.advance(by: .seconds(86_400 * 3))
            #expect(service.sender.sent.elements.count == 1)
            #expect(try await Self.firings(id, service).count == 1)
        }
    }

    @Test("A periodical schedule goes on until its end, and stays to be read")
    func periodical() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let id = try await Self.create(Self.daily, service)
            for day in 1...30 {
                try await service.untilAsleep()
                await service.clock.advance(
                    to: Date(timeIntervalSince1970: 1_767_254_400 + 1800 + Double(day - 1) * 86_400)
                )
                try await service.waitForSent(day)
                try await Self.settle(service)
            }
            let firings = try await Self.firings(id, service)
            #expect(firings.count == 30)
            #expect(Set(firings.compactMap(\.messageID)).count == 30)
            #expect(try await Self.live(service) == [])
            let record = try await service.core.schedules.schedule(id, of: service.app.id)
            #expect(record.dueAt == nil)
            let error = await #expect(throws: JPushError.self) {
                try await Self.change(id, "{\"name\":\"x\"}", service)
            }
            #expect(error?.code == 8100)
            #expect(error?.message.contains("ended") == true)
        }
    }

    @Test("An error at the time of firing is told in the history, with its msg_id")
    func nobodyThere() async throws {
        try await TestService.run { service in
            let id = try await Self.create(Self.daily, service)
            try await Self.advance(service, by: .seconds(1800))
            let firing = try #require(try await Self.firings(id, service).first)
            #expect(firing.error?.code == 1011)
            #expect(firing.messageID != nil)
            try await service.addDevice()
            try await Self.advance(service, by: .seconds(86_400))
            try await service.waitForSent(1)
            #expect(try await Self.firings(id, service).map { $0.error?.code } == [1011, nil])
        }
    }

    @Test("A disabled schedule passes its times by; enabled again it goes on, and missed times stay missed")
    func disabled() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let id = try await Self.create(Self.daily, service)
            try await Self.change(id, "{\"enabled\":false}", service)
            try await Self.advance(service, by: .seconds(1801))
            #expect(try await Self.firings(id, service) == [])
            #expect(try await Self.live(service) == ["daily"])
            try await Self.change(id, "{\"enabled\":true}", service)
            try await Self.advance(service, by: .seconds(86_400))
            try await service.waitForSent(1)
            #expect(try await Self.firings(id, service).count == 1)
        }
    }

    @Test("A changed schedule fires by its new time with its new push; a deleted one does not")
    func changed() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let id = try await Self.create(Self.single("2026-01-01 16:30:00"), service)
            let gone = try await Self.create(Self.single("2026-01-01 16:30:00"), service)
            let push = pushBody(ios: "\"alert\":\"new\"")
            try await Self.change(
                id,
                "{\"trigger\":{\"single\":{\"time\":\"2026-01-01 17:00:00\"}},\"push\":\(push)}",
                service
            )
            try await service.core.schedules.delete(gone, of: service.app.id)
            try await Self.advance(service, by: .seconds(1800))
            #expect(try await Self.firings(id, service) == [])
            try await Self.advance(service, by: .seconds(1800))
            try await service.waitForSent(1)
            let payload = try #require(service.sender.sent.elements.first).push.payload
            #expect(String(decoding: payload, as: UTF8.self).contains("new"))
            #expect(service.sender.sent.elements.count == 1)
        }
    }

    @Test("An earlier schedule than the one that is waited for wakes the service")
    func earlier() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let late = try await Self.create(Self.single("2026-01-01 16:50:00"), service)
            try await service.untilAsleep()
            let early = try await Self.create(Self.single("2026-01-01 16:10:00"), service)
            try await eventually("the earlier schedule is the next one") {
                try await service.store.nextScheduleDue() == service.clock.date.addingTimeInterval(600)
            }
            try await service.clock.sleeper(for: .seconds(600))
            try await Self.advance(service, by: .seconds(600))
            try await service.waitForSent(1)
            #expect(try await Self.firings(early, service).count == 1)
            #expect(try await Self.firings(late, service) == [])
        }
    }

    /// Runs a service, then another one on the same folder after `downtime`.
    private static func restart(
        _ body: String,
        after downtime: Duration,
        _ check: @escaping (TestService, String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            var id = ""
            try await TestService.run(in: folder, clock: clock) { service in
                try await service.addDevice()
                id = try await create(body, service)
            }
            await clock.advance(by: downtime)
            try await TestService.run(in: folder, clock: clock) { service in
                try await settle(service)
                try await check(service, id)
            }
        }
    }

    @Test("The service was down at the time: what is late by up to an hour is sent at the start")
    func late() async throws {
        try await Self.restart(Self.single("2026-01-01 16:30:00"), after: .seconds(5400)) { service, id in
            try await service.waitForSent(1)
            let firings = try await Self.firings(id, service)
            #expect(firings.map(\.error) == [nil])
        }
    }

    @Test("The service was down for longer: a single schedule is missed, and says so")
    func missed() async throws {
        try await Self.restart(Self.single("2026-01-01 16:30:00"), after: .seconds(5401)) { service, id in
            let firing = try #require(try await Self.firings(id, service).first)
            #expect(firing.error?.code == 8203)
            #expect(firing.error?.message.contains("3601 seconds") == true)
            #expect(firing.messageID == nil)
            let live = try await Self.live(service)
            #expect(live == [])
        }
    }

    @Test("The latest missed firing of a periodical schedule alone is sent, if it is not too late")
    func missedPeriods() async throws {
        try await Self.restart(Self.daily, after: .seconds(86_400 * 3 + 1800 + 60)) { service, id in
            try await service.waitForSent(1)
            let firings = try await Self.firings(id, service)
            #expect(firings.map(\.dueAt) == [service.clock.date.addingTimeInterval(-60)])
            let live = try await Self.live(service)
            #expect(live == ["daily"])
        }
        try await Self.restart(Self.daily, after: .seconds(86_400 * 3 + 1800 + 3601)) { service, id in
            let firings = try await Self.firings(id, service)
            #expect(firings == [])
            let next = try await service.store.nextScheduleDue()
            #expect(next == service.clock.date.addingTimeInterval(86_400 - 3601))
        }
    }

    @Test("A service that ended between the push and its note sends nothing twice, however late it comes back")
    func crashBetween() async throws {
        for downtime in [Duration.seconds(60), .seconds(86_400 * 40)] {
            try await withTemporaryFolder { folder in
                let clock = VirtualClock()
                var id = ""
                var before: ScheduleRecord?
                var first: MessageID?
                try await TestService.run(in: folder, clock: clock) { service in
                    try await service.addDevice()
                    id = try await Self.create(Self.single("2026-01-01 16:30:00"), service)
                    before = try await service.core.schedules.schedule(id, of: service.app.id)
                    try await Self.advance(service, by: .seconds(1800))
                    try await service.waitForSent(1)
                    first = try await Self.firings(id, service).first?.messageID
                }
                // As it was before the note.
                let record = try #require(before)
                let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
                try await store.moveOn(record, firing: nil, to: record.dueAt)
                await clock.advance(by: downtime)
                try await TestService.run(in: folder, clock: clock) { service in
                    try await Self.settle(service)
                    let firings = try await Self.firings(id, service)
                    #expect(firings.map(\.messageID) == [first])
                    #expect(firings.map(\.error) == [nil])
                    #expect(service.sender.sent.elements.isEmpty)
                }
            }
        }
    }

    @Test("A cid makes one schedule, also after it was deleted; a push's own cid means nothing")
    func cids() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let cid = service.app.key.makeCID()
            let body = Self.single("2026-01-01 16:30:00", push: pushBody(cid: "anything"), cid: cid)
            let id = try await Self.create(body, service)
            #expect(try await Self.create(body, service) == id)
            #expect(try await Self.live(service) == ["once"])
            try await service.core.schedules.delete(id, of: service.app.id)
            #expect(try await Self.create(body, service) == id)
            #expect(try await Self.live(service) == [])
            for cid in ["x", "\(service.app.key)-x", "000000000000000000000000-\(UUID().uuidString)"] {
                let error = await #expect(throws: JPushError.self) {
                    try await Self.create(Self.single("2026-01-01 16:30:00", cid: cid), service)
                }
                #expect(error?.code == 8100)
            }
            let other = try await Self.create(
                Self.single("2026-01-01 16:30:00", push: pushBody(cid: "anything")),
                service
            )
            try await Self.advance(service, by: .seconds(1800))
            try await service.waitForSent(1)
            #expect(try await Self.firings(other, service).map(\.error) == [nil])
        }
    }

    @Test("A time that is past, too far ahead, or after the end is refused; so is the hundred-and-first schedule")
    func limits() async throws {
        try await TestService.run { service in
            let table = [
                (Self.single("2026-01-01 16:00:00"), "not in the future"),
                (Self.single("2027-01-03 16:00:00"), "a year ahead"),
                (Self.daily.replacing("2026-01-31", with: "2026-01-01"), "no time left"), ("{", "not JSON"),
                ("[]", "an array"),
            ]
            for (body, words) in table {
                let error = await #expect(throws: JPushError.self) { try await Self.create(body, service) }
                #expect(error?.code == 8100)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            }
            for _ in 0..<100 { _ = try await Self.create(Self.single("2026-12-01 16:30:00"), service) }
            let error = await #expect(throws: JPushError.self) { try await Self.create(Self.daily, service) }
            #expect(error?.code == 8100)
            #expect(error?.message.contains("100 schedules") == true)
        }
    }

    @Test("Another app sees nothing of a schedule")
    func otherApp() async throws {
        try await TestService.run { service in
            let id = try await Self.create(Self.daily, service)
            let other = try await service.addApp()
            let book = service.core.schedules
            for call: @Sendable () async throws -> Void in [
                { _ = try await book.schedule(id, of: other.id) }, { _ = try await book.firings(id, of: other.id) },
                { try await book.delete(id, of: other.id) },
                { _ = try await book.change(id, of: other, Array("{}".utf8)) },
            ] {
                let error = await #expect(throws: JPushError.self) { try await call() }
                #expect(error == .noSuchSchedule)
            }
            #expect(try await book.page(1, of: other.id).schedules.isEmpty)
        }
    }
}
