import Foundation
import Hummingbird
import PushModel
import PushService

/// One app: its settings and credentials.
struct AppPages: Sendable {
    let portal: PortalEnvironment

    func add(to router: RouterGroup<PortalContext>) {
        router.page("", of: portal) { try await show($0) }
    }

    private func show(_ visit: AppVisit) async throws -> Response {
        let app = visit.app
        let facts: CredentialsAnswer = try await portal.perform(.appShow(app: app.key.text), in: visit.context)
        var values: JSONObject = [
            "created": .string(portal.shown(app.createdAt)), "verdict": .string(facts.verdict),
            "credentials": .array(facts.credentials.map { .object(CredentialRow($0, in: visit.texts, portal).json) }),
            "zone": .string(portal.timeZone.identifier),
        ]
        values["devices"] = try await portal.devices(of: app, for: visit.request, visit.context).map { .object($0) }
        if let hours = app.quietHours?.json.object {
            let zone = hours["zone"]?.string ?? "device"
            values["quiet"] = .object(hours)
            values["quiet_zone"] = .string(zone == "device" ? "" : zone)
            values["is_time_sensitive"] = hours["allow_time_sensitive"] ?? false
        }
        return visit.page("app", title: app.name, values, section: "app")
    }
}
