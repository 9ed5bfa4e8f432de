package import Foundation
import PushModel
package import PushService

// Pushes to groups of apps.
extension SQLStore {
    package func groupPush(_ id: String, of group: AppGroup.ID) async throws -> GroupPush? {
        try await query { session in try session.groupPush("WHERE id = \(id) AND appGroup = \(group)") }
    }

    package func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) async throws -> GroupPush? {
        try await query { try $0.groupPush(ofCID: cid, of: group, since: date) }
    }

    package func accept(_ push: GroupPush, _ pushes: [PreparedPush], cidsSince: Date) async throws -> GroupPush? {
        try await change { [self] session in
            try session.lock(push.lock)
            if let cid = push.cid {
                // Until the commit, no other push of the group with this cid is looked up.
                try session.lock(.text(cid, space: push.group))
                let first = try session.groupPush(ofCID: cid, of: push.group, since: cidsSince)
                if let first { return first }
            }
            try session.queue(
                """
                INSERT INTO groupPush (id, appGroup, cid, acceptedAt, answer) VALUES (\(push.id), \(push.group),
                    \(push.cid), \(push.acceptedAt), \(push.answer.text))
                """
            )
            for (app, message) in push.messages.sorted(by: { $0.key < $1.key }) {
                try session.queue(
                    "INSERT INTO groupPushMessage (groupPush, app, message) VALUES (\(push.id), \(app), \(message))"
                )
            }
            try store(pushes, cidsSince: cidsSince, in: session)
            return nil
        } unlessAnswered: { session in
            try session.lock(push.lock)
            // Not by its cid: that may be another one, which was accepted since.
            return try session.groupPush("WHERE id = \(push.id)") != nil
        }
    }
}

extension SQLSession {
    fileprivate func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) throws -> GroupPush? {
        try groupPush(
            "WHERE appGroup = \(group) AND cid = \(cid) AND acceptedAt >= \(date) ORDER BY acceptedAt LIMIT 1"
        )
    }

    /// Returns the first push that a query finds, from its `FROM` on.
    fileprivate func groupPush(_ condition: SQLStatement) throws -> GroupPush? {
        let push = try first("SELECT id, appGroup, cid, acceptedAt, answer FROM groupPush \(condition)") {
            row in
            GroupPush(
                id: row.text(0),
                group: row.int64(1),
                cid: row.optionalText(2),
                acceptedAt: row.date(3),
                answer: try row.value(4, "answer", of: "groupPush") { try? JSONValue(parsing: $0) },
                messages: [:]
            )
        }
        guard var push else { return nil }
        try forEach("SELECT app, message FROM groupPushMessage WHERE groupPush = \(push.id)") { row in
            push.messages[row.app(0)] = row.message(1)
        }
        return push
    }
}

extension GroupPush {
    /// The lock under which it is stored.
    fileprivate var lock: SQLLock { .text(id, space: 0x6770_7573) }
}
