import Foundation
import Hummingbird
import PosthornStack
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
        values["is_strict"] = .bool(app.isStrict)
        values["kept"] = .array(try await kept(visit))
        if let hours = app.quietHours {
            values["quiet"] = hours.json
            values["quiet_zone"] = if case .named(let zone) = hours.zone { .string(zone) } else { "" }
            values["is_time_sensitive"] = .bool(hours.allowsTimeSensitive)
        }
        return visit.page("app", title: app.name, values, section: "app")
    }

    /// Returns the segments, templates and push plans of an app.
    private func kept(_ visit: AppVisit) async throws -> [JSONValue] {
        let segments = try await visit.get("/posthorn/v1/segments").objects("segments").map { segment in
            let name = segment.text("name")
            let count = segment["counts"]?.object?["devices"]
            let path = "/posthorn/v1/segments/\(APIClient.encoded(name))"
            return row(name, text: segment["rule"]?.text, count: count, path: path)
        }
        let templates = try await visit.get("/posthorn/v1/templates").objects("templates").map { template in
            let id = template.text("id")
            let count = JSONValue.number(template.strings("variables").count)
            let path = "/posthorn/v1/templates/\(id)"
            return row(template.text("name"), text: template["push"]?.text, count: count, id: id, path: path)
        }
        let list = "/v3/push_plan/list?page_size=\(JPushLimits.plansPerPage.most)"
        let plans = (try await visit.get(list).object?["data"]?.objects("detail") ?? []).map { plan in
            row(plan.text("name"), text: plan["description"]?.string, count: plan["push_count"])
        }
        let rule = #"{"audience":{"tag":["news"]},"seen_within_days":30}"#
        let push = #"{"platform":"all","notification":{"alert":"Hi {{name}}"}}"#
        return [
            section("segment", rows: segments, example: rule, in: visit.texts),
            section("template", rows: templates, example: push, in: visit.texts),
            section("plan", rows: plans, example: nil, in: visit.texts),
        ]
    }

    private func section(_ kind: String, rows: [JSONValue], example: String?, in texts: Catalogue) -> JSONValue {
        var section: JSONObject = [
            "kind": .string(kind), "rows": .array(rows), "has_rows": .bool(!rows.isEmpty), "example": .orNull(example),
        ]
        for text in ["title", "hint", "content", "number"] {
            section[text] = .string(texts["apps", "\(kind)_\(text)"])
        }
        return .object(section)
    }

    /// Returns a row of a section; without a path there is no button to delete it.
    private func row(
        _ name: String,
        text: String?,
        count: JSONValue?,
        id: String? = nil,
        path: String? = nil
    ) -> JSONValue {
        [
            "name": .string(name), "text": .string(text ?? ""), "count": count ?? 0, "id": .orNull(id),
            "path": .orNull(path),
        ]
    }
}

extension JSONObject {
    fileprivate func text(_ key: String) -> String { self[key]?.string ?? "" }
}

extension JSONValue {
    fileprivate func objects(_ member: String) -> [JSONObject] { object?[member]?.array?.compactMap(\.object) ?? [] }
}
