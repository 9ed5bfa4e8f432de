import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PosthornStack
import PushClock
import PushDevice
import PushExplanation
import PushModel
import PushService

/// Composing a push: the form, and the times at which a schedule fires.
extension AppVisit {
    /// The numbers of devices to choose from for a test, and of zones in a forecast.
    private static let devices = 50
    private static let zones = 12
    /// The number of versions of iOS that are chosen at first: the newest.
    private static let systems = 3

    // MARK: - The form

    func compose() async throws -> Response {
        let push = try await draft()
        let values: PageValues = [
            "groups": groups(), "names": names(["tag", "tag_and", "tag_not", "alias", "registration_id"]),
            "segment_names": names(["segment", "abtest"]), "production": app.defaultEnvironment == .production,
            "settings": settings(push).text, "tags": try await get("/v3/tags").object?["tags"],
            "segments": try await get("/posthorn/v1/segments").object?["segments"],
            "systems": SystemProfile.majors.map { major -> PageValues in
                ["number": major, "is_chosen": SystemProfile.majors.suffix(Self.systems).contains(major)]
            },
            "states": Explanation.State.allCases.map { state -> PageValues in
                ["name": state.rawValue, "label": texts["compose", "state_\(state)"]]
            },
            "uploads": try await get("/v3/files").object?["files"], "devices": try await choice(),
        ]
        return page("compose", values)
    }

    /// The push that the form begins with: for the devices that the address names, or a copy of an earlier one.
    private func draft() async throws -> JSONValue {
        if let id = request.parameter("message"), MessageID(id) != nil {
            let message: WholeMessageAnswer = try await read("/posthorn/v1/messages/\(id)")
            if var push = message.push.object {
                push["cid"] = nil
                return .object(push)
            }
        }
        var push: JSONObject = ["platform": ["ios"], "notification": ["ios": ["alert": ""]]]
        if let id = request.parameter("template") {
            push = try await get("/posthorn/v1/templates/\(APIClient.encoded(id))").object?["push"]?.object ?? push
        }
        var audience: JSONObject = [:]
        for key in ["tag", "alias", "registration_id", "segment", "abtest"] {
            if let name = request.parameter(key) { audience[key] = [.string(name)] }
        }
        push["audience"] = .object(audience)
        var options = push["options"]?.object ?? [:]
        options["apns_production"] = options["apns_production"] ?? .bool(app.defaultEnvironment == .production)
        options["business_operation_code"] =
            request.parameter("plan").map { .string($0) } ?? options["business_operation_code"]
        push["options"] = .object(options)
        return .object(push)
    }

    /// The facts that the scripts need.
    private func settings(_ push: JSONValue) -> JSONValue {
        let limits: PageValues = [
            "payload": APNSPushType.alert.payloadLimit, "ios": JPushLimits.iosBytes,
            "message": JPushLimits.messageBytes, "collapse_id": JPushLimits.collapseIDBytes,
        ]
        let settings: PageValues = [
            "push": push, "limits": limits, "confirmed": portal.core.settings.value.operators.devicesWithoutPassword,
            "zone": portal.timeZone.identifier, "quiet_hours": app.quietHours?.json,
            "today": String(portal.shown(portal.clock.date).prefix(10)),
        ]
        return .object(settings.json)
    }

    private func groups() -> PageValues {
        var groups: PageValues = [:]
        for group in ComposeField.Group.allCases {
            groups[group.rawValue] = ComposeField.all.filter { $0.group == group }
                .map { $0.values(texts) }
        }
        return groups
    }

    /// The names by which an audience chooses devices.
    private func names(_ keys: [String]) -> [PageValues] {
        keys.map { key in
            [
                "key": key, "label": texts["compose", "names_\(key)"], "hint": texts["compose", "names_\(key)_hint"],
                "list": Self.list(for: key),
            ]
        }
    }

    /// Returns the id of the list with the known names of a kind; nil if there is none.
    private static func list(for key: String) -> String? {
        switch key {
        case "segment", "abtest": "known-segments"
        case _ where key.hasPrefix("tag"): "known-tags"
        default: nil
        }
    }

    /// The devices to choose from for a test, those seen last first.
    private func choice() async throws -> [PageValues] {
        let list: DeviceListAnswer = try await read("/posthorn/v1/devices?limit=\(Self.devices)")
        return list.devices.sorted { $0.lastSeen > $1.lastSeen }.map { device in
            var row = PageValues(of: device)
            row["seen"] = portal.shown(device.lastSeen)
            return row
        }
    }

    // MARK: - Schedules

    /// Answers `?trigger=…` with the firings and what clock changes do to them.
    func firings() async throws -> Response {
        let text = request.parameter("trigger") ?? ""
        guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
            throw PortalProblem(.badRequest, "no_object")
        }
        let trigger: ScheduleTrigger
        do { trigger = try ScheduleTrigger(json: json) } catch {
            throw PortalProblem(.badRequest, message: error.message)
        }
        let zones = trigger.zones(portal.timeZone, devices: portal.registry.zonesInUse(of: app.id))
        let now = portal.clock.date
        let forecasts = zones.prefix(Self.zones).map { FiringForecast(trigger, in: $0, after: now).values }
        return Response([
            "zones": forecasts, "more_zones": max(zones.count - Self.zones, 0),
        ])
    }
}
