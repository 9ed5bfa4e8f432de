import Foundation
import Hummingbird
import PushClock
import PushModel
import PushService

/// How the service is: what it does now, and what is wrong.
struct HealthPages: Sendable {
    let portal: PortalEnvironment

    func add(to router: RouterGroup<PortalContext>) {
        router.get("health") { try await show($0, $1) }
    }

    private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let texts = portal.texts(context)
        let health = try await portal.perform(.healthShow, in: context)
        let findings = try await portal.perform(.doctor, in: context).objects("findings")
        let apps = try await portal.perform(.appList, in: context).objects("apps")
        let names = Dictionary(
            apps.compactMap { app in app["app_key"]?.string.map { ($0, app["name"]?.string ?? $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        let credentials = try await portal.perform(.credentialList, in: context).objects("credentials")
        let store = health["store"]?.string ?? ""
        let values: JSONObject = [
            "is_ready": .bool(health["ready"] == true), "is_draining": .bool(health["draining"] == true),
            "checked": .string(portal.shown(portal.clock.date)), "zone": .string(portal.timeZone.identifier),
            "links": health["links"] ?? .null,
            "disk": health["free_bytes"]?.integer.map { .string(Self.size($0)) } ?? .null,
            "store": .string(texts["health", store == "ok" ? "is_ok" : "is_unwritable"]),
            "is_store_bad": .bool(store != "ok"),
            "apns": .array(
                (health["apns"]?.object?.members ?? []).map { apns($0.key, is: $0.value.string ?? "", texts) }
            ),
            "connections": .array(health.objects("connections").map { .object(connection($0, names: names)) }),
            "lanes": .array(health.objects("lanes").map { .object(lane($0, names: names, texts)) }),
            "credentials": .array(credentials.map { .object(credential($0, names: names, texts)) }),
            "findings": .array(Self.sorted(findings).map { .object(finding($0, texts)) }),
        ]
        return portal.page("health", title: texts["health", "title"], values, section: "health", in: context)
    }

    /// Returns a number of bytes for people: `12.3 GiB`.
    static func size(_ bytes: Int64) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var (tenths, unit) = (bytes * 10 / 1024, 0)
        while tenths >= 10_240, unit < units.count - 1 { (tenths, unit) = (tenths / 1024, unit + 1) }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Whether APNs can be reached in an environment.
    private func apns(_ environment: String, is state: String, _ texts: Catalogue) -> JSONValue {
        let known = ["ok", "unused"].contains(state)
        return [
            "is_production": .bool(environment == "production"),
            "state": .string(texts["health", known ? "is_\(state)" : "is_unreachable"]), "is_bad": .bool(!known),
        ]
    }

    private func connection(_ one: JSONObject, names: [String: String]) -> JSONObject {
        let key = one["app"]?.string ?? ""
        return [
            "app_key": .string(key), "name": .string(names[key] ?? key),
            "is_production": .bool(one["environment"] == "production"), "open": one["open"] ?? .null,
            "waiting": one["waiting"] ?? .null, "is_refused": .bool(one["credential_refused"] == true),
            "trouble": one["last_trouble"] ?? .null,
        ]
    }

    private func lane(_ lane: JSONObject, names: [String: String], _ texts: Catalogue) -> JSONObject {
        let key = lane["app"]?.string ?? ""
        let lag = lane["lag"]?.integer ?? 0
        let state =
            if let until = lane["paused_until"]?.string {
                texts.text("health", "lane_paused", with: ["time": portal.shown(until)])
            } else if lane["working"] == true {
                texts["health", "lane_working"]
            } else if lag == 0 {
                texts.text("health", "lane_scheduled", with: ["time": portal.shown(lane["due_at"]?.string)])
            } else {
                texts["health", "lane_waiting"]
            }
        return [
            "app_key": .string(key), "name": .string(names[key] ?? key),
            "is_production": .bool(lane["environment"] == "production"),
            "class": .string(texts["health", "lane_\(lane["class"]?.string ?? "bulk")"]),
            "lag": .string(texts.text("health", "seconds", with: ["number": "\(lag)"])), "state": .string(state),
        ]
    }

    private func credential(_ credential: JSONObject, names: [String: String], _ texts: Catalogue) -> JSONObject {
        let key = credential["app"]?.string ?? ""
        var values = CredentialRow(credential, in: texts, portal).json
        values["app_key"] = .string(key)
        values["app_name"] = .string(names[key] ?? key)
        return values
    }

    private static func sorted(_ findings: [JSONObject]) -> [JSONObject] {
        let order = ["wrong", "warning", "unknown", "ok"]
        func rank(_ finding: JSONObject) -> Int { order.firstIndex(of: finding["state"]?.string ?? "") ?? order.count }
        return findings.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(
            \.element
        )
    }

    private func finding(_ finding: JSONObject, _ texts: Catalogue) -> JSONObject {
        let state = finding["state"]?.string ?? "unknown"
        let classes = ["ok": "good", "warning": "warn", "wrong": "bad"]
        return [
            "check": finding["check"] ?? .null, "found": finding["found"] ?? .null,
            "remedy": finding["remedy"] ?? .null,
            "state": .string(texts["health", "state_\(state)"]), "class": .string(classes[state] ?? "quiet"),
        ]
    }
}
