import Hummingbird
import PushModel
import PushService

extension ReportPages {
    /// Returns the report of pushes by the app's version, as a chart and a table.
    func versions(of messages: [String], _ visit: AppVisit) async throws -> JSONObject {
        let texts = visit.texts
        var found: [AppVersionCounts] = []
        if !messages.isEmpty {
            let query = Query(["msg_ids": messages.joined(separator: ",")])
            let answer: AppVersionsAnswer = try await visit.read("/posthorn/v1/reports/app-versions\(query.text)")
            found = answer.appVersions
        }
        let names = found.map { $0.appVersion ?? texts["reports", "no_version"] }
        let chart = BarChart(
            id: "versions-chart",
            title: texts["reports", "versions"],
            summary: texts["reports", "versions_summary"],
            bars: zip(names, found).map { ($0, $1.counts.received) }
        )
        return [
            "svg": .string(chart.svg), "summary": .string(chart.summary), "is_empty": .bool(found.isEmpty),
            "rows": .array(
                zip(names, found).map { name, version in
                    var row = JSONCoding.object(of: version.counts)
                    row["name"] = .string(name)
                    return .object(row)
                }
            ),
        ]
    }
}
