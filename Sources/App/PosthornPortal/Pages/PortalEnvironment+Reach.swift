import Foundation
import HTTPTypes
import PushModel
import PushService

extension PortalEnvironment {
    /// Returns the devices that the pushes of a request to the API would find now.
    ///
    /// A request with a mistake finds none, as the API refuses it.
    func reach(_ method: HTTPRequest.Method, _ path: String, body: [UInt8], of app: App) async throws -> PushReach {
        do {
            switch path {
            case "/v3/push/batch/regid/single":
                return core.acceptor.reach(try PushBatch(parsing: body, to: .registrationID), of: app)
            case "/v3/push/batch/alias/single":
                return core.acceptor.reach(try PushBatch(parsing: body, to: .alias), of: app)
            // Each push of a template has an audience of its own; no page sends any.
            case _ where path.hasPrefix("/v3/push/template"): return PushReach(isEveryone: true)
            case _ where path.hasPrefix("/v3/schedules"):
                guard let push = try await scheduledPush(method, path, body: body, of: app) else { return PushReach() }
                return try await core.acceptor.reach(push.bytes, of: app)
            default: return try await core.acceptor.reach(body, of: app)
            }
        } catch is JPushError { return PushReach() }
    }

    /// Returns the push that a schedule sends after a request; nil if it sends none.
    private func scheduledPush(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8],
        of app: App
    ) async throws -> JSONValue? {
        guard let change = (try? JSONValue(parsing: body))?.object else { return nil }
        guard method == .put else { return change["push"] }
        let id = path.split(separator: "/").last.flatMap { String($0).removingPercentEncoding } ?? ""
        var schedule = try await core.schedules.schedule(id, of: app.id).schedule
        try schedule.change(change)
        return schedule.isEnabled ? schedule.push : nil
    }
}
