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
        let health: HealthAnswer = try await portal.perform(.healthShow, in: context)
        let report: DoctorAnswer = try await portal.perform(.doctor(app: nil, device: nil, message: nil), in: context)
        let apps: AppListAnswer = try await portal.perform(.appList, in: context)
        let names = Dictionary(uniqueKeysWithValues: apps.apps.map { ($0.appKey, $0.name) })
        let list: CredentialListAnswer = try await portal.perform(.credentialList, in: context)
        let values: JSONObject = [
            "is_ready": .bool(health.ready), "is_draining": .bool(health.draining),
            "checked": .string(portal.shown(portal.clock.date)), "zone": .string(portal.timeZone.identifier),
            "links": .number(health.links),
            "disk": health.freeBytes.map { .string(Self.size($0)) } ?? .null,
            "store": .string(texts["health", health.store == "ok" ? "is_ok" : "is_unwritable"]),
            "is_store_bad": .bool(health.store != "ok"),
            "apns": [
                apns(.development, is: health.apns.development, texts),
                apns(.production, is: health.apns.production, texts),
            ],
            "connections": .array(health.connections.map { .object(connection($0, names: names)) }),
            "lanes": .array(health.lanes.map { .object(lane($0, names: names, texts)) }),
            "credentials": .array(list.credentials.map { .object(credential($0, names: names, texts)) }),
            "findings": .array(Self.sorted(report.findings).map { .object(finding($0, texts)) }),
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
    private func apns(_ environment: APNSEnvironment, is state: String, _ texts: Catalogue) -> JSONValue {
        let known = ["ok", "unused"].contains(state)
        return [
            "is_production": .bool(environment == .production),
            "state": .string(texts["health", known ? "is_\(state)" : "is_unreachable"]), "is_bad": .bool(!known),
        ]
    }

    private func connection(_ one: HealthAnswer.Connections, names: [String: String]) -> JSONObject {
        [
            "app_key": .string(one.app), "name": .string(names[one.app] ?? one.app),
            "is_production": .bool(one.environment == .production), "open": .number(one.open),
            "waiting": .number(one.waiting), "is_refused": .bool(one.credentialRefused),
            "trouble": .orNull(one.lastTrouble),
        ]
    }

    private func lane(_ lane: HealthAnswer.Lane, names: [String: String], _ texts: Catalogue) -> JSONObject {
        let key = lane.app ?? ""
        let state =
            if let until = lane.pausedUntil {
                texts.text("health", "lane_paused", with: ["time": portal.shown(until)])
            } else if lane.working {
                texts["health", "lane_working"]
            } else if lane.lag == 0 {
                texts.text("health", "lane_scheduled", with: ["time": portal.shown(lane.dueAt)])
            } else {
                texts["health", "lane_waiting"]
            }
        return [
            "app_key": .string(key), "name": .string(names[key] ?? key),
            "is_production": .bool(lane.environment == .production),
            "class": .string(texts["health", "lane_\(lane.class)"]),
            "lag": .string(texts.text("health", "seconds", with: ["number": "\(lane.lag)"])), "state": .string(state),
        ]
    }

    private func credential(
        _ credential: Both<CredentialAnswer, AppNameAnswer>,
        names: [String: String],
        _ texts: Catalogue
    ) -> JSONObject {
        var values = CredentialRow(credential.first, in: texts, portal).json
        values["app_key"] = .string(credential.app)
        values["app_name"] = .string(names[credential.app] ?? credential.app)
        return values
    }

    private static func sorted(_ findings: [Finding]) -> [Finding] {
        [Finding.State.wrong, .warning, .unknown, .ok].flatMap { state in findings.filter { $0.state == state } }
    }

    private func finding(_ finding: Finding, _ texts: Catalogue) -> JSONObject {
        let classes: [Finding.State: String] = [.ok: "good", .warning: "warn", .wrong: "bad"]
        return [
            "check": .string(finding.check), "found": .string(finding.found), "remedy": .orNull(finding.remedy),
            "state": .string(texts["health", "state_\(finding.state.rawValue)"]),
            "class": .string(classes[finding.state] ?? "quiet"),
        ]
    }
}
