import Hummingbird
import PushModel
import PushService

/// Reports on pushes, and on the users of an app: `/v3/received`, `/v3/messages`, `/v3/status/message`, `/v3/users`; and Posthorn's own,
/// by the app's version.
///
/// Source: JPush REST API v3, "Report API".
struct ReportRoutes: Sendable {
    let reports: ReportQueries

    private static let wrongMethod = 3002

    func add(to group: RouterGroup<APIContext>) {
        addCounts("v3/received", to: group) { $1.received($0) }
        addCounts("v3/received/detail", to: group) { $1.receivedDetail($0) }
        addCounts("v3/messages", to: group) { $1.messages($0) }
        addCounts("v3/messages/detail", to: group) { JSONCoding.json(of: MessageDetailAnswer($1, of: $0)) }
        let status = "v3/status/message"
        group.post(RouterPath(status)) { request, context in
            let app = try caller(context)
            let query = try MessageStatusQuery(parsing: try await request.bytes())
            let found = try await reports.status(of: query, app: app.id)
            return Response(
                json: .object(JSONObject(found.map { ($0.registrationID, ["status": .integer($0.status.rawValue)]) }))
            )
        }
        group.refuseMethods(besides: [.post], at: status, code: Self.wrongMethod)
        let users = "v3/users"
        group.get(RouterPath(users)) { request, context in
            let app = try caller(context)
            let query = try request.usersQuery()
            return Response(json: JSONCoding.json(of: UsersAnswer(query, try await reports.users(query, of: app.id))))
        }
        group.refuseMethods(besides: [.get], at: users, code: Self.wrongMethod)
        let versions = "posthorn/v1/reports/app-versions"
        group.get(RouterPath(versions)) { request, context in
            let app = try caller(context)
            let ids = try MessageIDList(request.parameter("msg_ids")).ids
            let counts = try await reports.appVersions(of: ids, app: app.id)
            return Response(json: JSONCoding.json(of: AppVersionsAnswer(appVersions: counts)))
        }
        group.refuseMethods(besides: [.get], at: versions, code: Self.wrongMethod)
    }

    /// Adds a report with one element for each requested id, in the order of the request.
    private func addCounts(
        _ path: String,
        to group: RouterGroup<APIContext>,
        _ element: @escaping @Sendable (MessageID, MessageCounts?) -> JSONValue
    ) {
        group.get(RouterPath(path)) { request, context in
            let app = try caller(context)
            let ids = try MessageIDList(request.parameter("msg_ids")).ids
            let counts = try await reports.counts(of: ids, app: app.id)
            return Response(json: .array(ids.map { element($0, counts[$0]) }))
        }
        group.refuseMethods(besides: [.get], at: path, code: Self.wrongMethod)
    }
}

extension Request {
    func usersQuery() throws(JPushError) -> UsersQuery {
        try UsersQuery(
            unit: parameter("time_unit"),
            // Libraries encode the space before an hour as in forms.
            start: parameter("start")?.replacing("+", with: " "),
            duration: parameter("duration")
        )
    }
}
