import Foundation
import Logging
import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@Suite("Retention of ended pushes", .suiteLimit)
struct RetentionTests {
    private static let day: Duration = .seconds(86_400)

    @Test("A push goes with all that is known of it when its days are over, and why says so")
    func pushes() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let old = try await service.push(pushBody())
            try await service.waitForSent(1)
            let journey = try await service.journey(old, device)
            let apnsID = try #require(journey.apnsID)
            // A late delivery keeps it longer: the days begin with the last one.
            await service.clock.advance(by: Self.day * 10)
            let delivered = JourneyEvent(date: service.clock.date, station: .device, kind: .delivered)
            service.core.journeyLog.record(delivered, of: .push(apnsID: apnsID))
            _ = try await service.journey(old, device)
            await service.clock.advance(by: Self.day * 30)
            let young = try await service.push(pushBody())
            try await service.waitForSent(2)
            await service.core.housekeeper.tidy()
            #expect(try await service.journey(old, device).verdict.state == .delivered)

            await service.clock.advance(by: Self.day + .seconds(1))
            await service.core.housekeeper.tidy()
            let id = service.registrationID(device)
            let book = service.core.journeys
            #expect(try await book.journey(of: old.messageID, to: id, app: service.app) == nil)
            let remark = Remark(.messageDeleted, ["count": 31])
            #expect(
                remark.found == "The push was deleted 31 days after its last delivery (setting retention.messages)."
            )
            #expect(try await book.absence(of: old.messageID, to: id, app: service.app) == remark)
            #expect(try await book.absence(ofAPNsID: apnsID, app: service.app) == remark)
            #expect(try await service.journey(young, device).verdict.state == .sent)
            #expect(try await book.absence(of: young.messageID, to: id, app: service.app) == nil)
            let counts = try await service.core.reports.counts(
                of: [old.messageID, young.messageID],
                app: service.app.id
            )
            #expect(counts.keys.map(\.self) == [young.messageID])
            let left = try await service.store.agingMessages(after: MessageID(0), limit: 9)
            #expect(left.map(\.id) == [young.messageID])
        }
    }

    /// Creates a schedule that fires once, an hour after the beginning of the clock.
    private static func schedule(in service: TestService) async throws -> String {
        let body = """
            {"name":"once","enabled":true,"trigger":{"single":{"time":"2026-01-01 17:00:00"}},"push":\(pushBody())}
            """
        return try await service.core.schedules.create(Array(body.utf8), for: service.app).0.uuidString
    }

    /// Stores one user count each for the hour, day and month of the clock, and lets them end.
    private static func countUse(of device: RegisteredDevice, in service: TestService) async throws {
        let calendar = UseCalendar(zone: ScheduleRules().zone)
        let note = calendar.note([.new], at: service.clock.date)
        try await service.store.note(note, of: [device.id.ordinal], app: device.id.app)
        await service.clock.advance(by: day * 40)
        _ = try await service.store.closeUses(before: calendar.times(at: service.clock.date), limit: 10)
    }

    @Test("A preview counts what other periods would delete, and deletes nothing")
    func preview() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            _ = try await Self.schedule(in: service)
            await service.clock.advance(by: .seconds(3600))
            try await service.waitForSent(1)
            _ = try await service.push(pushBody())
            try await service.waitForSent(2)
            try await Self.countUse(of: device, in: service)
            func preview(_ days: JSONObject = [:]) async throws -> [Int64?] {
                let answer = try await service.core.operators.perform("retention.preview", JSONValue.object(days).bytes)
                return ["pushes", "schedules", "devices", "users"].map { answer[$0]?.object?["count"]?.integer }
            }
            #expect(try await preview() == [2, 1, 0, 0])
            #expect(try await preview(["messages": 41, "schedules": 41]) == [0, 0, 0, 0])
            await service.clock.advance(by: Self.day * 230)
            #expect(try await preview(["messages": 3650]) == [0, 1, 1, 3])
            #expect(try await preview(["devices": 300, "schedules": 300, "users": 300]) == [2, 0, 0, 0])
            await #expect(throws: OperatorError.self) { try await preview(["devices": 100]) }
            #expect(try await service.store.agingMessages(after: MessageID(0), limit: 9).count == 2)
            await service.core.housekeeper.tidy()
            #expect(try await preview() == [0, 0, 0, 0])
        }
    }

    @Test("A push that waits is not over, however old it is")
    func waitingPush() async throws {
        let sender = ScriptedSender { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await TestService.run(
                in: folder,
                clock: clock,
                sender: sender,
                settings: { $0.retention.messages = 1 }
            ) { service in
                let device = try await service.addDevice()
                let push = try await service.push(pushBody(options: "\"time_to_live\":864000"))
                try await service.waitFor(1) { $0 == .paused(.noCredential) }
                try await service.untilAsleep()
                let later = clock.date.addingTimeInterval(9 * 86_400)
                await service.core.housekeeper.tidy(at: later, deletingAt: later)
                #expect(try await service.journey(push, device).verdict.state == .paused)
            }
        }
    }

    @Test("A device that was not seen for 255 days is forgotten; its pushes stay explained, its id is nobody else's")
    func devices() async throws {
        try await TestService.run { service in
            let gone = try await service.addDevice { $0.alias = "bob" }
            let id = service.registrationID(gone)
            await service.clock.advance(by: Self.day * 254)
            let push = try await service.push(pushBody())
            try await service.waitForSent(1)
            await service.clock.advance(by: Self.day)
            await service.core.housekeeper.tidy()
            #expect(service.core.registry.device(id, of: service.app.id) != nil, "The 255th day is not over.")
            await service.clock.advance(by: Self.day)
            await service.core.housekeeper.tidy()
            #expect(service.core.registry.device(id, of: service.app.id) == nil)
            #expect(try await service.store.device(gone.id) == nil)
            #expect(service.core.devices.holders(ofAlias: "bob", app: service.app.id).isEmpty)
            let book = service.core.journeys
            #expect(try await book.journey(of: push.messageID, to: id, app: service.app)?.verdict.state == .sent)
            #expect(
                try await book.absence(of: MessageID(1), to: id, app: service.app)
                    == Remark(.deviceDeleted, ["count": 255])
            )
            let next = try await service.addDevice()
            #expect(next.id.ordinal == gone.id.ordinal + 1)
            let never = service.core.registry.registrationID(of: DeviceID(app: service.app.id, ordinal: 9))
            #expect(try await book.absence(of: MessageID(1), to: never, app: service.app) == nil)
        }
    }

    @Test("A push that waits for a deleted device ends without it, also after a restart", arguments: [0, 1])
    func pushToDeletedDevice(others: Int) async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let paused = ScriptedSender { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            try await TestService.run(
                in: folder,
                clock: clock,
                sender: paused,
                settings: { $0.retention.devices = 2 }
            ) { service in
                let stays = try await service.addDevices(others)
                let gone = try await service.addDevice()
                _ = try await service.push(pushBody(options: "\"time_to_live\":864000"))
                try await service.waitFor(1) { $0 == .paused(.noCredential) }
                try await service.untilAsleep()
                let later = clock.date.addingTimeInterval(3 * 86_400)
                for device in stays {
                    let seen = try await service.store.updateDevice(device.id) { $0.lastSeen = later }
                    service.core.registry.apply([try #require(seen)])
                }
                await service.core.housekeeper.tidy(at: later, deletingAt: later)
                #expect(try await service.store.device(gone.id) == nil)
            }
            try await TestService.run(in: folder, clock: clock) { service in
                await clock.advance(by: .seconds(60))
                try await service.waitFor(1) { $0 == .suppressed(.noToken) }
                try await service.waitForSent(others)
                #expect(service.sender.sent.elements.count == others)
            }
        }
    }

    @Test("An ended schedule goes after its days, and a cid after one")
    func schedulesAndCIDs() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let cid = service.app.key.makeCID()
            let first = try await service.push(pushBody(cid: cid))
            let id = try await Self.schedule(in: service)
            await service.clock.advance(by: .seconds(3600))
            try await service.waitForSent(2)
            let schedules = service.core.schedules
            let fired = try await schedules.firings(id, of: service.app.id)
            #expect(fired.count == 1)
            await service.core.housekeeper.tidy()
            #expect(try await service.push(pushBody(cid: cid)) == first)
            await service.clock.advance(by: Self.day)
            await service.core.housekeeper.tidy()
            #expect(try await service.store.result(ofCID: cid, app: service.app.id, since: .distantPast) == nil)
            await service.clock.advance(by: Self.day * 29)
            await service.core.housekeeper.tidy()
            #expect(try await schedules.firings(id, of: service.app.id) == fired)
            await service.clock.advance(by: Self.day * 2)
            await service.core.housekeeper.tidy()
            await #expect(throws: JPushError.noSuchSchedule) {
                try await schedules.firings(id, of: service.app.id)
            }
        }
    }

    @Test("All ended pushes go, even more than one look takes in")
    func manyPushes() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<600 { group.addTask { _ = try await service.push(pushBody()) } }
                try await group.waitForAll()
            }
            try await service.waitForSent(600)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            await service.clock.advance(by: Self.day * 40)
            let young = try await service.push(pushBody())
            await service.core.housekeeper.tidy()
            let left = try await service.store.agingMessages(after: MessageID(0), limit: 9)
            #expect(left.map(\.id) == [young.messageID])
        }
    }

    @Test("The housekeeper works at its start and whenever an hour begins")
    func hours() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.core.housekeeper.run() }
                try await service.untilAsleep()
                await service.clock.advance(by: Self.day * 256)
                // The round under way may have begun before the clock was turned.
                while try await service.store.device(device.id) != nil {
                    await service.clock.advance(by: .seconds(3600))
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    @Test("An app that was deleted leaves nothing but its number")
    func deletedApp() async throws {
        try await TestService.run { service in
            let other = try await service.addApp()
            for app in [service.app, other] {
                try await service.addDevices(3, app: app)
                _ = try await service.push(pushBody(cid: app.key.makeCID()), for: app)
            }
            try await service.waitForSent(6)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            try await service.store.deleteApp(other.id, at: service.clock.date)
            await service.core.housekeeper.tidy()
            let left = try await service.store.agingMessages(after: MessageID(0), limit: 9)
            #expect(left.map(\.app) == [service.app.id])
            #expect(try await !service.store.hasOrphans())
            #expect(try await service.store.device(DeviceID(app: other.id, ordinal: 0)) == nil)
            #expect(try await service.store.device(DeviceID(app: service.app.id, ordinal: 0)) != nil)
        }
    }
}

/// Keeps what is logged.
private struct RecordingLog: LogHandler {
    let lines: Recorder<(message: String, days: String?)>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add(("\(event.message)", event.metadata?["days"].map { "\($0)" }))
    }
}

@Suite("Certificates that end", .suiteLimit)
struct CertificateWatchTests {
    @Test(
        "Days before the end are told in steps",
        arguments: [(31.0, nil), (30, 30), (29.5, 30), (22, 22), (9, 15), (1, 1), (0.5, 1), (0, 0), (-3, 0)]
            as [(Double, Int?)]
    )
    func steps(_ left: Double, _ reached: Int?) {
        let now = Date(timeIntervalSince1970: 1_767_254_400)
        #expect(CertificateWatch.reached(now.addingTimeInterval(left * 86_400), at: now) == reached)
    }

    /// Also parse-server-push-adapter PR #118 and raix/push #349.
    @Test("A certificate that ends soon warns at 30, 22, 15, 8 and 1 days, each once, also over restarts")
    func fleet36673_expiringCertificateWarns() async throws {
        try await withTemporaryFolder { folder in
            let lines = Recorder<(message: String, days: String?)>()
            let clock = VirtualClock()
            let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
            func run(_ days: Int) async throws {
                try await TestService.run(in: folder, clock: clock, sender: ScriptedSender(), logger: logger) {
                    service in
                    if try await service.store.credentials().isEmpty {
                        let certificate = SealedCredential.certificate(
                            of: service.app.id,
                            for: service.app.bundleID,
                            endsAt: clock.date.addingTimeInterval(40 * 86_400)
                        )
                        try await service.store.add(certificate)
                    }
                    for _ in 0..<days * 4 {
                        await clock.advance(by: .seconds(6 * 3600))
                        await service.core.housekeeper.tidy()
                    }
                }
            }
            try await run(12)
            try await run(13)
            try await run(20)
            #expect(lines.elements.map(\.days) == ["30", "22", "15", "8", "1", nil])
            let last = try #require(lines.elements.last)
            #expect(last.message == "An app's APNs certificate has expired; its pushes wait")
        }
    }

    /// Runs the watch once over a certificate that ends after some days.
    ///
    /// - Returns: the days of the entries in the log.
    private static func days(_ left: Double, hasKey: Bool) async throws -> [String?] {
        let lines = Recorder<(message: String, days: String?)>()
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
            try await TestService.run(in: folder, clock: clock, sender: ScriptedSender(), logger: logger) { service in
                let certificate = SealedCredential.certificate(
                    of: service.app.id,
                    for: service.app.bundleID,
                    endsAt: clock.date.addingTimeInterval(left * 86_400)
                )
                try await service.store.add(certificate)
                if hasKey {
                    try await service.store.add(.key(of: service.app.id))
                }
                await service.core.housekeeper.tidy()
            }
        }
        return lines.elements.map(\.days)
    }

    @Test("The log has the days that are left, not the threshold")
    func daysLeft() async throws {
        #expect(try await Self.days(18.5, hasKey: false) == ["18"])
        #expect(try await Self.days(31, hasKey: false) == [])
    }

    @Test("A certificate beside a key is not in use: no warning", arguments: [18.5, -1])
    func keyGoesFirst(_ left: Double) async throws {
        #expect(try await Self.days(left, hasKey: true) == [])
    }
}
