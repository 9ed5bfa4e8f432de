import Foundation
import Hummingbird
import PushModel
import PushService

/// One app: its settings and credentials.
struct AppPages: Sendable {
    let portal: PortalEnvironment

    func add(to router: RouterGroup<PortalContext>) {
        router.get("apps/:app") { try await show($0, $1) }
    }

    private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let app = try await portal.app(context)
        let texts = portal.library.current.catalogue(context.language)
        let facts = try await portal.perform(.appShow, ["app": .string(app.key.text)], in: context)
        let credentials = facts["credentials"]?.array?.compactMap(\.object) ?? []
        var values: JSONObject = [
            "created": .string(portal.shown(app.createdAt)), "verdict": facts["verdict"] ?? .null,
            "credentials": .array(credentials.map { .object(CredentialRow($0, in: texts, portal).json) }),
            "zone": .string(portal.timeZone.identifier),
        ]
        values["devices"] = try await portal.devices(of: app, for: request, context).map { .object($0) }
        if let hours = app.quietHours?.json.object {
            let zone = hours["zone"]?.string ?? "device"
            values["quiet"] = .object(hours)
            values["quiet_zone"] = .string(zone == "device" ? "" : zone)
            values["is_time_sensitive"] = hours["allow_time_sensitive"] ?? false
        }
        return portal.page("app", title: app.name, values, app: app, section: "app", in: context)
    }
}
