import Foundation
import Hummingbird
import PushClock
import PushModel
import PushService

/// How the service is: what it does now, and what is wrong.
extension Visit {
    func showHealth() async throws -> Response {
        let health: HealthAnswer = try await portal.perform(.healthShow, in: context)
        let report: DoctorAnswer = try await portal.perform(.doctor(app: nil, device: nil, message: nil), in: context)
        let apps: AppListAnswer = try await portal.perform(.appList, in: context)
        let names = Dictionary(uniqueKeysWithValues: apps.apps.map { ($0.appKey, $0.name) })
        let list: CredentialListAnswer = try await portal.perform(.credentialList, in: context)
        let findings = [Finding.State.wrong, .warning, .unknown, .ok].flatMap { state in
            report.findings.filter { $0.state == state }
        }
        return page(
            "health",
            [
                "is_ready": health.ready, "is_draining": health.draining,
                "checked": portal.shown(portal.clock.date), "links": health.links,
                "disk": health.freeBytes.map(Self.size), "is_store_bad": health.store != "ok",
                "store": texts["health", health.store == "ok" ? "is_ok" : "is_unwritable"],
                "apns": [
                    apns(.development, is: health.apns.development), apns(.production, is: health.apns.production),
                ],
                "connections": health.connections.map { connection($0, names: names) },
                "lanes": health.lanes.map { lane($0, names: names) },
                "credentials": list.credentials.map { credential in
                    var values = portal.row(credential.first, texts)
                    values["app_key"] = credential.app
                    values["app_name"] = names[credential.app] ?? credential.app
                    return values
                }, "findings": findings.map(finding),
            ]
        )
    }

    /// Returns a number of bytes for people: `12.3 GiB`.
    static func size(_ bytes: Int64) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var tenths = bytes * 10 / 1024
        var unit = 0
        while tenths >= 10_240, unit < units.count - 1 {
            tenths = tenths / 1024
            unit = unit + 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Whether APNs can be reached in an environment.
    private func apns(_ environment: APNSEnvironment, is state: String) -> PageValues {
        let known = ["ok", "unused"].contains(state)
        return [
            "is_production": environment == .production, "is_bad": !known,
            "state": texts["health", known ? "is_\(state)" : "is_unreachable"],
        ]
    }

    private func connection(_ one: HealthAnswer.Connections, names: [String: String]) -> PageValues {
        [
            "app_key": one.app, "name": names[one.app] ?? one.app, "is_production": one.environment == .production,
            "open": one.open, "waiting": one.waiting, "is_refused": one.credentialRefused, "trouble": one.lastTrouble,
        ]
    }

    private func lane(_ lane: HealthAnswer.Lane, names: [String: String]) -> PageValues {
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
            "app_key": key, "name": names[key] ?? key, "is_production": lane.environment == .production,
            "class": texts["health", "lane_\(lane.class)"], "state": state,
            "lag": texts.text("health", "seconds", with: ["number": "\(lane.lag)"]),
        ]
    }

    private func finding(_ finding: Finding) -> PageValues {
        let classes: [Finding.State: String] = [.ok: "good", .warning: "warn", .wrong: "bad"]
        return [
            "check": finding.check, "found": finding.found, "remedy": finding.remedy,
            "state": texts["health", "state_\(finding.state.rawValue)"], "class": classes[finding.state] ?? "quiet",
        ]
    }
}
