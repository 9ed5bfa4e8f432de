import Foundation
import Hummingbird
import PosthornStack
import PushModel
import PushService

/// One app: its settings and credentials.
extension AppVisit {
    func showApp() async throws -> Response {
        let facts: CredentialsAnswer = try await portal.perform(.appShow(app: app.key.text), in: context)
        var values: PageValues = [
            "created": portal.shown(app.createdAt), "verdict": facts.verdict,
            "credentials": facts.credentials.map { portal.row($0, texts) },
            "devices": try await portal.devices(of: app, for: request, context),
            "is_strict": app.isStrict, "kept": try await kept(),
        ]
        if let hours = app.quietHours {
            values["quiet"] = hours.json
            values["quiet_zone"] = if case .named(let zone) = hours.zone { zone } else { "" }
            values["is_time_sensitive"] = hours.allowsTimeSensitive
        }
        return page("app", title: app.name, values)
    }

    /// Returns the segments, templates and push plans of the app.
    private func kept() async throws -> [PageValues] {
        func list(_ path: String, _ members: String...) async throws -> [JSONObject] {
            let answer = try await get(path)
            return members.reduce(answer) { $0.object?[$1] ?? .null }.array?.compactMap(\.object) ?? []
        }
        let segments = try await list("/posthorn/v1/segments", "segments").map { segment in
            let path = "/posthorn/v1/segments/\(APIClient.encoded(segment["name"]?.string ?? ""))"
            return row(segment, text: segment["rule"]?.text, count: segment["counts"]?.object?["devices"], path: path)
        }
        let templates = try await list("/posthorn/v1/templates", "templates").map { template in
            let count = JSONValue.number(template.strings("variables").count)
            let path = "/posthorn/v1/templates/\(template["id"]?.string ?? "")"
            return row(template, text: template["push"]?.text, count: count, path: path)
        }
        let plans = try await list("/v3/push_plan/list?page_size=\(JPushLimits.plansPerPage.most)", "data", "detail")
            .map { row($0, text: $0["description"]?.string, count: $0["push_count"]) }
        let rule = #"{"audience":{"tag":["news"]},"seen_within_days":30}"#
        let push = #"{"platform":"all","notification":{"alert":"Hi {{name}}"}}"#
        return [
            section("segment", rows: segments, example: rule), section("template", rows: templates, example: push),
            section("plan", rows: plans, example: nil),
        ]
    }

    private func section(_ kind: String, rows: [PageValues], example: String?) -> PageValues {
        var section: PageValues = ["kind": kind, "rows": rows, "has_rows": !rows.isEmpty, "example": example]
        for text in ["title", "hint", "content", "number"] { section[text] = texts["apps", "\(kind)_\(text)"] }
        return section
    }

    /// Returns a row of a section; without a path there is no button to delete it.
    private func row(_ kept: JSONObject, text: String?, count: JSONValue?, path: String? = nil) -> PageValues {
        ["name": kept["name"], "text": text ?? "", "count": count ?? 0, "id": kept["id"], "path": path]
    }
}
