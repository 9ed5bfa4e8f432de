package import Foundation
import PushClock
package import PushModel

/// A schedule as the API shows it.
package struct ScheduleAnswer: Codable, Sendable {
    package let scheduleID: String
    package let name: String
    package let enabled: Bool
    /// The trigger as it was sent.
    package let trigger: JSONValue
    /// The push as it was sent.
    package let push: JSONValue

    package init(_ record: ScheduleRecord) {
        scheduleID = record.id.uuidString.lowercased()
        name = record.schedule.name
        enabled = record.schedule.isEnabled
        trigger = record.schedule.triggerJSON
        push = record.schedule.push
    }
}

package struct NewScheduleAnswer: Codable, Sendable {
    package let scheduleID: String
    package let name: String
    /// The warnings about its push, which the API adds; nil without any.
    package var warnings: [PushWarning]?

    package init(id: UUID, name: String) {
        scheduleID = id.uuidString.lowercased()
        self.name = name
    }
}

package struct ScheduleListAnswer: Codable, Sendable {
    package let totalCount: Int
    package let totalPages: Int
    package let page: Int
    package let schedules: [ScheduleAnswer]
}

package struct FiringListAnswer: Codable, Sendable {
    package let count: Int
    package let msgids: [ScheduleFiring]

    package init(_ firings: [ScheduleFiring]) {
        count = firings.count
        msgids = firings
    }
}

extension ScheduleFiring: JSONFormed {
    /// The format since 2018: JSON inside a string. It has no ``dueAt``, for which a reader gets ``at``.
    package static var form: JSONForm<ScheduleFiring> {
        JSONForm("a firing") { text in
            guard let json = try? JSONValue(parsing: text.string ?? ""), let milliseconds = json.object?["ts"]?.integer
            else { return nil }
            let at = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let message = json.object?["msg_id"]?.string.flatMap { MessageID($0) }
            let error = JPushError(json: json).flatMap { $0.code == 0 ? nil : $0 }
            return ScheduleFiring(dueAt: at, at: at, messageID: message, error: error)
        }
    }

    package var json: JSONValue {
        let error: JSONMembers = ["code": error?.code ?? 0, "message": error?.message ?? ""]
        let members: JSONMembers = [
            "msg_id": messageID?.description ?? "", "error": error, "needRetry": false,
            "ts": Int64((at.timeIntervalSince1970 * 1000).rounded()),
        ]
        return .string(members.json.text)
    }
}

/// Handles the requests of a backend on its schedules.
///
/// Source: JPush REST API v3, "Schedule API".
package struct ScheduleController: Sendable {
    let store: any ScheduleStore & AudienceFileStore
    let registry: Registry
    let others: OtherNodes?
    let rules: ScheduleRules
    let clock: any CivilClock
    let signal: any WorkSignal

    /// Creates a schedule. It is on disk when this returns.
    ///
    /// - Throws: 8100 for errors that the caller can fix.
    package func create(_ body: [UInt8], for app: App) async throws -> (id: UUID, name: String) {
        let object = try Self.object(body)
        let now = clock.date
        let cid = try Self.cid(in: object, of: app).map {
            ScheduleCID(text: $0, since: now.addingTimeInterval(-Double(JPushLimits.cidLifetime)))
        }
        let schedule = try Schedule(object)
        try await checkPush(in: object, app)
        let record = ScheduleRecord(
            id: UUID(),
            app: app.id,
            schedule: schedule,
            createdAt: now,
            dueAt: try firstFiring(of: schedule.trigger, app.id, after: now)
        )
        switch try await store.createSchedule(record, cid: cid, limit: JPushLimits.liveSchedules) {
        case .created:
            signal.raise()
            return (record.id, schedule.name)
        case .repeated(let id, let name): return (id, name)
        case .tooMany:
            throw JPushError.badSchedule(
                "the app has \(JPushLimits.liveSchedules) schedules that have not ended; delete one first."
            )
        }
    }

    /// Returns a page of the schedules with a firing to come; 1 is the first.
    package func page(_ number: Int, of app: App.ID) async throws -> ScheduleListAnswer {
        let size = JPushLimits.schedulesPerPage
        let (offset, overflows) = (number - 1).multipliedReportingOverflow(by: size)
        let (total, page) = try await store.schedules(of: app, offset: overflows ? .max : offset, limit: size)
        return ScheduleListAnswer(
            totalCount: total,
            totalPages: (total + size - 1) / size,
            page: number,
            schedules: page.map(ScheduleAnswer.init)
        )
    }

    /// Returns a schedule.
    ///
    /// - Throws: 8104 for an unknown id.
    package func schedule(_ id: String, of app: App.ID) async throws -> ScheduleRecord {
        guard let uuid = UUID(uuidString: id), let record = try await store.schedule(uuid, of: app), !record.isGone
        else { throw JPushError.noSuchSchedule }
        return record
    }

    /// Replaces the parts that the body gives.
    ///
    /// - Throws: 8100 for errors that the caller can fix, 8104 for an unknown id.
    package func change(_ id: String, of app: App, _ body: [UInt8]) async throws -> ScheduleRecord {
        guard let uuid = UUID(uuidString: id) else { throw JPushError.noSuchSchedule }
        let object = try Self.object(body)
        let now = clock.date
        try await checkPush(in: object, app)
        let changed = try await store.updateSchedule(uuid, of: app.id) { record in
            guard !record.isGone else { throw JPushError.noSuchSchedule }
            guard record.dueAt != nil else { throw JPushError.badSchedule("it has ended and cannot be changed.") }
            try record.schedule.change(object)
            // A firing due by the old trigger must not be sent.
            if object["trigger"] != nil {
                record.dueAt = try firstFiring(of: record.schedule.trigger, app.id, after: now)
            }
        }
        guard let changed else { throw JPushError.noSuchSchedule }
        signal.raise()
        return changed
    }

    /// Deletes a schedule.
    ///
    /// - Throws: 8104 for an unknown id.
    package func delete(_ id: String, of app: App.ID) async throws {
        let record = try await schedule(id, of: app)
        guard try await store.deleteSchedule(record.id, of: app) else { throw JPushError.noSuchSchedule }
    }

    /// Returns the results of the firings, also of a single schedule that has fired: missed firings are reported nowhere else.
    ///
    /// - Throws: 8104 for an unknown id.
    package func firings(_ id: String, of app: App.ID) async throws -> [ScheduleFiring] {
        guard let uuid = UUID(uuidString: id), try await store.schedule(uuid, of: app) != nil else {
            throw JPushError.noSuchSchedule
        }
        return try await store.firings(of: uuid)
    }

    /// Rejects a push with warnings if it or its app is strict, and an unknown audience file. A file that is missing at a later firing is
    /// reported by that firing.
    private func checkPush(in object: JSONObject, _ app: App) async throws {
        guard let push = object["push"] else { return }
        // An error of the push itself is told by the schedule.
        if let request = try? PushRequest(parsing: push.bytes, file: .allowed) {
            guard request.options.undoes == nil else {
                throw JPushError.badSchedule("'push.options.x_undo' is for a push that is sent at once.")
            }
            do { try app.check(request.options, push.bytes[...]) } catch { throw JPushError.badSchedule(error.message) }
            // The empty name stands for nobody: a file, or a Live Activity, has other devices.
            try await checkSegments(request.audience.segments.filter { !$0.isEmpty }, of: app.id)
        }
        guard let file = Schedule.fileID(in: push) else { return }
        guard try await store.file(file, of: [app.key.text], at: clock.date) != nil else {
            throw JPushError.badSchedule("'push.audience.file' is '\(file)', and there is no such file.")
        }
    }

    private func checkSegments(_ names: [String], of app: App.ID) async throws {
        guard !names.isEmpty, registry.unknownSegment(among: names, of: app) != nil else { return }
        // Another node may have stored it a moment ago.
        try await others?.catchUp()
        guard let name = registry.unknownSegment(among: names, of: app) else { return }
        throw JPushError.badSchedule("'push.audience.segment' names '\(name)', and the app has no such segment.")
    }

    private static func object(_ body: [UInt8]) throws(JPushError) -> JSONObject {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw .badSchedule("the body is not JSON: \(error).") }
        guard let object = json.object else { throw .badSchedule("the body is \(json.kind), not an object.") }
        return object
    }

    private static func cid(in object: JSONObject, of app: App) throws(JPushError) -> String? {
        guard let value = object["cid"] else { return nil }
        guard let cid = value.string else { throw .badSchedule("'cid' is \(value.kind); expected a string.") }
        do { try app.key.check(cid: cid) } catch { throw .badSchedule(error.message) }
        return cid
    }

    private func firstFiring(of trigger: ScheduleTrigger, _ app: App.ID, after now: Date) throws(JPushError) -> Date {
        let local = trigger.isPerDevice ? registry.localSchedule(trigger, of: app, rules) : nil
        guard let first = local?.nextFiring(after: now) ?? trigger.next(after: now, in: rules.zone) else {
            switch trigger.kind {
            case .single where local != nil:
                throw .badSchedule("'trigger.single.time' is not in the future in any time zone of the app's devices.")
            case .single: throw .badSchedule("'trigger.single.time' is not in the future.")
            case .periodical: throw .badSchedule("'trigger.periodical' has no time left between now and its end.")
            }
        }
        // A leap year has 366 days, and there may be a clock change in between.
        if trigger.isSingle, first.timeIntervalSince(now) > 366 * 86_400 + 3600 {
            throw .badSchedule("'trigger.single.time' is more than a year ahead.")
        }
        return local?.nextDue(after: now) ?? first
    }
}
