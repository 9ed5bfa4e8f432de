import Hummingbird
import PushModel
import PushService

/// Reports on pushes to a group, and on the users of its apps: `/v3/group/messages/detail`, `/v3/group/users`.
///
/// Source: JPush REST API v3, "Report API", as used by the current library for Go.
struct GroupReportRoutes: Sendable {
    let reports: ReportQueries

    func add(to group: RouterGroup<APIContext>) {
        let messages = "v3/group/messages/detail"
        group.get(RouterPath(messages)) { request, context in
            let caller = try callingGroup(context)
            let ids = try Self.ids(request.parameter("group_msgids"))
            var elements: [JSONValue] = []
            for id in ids {
                let counts = try await reports.counts(ofGroupPush: id, of: caller)
                elements.append(JSONCoding.json(of: MessageDetailAnswer(counts, group: id)))
            }
            return Response(json: .array(elements))
        }
        group.refuseMethods(besides: [.get], at: messages, code: 3002)
        let users = "v3/group/users"
        group.get(RouterPath(users)) { request, context in
            let caller = try callingGroup(context)
            let query = try request.usersQuery()
            return Response(
                json: JSONCoding.json(of: UsersAnswer(query, try await reports.users(query, ofGroup: caller)))
            )
        }
        group.refuseMethods(besides: [.get], at: users, code: 3002)
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
