import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// The users, and one's own account.
extension Visit {
    func showAccount() throws -> Response {
        page("account", title: texts["users", "account"], ["role": try context.signedIn().role.rawValue])
    }

    func listUsers() async throws -> Response {
        let list: UserListAnswer = try await portal.perform(.userList, in: context)
        let session = try context.signedIn()
        let rows = list.users.map { user in
            var row = PageValues(of: user)
            row["created"] = portal.shown(user.createdAt)
            row["is_self"] = user.name == session.user
            row["choices"] = Role.allCases.map { role -> PageValues in
                ["role": role.rawValue, "is_current": user.role == role]
            }
            return row
        }
        return page("users", ["users": rows, "roles": Role.allCases.map(\.rawValue)])
    }

    /// Changes the password of the user who has signed in: `{"present", "password"}`. The user's other sessions end.
    func changePassword() async throws -> Response {
        let session = try context.signedIn()
        let body = try JSONValue(parsing: Array(buffer: try await request.body.collect(upTo: 1 << 16))).object
        guard let present = body?["present"]?.string, let password = body?["password"]?.string else {
            throw PortalProblem(.badRequest, "no_object")
        }
        do { _ = try await verify(session.user, password: present) } catch let problem as PortalProblem
            where problem.status == .unauthorized
        { throw PortalProblem(.unauthorized, message: texts["users", "wrong_present"]) }
        let change = OperatorRequest.userSet(name: session.user, role: nil, password: password)
        let changed: UserAnswer = try await portal.perform(change, in: context)
        portal.sessions.keep(session.id, version: changed.version)
        return Response([:])
    }
}

/// The audit log, the newest entries first, by actor and action if asked.
extension Visit {
    /// The number of entries on a page, in a call of the service, and the number of calls for one page.
    private static let size = 50
    private static let batch = 1000
    private static let calls = 10

    func listAudit() async throws -> Response {
        let actor = request.wish("actor")
        let action = request.wish("action")
        let before = request.wish("before").flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        let found = try await find(actor: actor, action: action, before: before)
        let rows = found.entries.map { entry in
            var row = PageValues(of: entry)
            row["time"] = portal.shown(entry.at)
            if let last = entry.lastAt {
                row["last_time"] = portal.shown(last)
                row["times"] = entry.count
            }
            return row
        }
        let values: PageValues = [
            "entries": rows, "actor": actor, "action": action, "is_filtered": actor != nil || action != nil,
            "is_later": before != nil, "first": Query(["actor": actor, "action": action]).text,
            "next": found.next.map { Query(["actor": actor, "action": action, "before": "\($0)"]).text },
        ]
        return page("audit", title: texts["users", "audit"], values)
    }

    /// Returns the entries of a page, and where the next one begins; nil at the end of the log.
    private func find(
        actor: String?,
        action: String?,
        before: Int64?
    ) async throws -> (entries: [AuditEntry], next: Int64?) {
        func fits(_ wish: String?, _ text: String) -> Bool {
            wish.map { text.lowercased().contains($0.lowercased()) } ?? true
        }
        let isFiltered = actor != nil || action != nil
        var entries = [AuditEntry]()
        var next = before
        for _ in 0..<Self.calls {
            let request = OperatorRequest.auditList(before: next, limit: isFiltered ? Self.batch : Self.size)
            let answer: AuditAnswer = try await portal.perform(request, in: context)
            for entry in answer.entries where fits(actor, entry.actor.name) && fits(action, entry.action) {
                entries.append(entry)
                if entries.count == Self.size { return (entries, entry.id) }
            }
            next = answer.next
            if next == nil { break }
        }
        return (entries, next)
    }
}
