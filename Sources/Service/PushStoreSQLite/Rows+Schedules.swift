import Foundation
import GRDB
import PushModel
import PushService

extension UUID {
    /// In lower case, as callers see it.
    var stored: String { uuidString.lowercased() }

    init(stored text: String, column: String) throws {
        guard let uuid = UUID(uuidString: text) else {
            throw CorruptRow(table: "schedule", column: column, found: text)
        }
        self = uuid
    }
}

extension ScheduleRecord {
    init(row: Row) throws {
        let trigger: String = row["trigger"]
        let push = Array(row["push"] as Data)
        let schedule: Schedule
        do {
            schedule = try Schedule(
                name: row["name"],
                isEnabled: row["isEnabled"],
                triggerJSON: JSONValue(parsing: trigger),
                push: JSONValue(parsing: push)
            )
        } catch {
            throw CorruptRow(table: "schedule", column: "trigger", found: trigger)
        }
        self.init(
            id: try UUID(stored: row["id"], column: "id"),
            app: row["app"],
            schedule: schedule,
            createdAt: Date(milliseconds: row["createdAt"]),
            dueAt: (row["dueAt"] as Int64?).map { Date(milliseconds: $0) },
            version: row["version"]
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
