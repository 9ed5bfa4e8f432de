import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    private static func record(
        _ app: App,
        due seconds: TimeInterval? = 60,
        name: String = "a \"name\" 早",
        created: TimeInterval = 0
    ) throws -> ScheduleRecord {
        let json: JSONObject = [
            "name": .string(name), "enabled": true,
            "trigger": ["single": ["time": "2026-01-02 09:00:00"], "zone": "Europe/Berlin"],
            "push": ["platform": "all", "audience": "all", "notification": ["alert": "é"]],
        ]
        return ScheduleRecord(
            id: UUID(),
            app: app.id,
            schedule: try Schedule(json),
            createdAt: start.addingTimeInterval(created),
            dueAt: seconds.map { start.addingTimeInterval($0) }
        )
    }

    static let schedules = [
        Clause("A schedule is kept whole and belongs to its app") { open, store, app in
            let other = try await Self.app("b", in: store)
            let record = try record(app)
            #expect(try await store.createSchedule(record, cid: nil, limit: 100) == .created)
            #expect(try await open().schedule(record.id, of: app.id) == record)
            #expect(try await store.schedule(record.id, of: other.id) == nil)
            #expect(try await store.updateSchedule(record.id, of: other.id) { $0.dueAt = nil } == nil)
            #expect(try await !store.deleteSchedule(record.id, of: other.id))
            #expect(try await store.deleteSchedule(record.id, of: app.id))
            #expect(try await !store.deleteSchedule(record.id, of: app.id))
            #expect(try await open().schedule(record.id, of: app.id) == nil)
        },
        Clause(
            "Templates are kept whole, counted, listed in order, changed and deleted for their app alone"
        ) { open, store, app in
            let other = try await Self.app("b", in: store)
            func record(_ id: String) -> TemplateRecord {
                let push: JSONObject = ["notification": ["alert": "{{名}}", "n": 1]]
                return TemplateRecord(
                    id: id,
                    app: app.id,
                    template: PushTemplate(name: "名", push: push),
                    createdAt: start
                )
            }
            for id in ["b", "a"] { #expect(try await store.createTemplate(record(id), limit: 2)) }
            #expect(try await !store.createTemplate(record("c"), limit: 2))
            #expect(try await open().templates(of: app.id) == [record("b"), record("a")])
            #expect(try await store.templates(of: other.id).isEmpty)
            #expect(try await store.template("a", of: other.id) == nil)
            let changed = PushTemplate(name: "m", push: [:])
            #expect(try await !store.setTemplate(changed, "a", of: other.id))
            #expect(try await store.setTemplate(changed, "a", of: app.id))
            #expect(try await store.template("a", of: app.id)?.template == changed)
            #expect(try await !store.deleteTemplate("a", of: other.id))
            #expect(try await store.deleteTemplate("a", of: app.id))
            #expect(try await store.templates(of: app.id) == [record("b")])
        },
        Clause(
            "Plans are kept whole and counted for their app alone, with their pushes, the newest first"
        ) { open, store, app in
            let other = try await Self.app("b", in: store)
            var plan = PushPlan(app: app.id, name: "名", description: "", createdAt: start)
            #expect(try await store.createPlan(plan, limit: 1))
            await #expect(throws: StoreError.self) { try await store.createPlan(plan, limit: 9) }
            plan.name = "n"
            #expect(try await !store.createPlan(plan, limit: 1))
            plan.app = other.id
            plan.name = "名"
            #expect(try await store.createPlan(plan, limit: 1))
            #expect(try await store.setPlanDescription("d", "名", of: app.id))
            #expect(try await !store.setPlanDescription("d", "n", of: app.id))
            let labels = [4, 3, 5].map { (message: MessageID($0), plan: "名") }
            try await store.label(labels, of: app.id, at: start)
            try await store.label([(MessageID(9), "名")], of: other.id, at: start)
            var kept = PushPlan(app: app.id, name: "名", description: "d", createdAt: start)
            kept.pushCount = 3
            kept.lastUsedAt = start
            #expect(try await open().plans(of: app.id) == [kept])
            #expect(try await store.plan("名", of: app.id) == kept)
            #expect(try await store.plan("n", of: app.id) == nil)
            let messages = try await store.messages(ofPlan: "名", of: app.id, limit: 2)
            #expect(messages == [MessageID(5), MessageID(4)])
            #expect(try await store.deletePlan("n", of: app.id, limit: 9) == nil)
            #expect(try await store.deletePlan("名", of: app.id, limit: 2) == false)
            #expect(try await store.plan("名", of: app.id) == kept, "Until its last label is gone, a repeat finds it.")
            #expect(try await store.deletePlan("名", of: app.id, limit: 2) == true)
            #expect(try await open().plan("名", of: app.id) == nil)
            #expect(try await store.messages(ofPlan: "名", of: app.id, limit: 9).isEmpty)
            #expect(try await store.messages(ofPlan: "名", of: other.id, limit: 9) == [MessageID(9)])
        },
        Clause(
            "Schedules with a firing to come are counted and listed in the order of their creation"
        ) { _, store, app in
            var records: [ScheduleRecord] = []
            for number in 0..<5 {
                let record = try record(app, due: number == 2 ? nil : Double(100 - number))
                records.append(record)
                #expect(try await store.createSchedule(record, cid: nil, limit: 4) == .created)
            }
            #expect(try await store.createSchedule(record(app), cid: nil, limit: 4) == .tooMany)
            records.remove(at: 2)
            let all = try await store.schedules(of: app.id, offset: 0, limit: 50)
            #expect(all.total == 4)
            #expect(all.page == records)
            let second = try await store.schedules(of: app.id, offset: 3, limit: 3)
            #expect(second.total == 4)
            #expect(second.page == [records[3]])
            #expect(try await store.schedules(of: app.id, offset: .max, limit: 3).page.isEmpty)
        },
        Clause("A cid makes one schedule, whatever became of it, until it has expired") { open, store, app in
            let first = try record(app, name: "first")
            let cid = ScheduleCID(text: "c", since: start)
            #expect(try await store.createSchedule(first, cid: cid, limit: 1) == .created)
            let second = try record(app, name: "second", created: 10)
            let repeated = ScheduleCreation.repeated(id: first.id, name: "first")
            #expect(try await store.createSchedule(second, cid: cid, limit: 1) == repeated)
            #expect(try await store.deleteSchedule(first.id, of: app.id))
            #expect(try await open().createSchedule(second, cid: cid, limit: 1) == repeated)
            #expect(try await store.schedule(second.id, of: app.id) == nil)
            let later = ScheduleCID(text: "c", since: start.addingTimeInterval(1))
            #expect(try await store.createSchedule(second, cid: later, limit: 1) == .created)
            #expect(
                try await store.createSchedule(first, cid: later, limit: 9) == .repeated(id: second.id, name: "second")
            )
        },
        Clause("A change that throws changes nothing; one that does not counts") { open, store, app in
            let record = try record(app)
            _ = try await store.createSchedule(record, cid: nil, limit: 100)
            await #expect(throws: JPushError.self) {
                _ = try await store.updateSchedule(record.id, of: app.id) { record in
                    record.dueAt = nil
                    throw JPushError.noSuchSchedule
                }
            }
            #expect(try await store.schedule(record.id, of: app.id) == record)
            var expected = record
            expected.version = 1
            try expected.schedule.change(["name": "new", "enabled": false])
            let schedule = expected.schedule
            #expect(try await store.updateSchedule(record.id, of: app.id) { $0.schedule = schedule } == expected)
            #expect(try await open().schedule(record.id, of: app.id) == expected)
        },
        Clause("The schedule that is due for longest comes first") { open, store, app in
            #expect(try await store.nextScheduleDue() == nil)
            let late = try record(app, due: 20)
            let early = try record(app, due: 10)
            for record in [late, early] { _ = try await store.createSchedule(record, cid: nil, limit: 100) }
            #expect(try await store.nextScheduleDue() == early.dueAt)
            #expect(try await store.dueSchedule(at: start.addingTimeInterval(9)) == nil)
            #expect(try await store.dueSchedule(at: start.addingTimeInterval(10)) == early)
            try await store.moveOn(early, firing: nil, to: nil)
            #expect(try await store.dueSchedule(at: start.addingTimeInterval(30)) == late)
            #expect(try await open().nextScheduleDue() == late.dueAt)
        },
        Clause(
            "A firing is noted once and moves its schedule on, unless that was changed or deleted meanwhile"
        ) { open, store, app in
            let record = try record(app)
            _ = try await store.createSchedule(record, cid: nil, limit: 100)
            let due = try #require(record.dueAt)
            let sent = ScheduleFiring(dueAt: due, at: start.addingTimeInterval(61), messageID: MessageID(7))
            let next = start.addingTimeInterval(120)
            try await store.moveOn(record, firing: sent, to: next)
            try await store.moveOn(record, firing: sent, to: next)
            #expect(try await open().firings(of: record.id) == [sent])
            var moved = record
            moved.dueAt = next
            #expect(try await store.schedule(record.id, of: app.id) == moved)
            _ = try await store.updateSchedule(record.id, of: app.id) { $0.dueAt = start.addingTimeInterval(500) }
            let failed = ScheduleFiring(dueAt: next, at: next, messageID: nil, error: .noTarget(MessageID(8)))
            try await store.moveOn(moved, firing: failed, to: nil)
            #expect(try await store.schedule(record.id, of: app.id)?.dueAt == start.addingTimeInterval(500))
            #expect(try await store.firings(of: record.id).map { $0.error?.code } == [nil, 1011])
            #expect(try await store.deleteSchedule(record.id, of: app.id))
            try await store.moveOn(moved, firing: failed, to: nil)
            #expect(try await open().firings(of: record.id) == [])
        },
    ]
}
