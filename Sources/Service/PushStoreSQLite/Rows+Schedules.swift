import Foundation
import GRDB
import PushModel
import PushService

extension ScheduleRecord {
    /// The columns for ``init(row:)``, in order, and the schedule's number.
    static let columns = "id, app, name, isEnabled, trigger, push, createdAt, dueAt, version, number"

    init(row: Row) throws {
        let trigger: String = row[4]
        let push = Array(row[5] as Data)
        let schedule: Schedule
        do {
            schedule = try Schedule(
                name: row[2],
                isEnabled: row[3],
                triggerJSON: JSONValue(parsing: trigger),
                push: JSONValue(parsing: push)
            )
        } catch {
            throw CorruptRow(table: "schedule", column: "trigger", found: trigger)
        }
        self.init(
            id: try UUID(stored: row[0], column: "id"),
            app: row[1],
            schedule: schedule,
            createdAt: Date(milliseconds: row[6]),
            dueAt: (row[7] as Int64?).map { Date(milliseconds: $0) },
            version: row[8]
        )
    }
}

extension ScheduleFiring {
    init(row: Row) {
        let code: Int? = row["errorCode"]
        self.init(
            dueAt: Date(milliseconds: row["dueAt"]),
            at: Date(milliseconds: row["at"]),
            messageID: (row["message"] as Int64?).map { MessageID($0) },
            error: code.map { JPushError(status: row["errorStatus"], code: $0, message: row["errorText"]) }
        )
    }
}
