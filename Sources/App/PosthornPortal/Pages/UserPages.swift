import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// The users, one's own account, and the audit log.
struct UserPages: Sendable {
    let portal: PortalEnvironment

    /// Adds the pages.
    func add(to router: RouterGroup<PortalContext>) {
        router.get("account") { _, context in
            let session = try context.signedIn()
            let values: JSONObject = ["role": .string(session.role.rawValue)]
            return portal.page("account", title: text(context, "account"), values, section: "account", in: context)
        }
        let administration = router.group("").add(middleware: RoleMiddleware(role: .admin))
        administration.get("users") { _, context in
            let list: UserListAnswer = try await portal.perform(.userList, in: context)
            let session = try context.signedIn()
            let values: JSONObject = [
                "users": .array(list.users.map { .object(row($0, session)) }),
                "roles": .array(Role.allCases.map { .string($0.rawValue) }),
            ]
            return portal.page("users", title: text(context, "title"), values, section: "users", in: context)
        }
        administration.get("audit") { try await AuditPage(portal: portal).show($0, $1) }
    }

    /// Adds the call that changes one's own password.
    func addCalls(to router: Router<PortalContext>) {
        let calls = router.group("portal/api").add(middleware: CSRFMiddleware()).add(
            middleware: RoleMiddleware(role: .viewer)
        )
        calls.post("account/password") { try await changePassword($0, $1) }
    }

    private func text(_ context: PortalContext, _ key: String) -> String {
        portal.texts(context)["users", key]
    }

    /// Returns the members of a user for a page.
    private func row(_ user: UserAnswer, _ session: Session) -> JSONObject {
        var row = JSONCoding.object(of: user)
        row["created"] = .string(portal.shown(user.createdAt))
        row["is_self"] = .bool(user.name == session.user)
        row["choices"] = .array(
            Role.allCases.map { role in
                ["role": .string(role.rawValue), "is_current": .bool(user.role == role)]
            }
        )
        return row
    }

    /// Changes the password of the user who has signed in: `{"present", "password"}`. The user's other sessions end.
    private func changePassword(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.signedIn()
        let body = try JSONValue(parsing: Array(buffer: try await request.body.collect(upTo: 1 << 16))).object
        guard let present = body?["present"]?.string, let password = body?["password"]?.string else {
            throw PortalProblem(.badRequest, "no_object")
        }
        do { _ = try await SignInPages(portal: portal).verify(session.user, password: present, context) } catch let
            problem
            as PortalProblem where problem.status == .unauthorized
        { throw PortalProblem(.unauthorized, message: text(context, "wrong_present")) }
        let change = OperatorRequest.userSet(name: session.user, role: nil, password: password)
        let changed: UserAnswer = try await portal.perform(change, in: context)
        portal.sessions.keep(session.id, version: changed.version)
        return Response([:])
    }
}
