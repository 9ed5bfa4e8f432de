import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushClock
import PushModel
import PushService

/// Composing a push: the form, and the times at which a schedule fires.
struct ComposePages: Sendable {
    let portal: PortalEnvironment

    /// The numbers of devices to choose from for a test, and of zones in a forecast.
    private static let (devices, zones) = (50, 12)

    func add(to router: RouterGroup<PortalContext>) {
        router.page("/compose", of: portal) { try await compose($0) }
        router.get("api/firings/:app") { try await firings(AppVisit(to: portal, $0, $1)) }
    }

    // MARK: - The form

    private func compose(_ visit: AppVisit) async throws -> Response {
        let (app, texts) = (visit.app, visit.texts)
        let push = try await draft(visit)
        var values: JSONObject = [
            "groups": .object(groups(texts)),
            "names": names(["tag", "tag_and", "tag_not", "alias", "registration_id"], texts),
            "segment_names": names(["segment", "abtest"], texts),
            "production": .bool(app.defaultEnvironment == .production),
            "settings": .string(settings(of: app, push).text), "zone": .string(portal.timeZone.identifier),
        ]
        values["tags"] = try await visit.get("/v3/tags").object?["tags"]
        values["segments"] = try await visit.get("/posthorn/v1/segments").object?["segments"]
        values["uploads"] = try await visit.get("/v3/files").object?["files"]
        values["devices"] = .array(try await choice(visit))
        return visit.page("compose", title: texts["compose", "title"], values, section: "compose")
    }

    /// The push that the form begins with: for the devices that the address names, or a copy of an earlier one.
    private func draft(_ visit: AppVisit) async throws -> JSONValue {
        let query = visit.request.uri.queryParameters
        if let id = query["message"].map({ String($0) }), MessageID(id) != nil {
            let message: WholeMessageAnswer = try await visit.read("/posthorn/v1/messages/\(id)")
            if var push = message.push.object {
                push["cid"] = nil
                return .object(push)
            }
        }
        var audience: JSONObject = [:]
        for key in ["tag", "alias", "registration_id"] {
            if let name = query[Substring(key)].map({ String($0) }) { audience[key] = [.string(name)] }
        }
        return [
            "platform": ["ios"], "audience": .object(audience), "notification": ["ios": ["alert": ""]],
            "options": ["apns_production": .bool(visit.app.defaultEnvironment == .production)],
        ]
    }

    /// The facts that the scripts need.
    private func settings(of app: App, _ push: JSONValue) -> JSONValue {
        func number(_ value: Int) -> JSONValue { .number(value) }
        return [
            "push": push,
            "limits": [
                "payload": number(APNSPushType.alert.payloadLimit), "ios": number(JPushLimits.iosBytes),
                "message": number(JPushLimits.messageBytes), "collapse_id": number(JPushLimits.collapseIDBytes),
            ],
            "confirmed": number(portal.settings.value.operators.devicesWithoutPassword),
            "zone": .string(portal.timeZone.identifier),
            "quiet_hours": app.quietHours?.json ?? .null,
            "today": .string(String(portal.shown(portal.clock.date).prefix(10))),
        ]
    }

    private func groups(_ texts: Catalogue) -> JSONObject {
        var groups: JSONObject = [:]
        for group in ComposeField.Group.allCases {
            groups[group.rawValue] = .array(
                ComposeField.all.filter { $0.group == group }.map { $0.json(hint: texts["compose", "hint_\($0.id)"]) }
            )
        }
        return groups
    }

    /// The names by which an audience chooses devices.
    private func names(_ keys: [String], _ texts: Catalogue) -> JSONValue {
        .array(
            keys.map { key in
                let isSegment = ["segment", "abtest"].contains(key)
                let list = key.hasPrefix("tag") ? "known-tags" : isSegment ? "known-segments" : nil
                return [
                    "key": .string(key), "label": .string(texts["compose", "names_\(key)"]),
                    "hint": .string(texts["compose", "names_\(key)_hint"]), "list": list.map { .string($0) } ?? .null,
                ]
            }
        )
    }

    /// The devices to choose from for a test, those seen last first.
    private func choice(_ visit: AppVisit) async throws -> [JSONValue] {
        let list: DeviceListAnswer = try await visit.read("/posthorn/v1/devices?limit=\(Self.devices)")
        return list.devices.sorted { $0.lastSeen > $1.lastSeen }.map { device in
            var row = JSONCoding.object(of: device)
            row["seen"] = .string(portal.shown(device.lastSeen))
            return .object(row)
        }
    }

    // MARK: - Schedules

    /// Answers `?trigger=…` with the firings and what clock changes do to them.
    private func firings(_ visit: AppVisit) async throws -> Response {
        let text = visit.request.uri.queryParameters["trigger"].map { String($0) } ?? ""
        let trigger: ScheduleTrigger
        guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
            throw PortalProblem(.badRequest, "no_object")
        }
        do { trigger = try ScheduleTrigger(json: json) } catch {
            throw PortalProblem(.badRequest, message: error.message)
        }
        var zones = [trigger.zone.flatMap { TimeZone(identifier: $0) } ?? portal.timeZone]
        if trigger.isPerDevice {
            zones += portal.registry.zonesInUse(of: visit.app.id).sorted().compactMap { TimeZone(identifier: $0) }
                .filter { $0 != portal.timeZone }
        }
        let now = portal.clock.date
        let forecasts = zones.prefix(Self.zones).map { FiringForecast(trigger, in: $0, after: now).json }
        return Response([
            "zones": .array(forecasts), "more_zones": .number(max(zones.count - Self.zones, 0)),
        ])
    }
}
