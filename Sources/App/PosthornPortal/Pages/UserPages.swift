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
        do { _ = try await SignInPages(portal: portal).verify(session.user, password: present, context) } catch let
            problem
            as PortalProblem where problem.status == .unauthorized
        { throw PortalProblem(.unauthorized, message: texts["users", "wrong_present"]) }
        let change = OperatorRequest.userSet(name: session.user, role: nil, password: password)
        let changed: UserAnswer = try await portal.perform(change, in: context)
        portal.sessions.keep(session.id, version: changed.version)
        return Response([:])
    }
}
