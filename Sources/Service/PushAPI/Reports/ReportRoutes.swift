import Hummingbird
import PushClock
import PushModel
import PushService

/// Reports on pushes, and on the users of an app: `/v3/received`, `/v3/messages`, `/v3/status/message`, `/v3/users`; and Posthorn's own,
/// by the app's version.
///
/// Source: JPush REST API v3, "Report API".
struct ReportRoutes: Sendable {
    let reports: ReportQueries

    func add(to group: RouterGroup<APIContext>) {
        addCounts("v3/received", to: group) { $1.received($0) }
        addCounts("v3/received/detail", to: group) { $1.receivedDetail($0) }
        addCounts("v3/messages", to: group) { $1.messages($0) }
        addCounts("v3/messages/detail", to: group) { JSONCoding.json(of: MessageDetailAnswer($1, of: $0)) }
        group.add(.post, at: "v3/status/message", code: 3002) { request, _, app in
            let query = try MessageStatusQuery(parsing: try await request.bytes())
            let found = try await reports.status(of: query, app: app.id)
            return Response(
                json: .object(JSONObject(found.map { ($0.registrationID, ["status": .integer($0.status.rawValue)]) }))
            )
        }
        group.add(.get, at: "v3/users", code: 3002) { request, _, app in
            let query = try request.usersQuery()
            return Response(of: UsersAnswer(query, try await reports.users(query, of: app.id)))
        }
        group.add(.get, at: "posthorn/v1/reports/app-versions", code: 3002) { request, _, app in
            let ids = try MessageIDList(request.parameter("msg_ids")).ids
            return Response([
                "app_versions": try await reports.appVersions(of: ids, app: app.id).map { $0.json("app_version") }
            ])
        }
        group.add(.get, at: "posthorn/v1/reports/languages", code: 3002) { request, _, app in
            let ids = try MessageIDList(request.parameter("msg_ids")).ids
            return Response(["languages": try await reports.languages(of: ids, app: app.id).map { $0.json("language") }]
            )
        }
    }

    /// Adds a report with one element for each requested id, in the order of the request.
    private func addCounts(
        _ path: String,
        to group: RouterGroup<APIContext>,
        _ element: @escaping @Sendable (MessageID, MessageCounts?) -> JSONValue
    ) {
        group.add(.get, at: path, code: 3002) { request, _, app in
            let ids = try MessageIDList(request.parameter("msg_ids")).ids
            let counts = try await reports.counts(of: ids, app: app.id)
            return Response(json: .array(ids.map { element($0, counts[$0]) }))
        }
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

/// Reports on pushes to a group, and on the users of its apps: `/v3/group/messages/detail`, `/v3/group/users`.
///
/// Source: JPush REST API v3, "Report API", as used by the current library for Go.
struct GroupReportRoutes: Sendable {
    let reports: ReportQueries

    func add(to group: RouterGroup<APIContext>) {
        let messages = group.resource("v3/group/messages/detail", [.get], code: 3002)
        messages.on(.get, by: callingGroup) { request, _, caller in
            var elements: [JSONValue] = []
            for id in try Self.ids(request.parameter("group_msgids")) {
                let counts = try await reports.counts(ofGroupPush: id, of: caller)
                elements.append(JSONCoding.json(of: MessageDetailAnswer(counts, group: id)))
            }
            return Response(json: .array(elements))
        }
        group.resource("v3/group/users", [.get], code: 3002).on(.get, by: callingGroup) { request, _, caller in
            let query = try request.usersQuery()
            return Response(of: UsersAnswer(query, try await reports.users(query, ofGroup: caller)))
        }
    }

    /// Parses the ids; unlike a msg_id, that of a group push also contains letters.
    private static func ids(_ text: String?) throws(JPushError) -> [String] {
        guard let text, !text.isEmpty else { throw .badReportParameter("'group_msgids' is missing.") }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard !ids.contains("") else { throw .badReportParameter("'group_msgids' has an empty member.") }
        let limit = JPushLimits.reportedGroupMessages
        guard ids.count <= limit else {
            throw .badReportParameter("'group_msgids' has \(ids.count) ids; expected \(limit) at most.")
        }
        return ids
    }
}

/// Rejects an authenticated app from group reports with 2003; an unauthenticated client gets 3001.
struct GroupReportGuard: RouterMiddleware {
    let registry: Registry
    let clock: any CivilClock

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        if let credentials = request.credentials, let key = AppKey(credentials.user),
            let app = try await registry.app(key), app.proof(by: credentials.password, at: clock.date) != nil
        {
            return Response(.reportNotPermitted("The key of an app may not ask for reports of groups; use a group's."))
        }
        return try await next(request, context)
    }
}
