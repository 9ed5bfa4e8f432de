import Hummingbird
import PushModel
import PushService

extension ReportPages {
    /// Returns the report of pushes by the app's version, as a chart and a table.
    func versions(of messages: [String], _ visit: AppVisit) async throws -> JSONObject {
        let texts = visit.texts
        var found: [JSONObject] = []
        if !messages.isEmpty {
            let path = "/posthorn/v1/reports/app-versions\(Query(["msg_ids": messages.joined(separator: ",")]).text)"
            found = try await visit.list(path, "app_versions")
        }
        let rows = found.map { version in
            var row = version
            row["name"] = .string(version["app_version"]?.string ?? texts["reports", "no_version"])
            return row
        }
        let chart = BarChart(
            id: "versions-chart",
            title: texts["reports", "versions"],
            summary: texts["reports", "versions_summary"],
            bars: rows.map { ($0["name"]?.string ?? "", Int($0["received"]?.integer ?? 0)) }
        )
        return [
            "svg": .string(chart.svg), "summary": .string(chart.summary), "is_empty": .bool(rows.isEmpty),
            "rows": .array(rows.map { .object($0) }),
        ]
    }
}
