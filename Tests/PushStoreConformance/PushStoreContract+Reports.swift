import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    /// The promise of a store for one node: ordinals have no gaps.
    package static let gapless = [
        Clause(
            "Ordinals have no gaps, also after the newest device was deleted and the store opened again"
        ) { open, store, app in
            for name in ["a", "b", "c"] { _ = try await device(name, of: app, in: store) }
            let later = start.addingTimeInterval(5)
            let gone = try await store.deleteDevices([2], of: app.id, unseenSince: later, Deletion(days: 255))
            #expect(gone == [2])
            let again = try open()
            #expect(try await device("c", of: app, in: again).id.ordinal == 3)
            #expect(try await device("d", of: app, in: again).id.ordinal == 4)
        }
    ]

    /// A message whose chunks hold these devices; the last of them is for the other environment.
    private static func accept(
        _ message: Message,
        _ chunks: [[DeviceOrdinal]],
        in store: any PushStore,
        cidsSince: Date = .distantPast
    ) async throws {
        let chunks = chunks.enumerated().map { number, ordinals in
            Chunk(
                id: Chunk.ID(message: message.id, number: number),
                kind: number == chunks.count - 1 && number > 0 ? .otherEnvironment : .send,
                ordinals: OrdinalList(ordinals),
                dueAt: message.acceptedAt,
                updatedAt: message.acceptedAt
            )
        }
        let push = PreparedPush(message: message, chunks: chunks, isPaced: false)
        _ = try await store.accept([push], cidsSince: cidsSince)
    }

    private static func report(
        _ message: Message,
        _ ordinal: DeviceOrdinal,
        _ kind: JourneyEvent.Kind,
        after seconds: TimeInterval = 1
    ) -> JourneyEntry {
        let date = message.acceptedAt.addingTimeInterval(seconds)
        return JourneyEntry(
            message: message.id,
            ordinal: ordinal,
            event: JourneyEvent(date: date, station: .device, kind: kind)
        )
    }

    static let reports = [
        Clause("Devices are counted once, whatever and however often they report") { open, store, app in
            let push = message(1, of: app)
            try await accept(push, [[0, 1, 300], [301, 9000], [9001]], in: store)
            var (_, chunk) = try #require(try await store.lease(at: start))
            chunk.sent.insert(0)
            chunk.sent.insert(2)
            chunk.settled.insert(1)
            _ = try await store.checkpoint(chunk, releases: true, deviceEvents: [], refusedTokens: [])
            try await store.record([
                report(push, 0, .delivered), report(push, 0, .delivered, after: 2), report(push, 0, .opened),
                report(push, 9000, .presented(.banner)), report(push, 9000, .presented(.sound)),
            ])
            try await store.record([report(push, 0, .acted("a")), report(push, 301, .woken(.background))])
            var expected = MessageCounts()
            expected.target = 5
            expected.sent = 2
            expected.received = 2
            expected.displayed = 1
            expected.clicked = 1
            let again = try open()
            #expect(try await again.counts(of: [push.id, MessageID(2)], app: app.id) == [push.id: expected])
            #expect(try await again.counts(of: [push.id], app: app.id + 1).isEmpty)
            let deliveries = try await again.receipts(of: push.id, app: app.id, to: [0, 1, 2, 9000, 9001])
            #expect(deliveries == [0: [.received, .clicked], 1: [], 9000: [.received, .displayed], 9001: []])
            #expect(try await again.receipts(of: push.id, app: app.id + 1, to: [0]).isEmpty)
            #expect(try await again.receipts(of: push.id, app: app.id, to: []).isEmpty)
        },
        Clause("Who opened pushes is found by page, of the app alone and since a date") { open, store, app in
            let other = try await Self.app("b", in: store)
            let late = start.addingTimeInterval(60)
            for push in [message(1, of: app), message(2, of: app, at: late), message(3, of: other, at: late)] {
                try await accept(push, [[0, 1, 300], [301]], in: store)
                try await store.record([
                    report(push, 0, .delivered), report(push, 300, .opened), report(push, 1, .opened),
                ])
            }
            let opened: [DeviceOrdinal] = [1, 300]
            var page = try await open().openers(of: app.id, since: start, after: MessageID(0), limit: 2)
            #expect(page.devices.filter { !$0.isEmpty } == [opened, opened])
            #expect(page.next == MessageID(2))
            page = try await store.openers(of: app.id, since: start, after: MessageID(2), limit: 2)
            #expect(page.devices.isEmpty)
            #expect(page.next == nil)
            page = try await store.openers(of: app.id, since: late, after: MessageID(0), limit: 9)
            #expect(page.devices.filter { !$0.isEmpty } == [opened])
            let reach = try await store.reach(of: MessageID(1), app: app.id)
            #expect(reach.map(\.ordinals) == [[0, 1, 300]])
            #expect(reach[0].received.contains(0))
        },
        Clause("A device counts once in each time, and the count stays when the time is over") { open, store, app in
            func note(_ hour: String, _ measures: UseMeasure...) -> UseNote {
                UseNote(
                    measures: measures,
                    times: [.hour: "2026-01-02 \(hour)", .day: "2026-01-02", .month: "2026-01"]
                )
            }
            let first = try await device("a", of: app, in: store, note: note("03", .online))
            _ = try await device("a", of: app, in: store, note: note("03", .online))
            _ = try await device("b", of: app, in: store, note: note("04", .online))
            _ = try await store.updateDevice(first.id, note: note("04", .online, .active)) { _ in }
            try await store.note(note("04", .online), of: [0, 4095, 4096, 70_000], app: app.id)
            func uses(_ unit: ReportUnit, _ first: String, _ last: String) async throws -> [String: [UseMeasure: Int]] {
                try await open().uses(of: app.id, unit, from: first, through: last)
            }
            let hours: [String: [UseMeasure: Int]] = [
                "2026-01-02 03": [.new: 1, .online: 1], "2026-01-02 04": [.new: 1, .online: 5, .active: 1],
            ]
            let day: [String: [UseMeasure: Int]] = ["2026-01-02": [.new: 2, .online: 5, .active: 1]]
            #expect(try await uses(.hour, "2026-01-02 00", "2026-01-02 23") == hours)
            #expect(try await uses(.day, "2026-01-01", "2026-01-02") == day)
            #expect(try await uses(.month, "2026-01", "2026-01") == ["2026-01": [.new: 2, .online: 5, .active: 1]])
            #expect(try await uses(.day, "2026-01-03", "2026-01-09").isEmpty)
            let next: [ReportUnit: String] = [.hour: "2026-01-03 00", .day: "2026-01-03", .month: "2026-01"]
            while try await store.closeUses(before: next, limit: 2) {}
            #expect(try await uses(.hour, "2026-01-02 00", "2026-01-02 23") == hours)
            #expect(try await uses(.day, "2026-01-02", "2026-01-02") == day)
            // The month goes on: who was there is not counted again.
            try await store.note(
                UseNote(measures: [.online], times: [.month: "2026-01"]),
                of: [0, 70_000, 5],
                app: app.id
            )
            #expect(try await uses(.month, "2026-01", "2026-01") == ["2026-01": [.new: 2, .online: 6, .active: 1]])
            let early: [ReportUnit: String] = [.hour: "2026-01-02 04", .day: "2026-01-02"]
            while try await store.deleteUses(before: early, limit: 1) {}
            #expect(try await uses(.hour, "2026-01-02 00", "2026-01-02 23").keys.sorted() == ["2026-01-02 04"])
            #expect(try await uses(.day, "2026-01-02", "2026-01-02") == day)
        },
    ]

    static let retention = [
        Clause("A message goes in steps, and what was deleted is known as such, of its app alone") { open, store, app in
            let other = try await Self.app("b", in: store)
            let old = message(4095, of: app)
            let young = message(4096, of: app)
            for push in [old, young] {
                try await accept(push, [[0], [1]], in: store)
                try await store.record([report(push, 0, .delivered), report(push, 0, .presented(.list))])
            }
            let aging = try await store.agingMessages(after: MessageID(0), limit: 1)
            #expect(aging.map(\.id) == [old.id])
            #expect(aging.first?.endedAt == nil, "It was not sent.")
            var (_, chunk) = try #require(try await store.lease(at: start))
            chunk.isDone = true
            chunk.updatedAt = start.addingTimeInterval(9)
            _ = try await store.checkpoint(chunk, releases: true, deviceEvents: [], refusedTokens: [])
            let ended = try await store.agingMessages(after: MessageID(0), limit: 9)
            #expect(ended.map(\.endedAt) == [start.addingTimeInterval(9), nil])
            try await store.record([report(old, 0, .opened, after: 20)])
            let reported = try await store.agingMessages(after: MessageID(0), limit: 1)
            #expect(reported.first?.endedAt == start.addingTimeInterval(20))

            try await store.markDeleted([old.id], of: app.id, Deletion(days: 31), at: start)
            #expect(try await store.counts(of: [old.id, young.id], app: app.id).keys.sorted() == [young.id])
            #expect(try await store.journey(of: old.id, to: 0) == nil)
            // 3 events, 1 report, 2 chunks, itself.
            var steps = 0
            while try await !store.deleteMessage(old.id, rows: 2) { steps += 1 }
            #expect(steps >= 3)
            try await store.markDeleted([young.id], of: app.id, Deletion(days: 7), at: start.addingTimeInterval(60))
            let again = try open()
            #expect(try await again.deletion(of: old.id, app: app.id) == Deletion(days: 31))
            #expect(try await again.deletion(of: young.id, app: app.id) == Deletion(days: 7))
            #expect(try await again.deletion(of: old.id, app: other.id) == nil)
            #expect(try await again.deletion(of: MessageID(4094), app: app.id) == nil)
            #expect(try await again.agingMessages(after: MessageID(0), limit: 9).map(\.id) == [young.id])
            // A late report of what is deleted brings nothing back.
            try await again.record([report(old, 0, .opened, after: 30)])
            #expect(try await again.journey(of: old.id, to: 0) == nil)
            while try await again.forgetDeletions(before: start.addingTimeInterval(60), limit: 1) {}
            #expect(try await again.deletion(of: old.id, app: app.id) == nil)
            #expect(try await again.deletion(of: young.id, app: app.id) != nil)
        },
        Clause(
            "The ordinal of a deleted device is given to nobody else, also when it was the newest"
        ) { open, store, app in
            for name in ["a", "b", "c"] { _ = try await device(name, of: app, in: store) }
            let seen = DeviceID(app: app.id, ordinal: 1)
            _ = try await store.updateDevice(seen) { $0.lastSeen = start.addingTimeInterval(10) }
            let gone = try await store.deleteDevices(
                [0, 1, 2, 7],
                of: app.id,
                unseenSince: start.addingTimeInterval(5),
                Deletion(days: 255)
            )
            #expect(gone == [0, 2])
            let again = try open()
            #expect(try await again.deletion(of: DeviceID(app: app.id, ordinal: 0)) == Deletion(days: 255))
            #expect(try await again.deletion(of: DeviceID(app: app.id, ordinal: 2)) == Deletion(days: 255))
            #expect(try await again.deletion(of: seen) == nil)
            #expect(try await again.deletion(of: DeviceID(app: app.id, ordinal: 3)) == nil)
            // A store may leave out ordinals.
            let next = try await device("c", of: app, in: again).id.ordinal
            #expect(next > 2)
            #expect(try await device("d", of: app, in: again).id.ordinal > next)
        },
        Clause(
            "Cids are forgotten in steps within two days of their end, and firings by a date of their own"
        ) { open, store, app in
            let names = ["a-1", "a-2", "a-3", "schedule x 1", "schedule x 2", "schedule x 3"]
            for (number, name) in names.enumerated() {
                let date = start.addingTimeInterval(Double(number % 3))
                try await accept(message(Int64(number + 1), of: app, at: date, cid: name), [[0]], in: store)
            }
            func results(since date: Date) async throws -> [String] {
                let found = try await open().results(ofCIDs: Array(names.prefix(3)), app: app.id, since: date)
                return zip(names, found).filter { $1 != nil }.map(\.0)
            }
            let end = start.addingTimeInterval(2)
            var steps = try await forgetCIDs(usedBefore: end, ofSchedulesBefore: start.addingTimeInterval(1), in: store)
            #expect(steps > 1)
            #expect(try await results(since: end) == ["a-3"])
            let firings = try await open().results(ofFirings: names.suffix(3).map { ($0, app.id) })
            #expect(firings.map { $0 != nil } == [false, true, true])
            // A use that no longer counts does not stand in the way.
            let again = message(7, of: app, at: end, cid: "a-1")
            try await accept(again, [[0]], in: store, cidsSince: end)
            #expect(try await open().result(ofCID: "a-1", app: app.id, since: end)?.messageID == again.id)
            for day in 1...3 {
                let date = end.addingTimeInterval(Double(day) * 86_401)
                steps = try await forgetCIDs(usedBefore: date, ofSchedulesBefore: date, in: store)
            }
            #expect(steps == 1)
            #expect(try await results(since: .distantPast) == [])
        },
    ]

    /// Returns the number of steps.
    private static func forgetCIDs(
        usedBefore date: Date,
        ofSchedulesBefore scheduleDate: Date,
        in store: any PushStore
    ) async throws -> Int {
        var place: CIDPlace? = .start
        var steps: Int = 0
        while let from = place {
            steps += 1
            place = try await store.deleteCIDs(
                after: from,
                usedBefore: date,
                ofSchedulesBefore: scheduleDate,
                limit: 2
            )
        }
        return steps
    }

    static let developers = [
        Clause("Developers are kept whole; a key is given out once; one can be disabled") { open in
            let store = try open()
            let made = try await store.createDeveloper(Self.developer("d"))
            await #expect(throws: StoreError.self) { _ = try await store.createDeveloper(Self.developer("d")) }
            #expect(try await open().developers() == [made])
            #expect(try await open().developer(made.key) == made)
            let unknown = try #require(AppKey(String(repeating: "e", count: 24)))
            #expect(try await store.developer(unknown) == nil)
            #expect(try await store.enableDeveloper(made.key, false))
            #expect(try await !store.enableDeveloper(unknown, false))
            #expect(try await open().developer(made.key)?.isEnabled == false)
        },
        Clause("A developer has one app of a package; a deleted one makes room for another") { open in
            let store = try open()
            let first = try await store.createDeveloper(Self.developer("d"))
            let second = try await store.createDeveloper(Self.developer("e"))
            func owned(_ developer: Developer, _ secret: UInt8) -> OwnedApp {
                OwnedApp(developer: developer.id, package: "cn.example", group: "g", sealedSecret: [secret])
            }
            let made = try await store.createApp(draft("a"), owned(first, 1))
            #expect(made.isNew)
            let repeated = try await open().createApp(draft("b"), owned(first, 2))
            #expect(!repeated.isNew)
            #expect(repeated.app == made.app)
            #expect(repeated.owned == owned(first, 1))
            #expect(try await store.createApp(draft("c"), owned(second, 3)).isNew)
            #expect(try await store.apps().count == 2)
            #expect(try await store.ownedApp(made.app.key, of: first.id)?.isDeleted == false)
            #expect(try await store.ownedApp(made.app.key, of: second.id) == nil)

            let push = message(1, of: made.app)
            try await accept(push, [[0]], in: store)
            _ = try await device("i", of: made.app, in: store)
            try await store.deleteApp(made.app.id, at: start)
            #expect(try await open().apps().map(\.key.text.first) == ["c"])
            #expect(try await store.ownedApp(made.app.key, of: first.id)?.isDeleted == true)
            #expect(try await store.hasOrphans())
            #expect(try await store.agingMessages(after: MessageID(0), limit: 9).map(\.isOrphan) == [true])
            while try await !store.deleteMessage(push.id, rows: 1) {}
            while try await store.deleteOrphans(limit: 1) {}
            #expect(try await !store.hasOrphans())
            #expect(try await store.device(DeviceID(app: made.app.id, ordinal: 0)) == nil)
            let again = try await store.createApp(draft("f"), owned(first, 4))
            #expect(again.isNew)
            #expect(again.app.id > made.app.id, "Registration ids of the deleted app must not come to mean others.")
        },
        Clause("A warning about a certificate is remembered; the credentials go with their app") { open, store, app in
            #expect(try await store.credentialEnvironments() == [])
            let first = try await store.add(
                .certificate(of: app.id, for: app.bundleID, in: [.development], endsAt: start)
            )
            #expect(try await store.credentialEnvironments() == [.development])
            let second = try await store.add(
                .certificate(of: app.id, for: app.bundleID, endsAt: start, fingerprint: [2])
            )
            #expect(try await store.credentialEnvironments() == [.development, .production])
            try await store.warned(of: second, days: 8)
            #expect(try await open().credentials(of: app.id).map(\.certificate?.warnedDays) == [nil, 8])
            #expect(try await store.remove(first, of: app.id))
            #expect(try await store.credentialEnvironments() == [.production])
            try await store.pause(app.id, .production, Pause(reason: .noCredential, detail: "", until: start))
            try await store.deleteApp(app.id, at: start)
            #expect(try await open().credentials().isEmpty)
            #expect(try await open().pauses(of: app.id).isEmpty)
        },
    ]
}
