import Foundation
import Hummingbird
import PushClock
import PushModel
import PushService

/// Reports on the pushes and the devices of an app, as charts and tables.
struct ReportPages: Sendable {
    let portal: PortalEnvironment

    /// The numbers of pushes that a report reads, of those in one call, and of those whose reasons are read.
    private static let (limit, batch, explained) = (1000, 100, 50)
    /// The number of calls that look for the pushes of a period.
    private static let calls = 20

    func add(to router: RouterGroup<PortalContext>) {
        router.page("/reports", of: portal) { try await show($0) }
    }

    private func show(_ visit: AppVisit) async throws -> Response {
        let (request, texts) = (visit.request, visit.texts)
        let unit: ReportUnit = request.wish("unit") == "day" ? .day : .hour
        let (from, through) = (request.wish("from"), request.wish("through"))
        func period(_ from: String?, _ through: String?) -> ReportPeriod? {
            ReportPeriod(unit: unit, from: from, through: through, now: portal.clock.date, zone: portal.timeZone)
        }
        let wanted = period(from, through)
        guard let period = wanted ?? period(nil, nil) else { throw PortalProblem(.internalServerError, "failed") }
        var values: JSONObject = [
            "is_hour": .bool(unit == .hour), "from": .string(period.first), "through": .string(period.last),
            "zone": .string(portal.timeZone.identifier),
        ]
        func words(_ key: String, _ values: [String: Int]) -> JSONValue {
            .string(texts.text("reports", key, with: values.mapValues { "\($0)" }))
        }
        if wanted == nil { values["problem"] = words("bad_period", ["days": ReportPeriod.longest[unit] ?? 0]) }
        let found = try await messages(in: period, visit)
        let report = try await report(on: found.messages, in: period, visit)
        values["has_pushes"] = .bool(report.total.pushes > 0)
        values["pushes"] = .object(json(report, texts))
        if found.isPartial { values["partial"] = words("partial", ["count": found.messages.count]) }
        let explained = found.messages.prefix(Self.explained)
        values["reasons"] = .object(try await reasons(of: Array(explained), visit))
        values["versions"] = .object(try await versions(of: explained.map(\.id), visit))
        if found.messages.count > Self.explained {
            values["reasons_partial"] = words("reasons_partial", ["count": Self.explained])
        }
        values["users"] = .object(try await users(in: period, visit))
        return visit.page("reports", title: texts["reports", "title"], values, section: "reports")
    }

    // MARK: - Pushes

    /// A push of the period.
    private struct Found {
        var id: String
        var time: String
    }

    /// Returns the newest pushes of a period, and whether there are more than a report reads.
    private func messages(
        in period: ReportPeriod,
        _ visit: AppVisit
    ) async throws -> (messages: [Found], isPartial: Bool) {
        var found: [Found] = []
        var before: String?
        for _ in 0..<Self.calls {
            let query = Query(["before": before, "limit": "\(Self.limit)"])
            let answer: MessageListAnswer = try await visit.read("/posthorn/v1/messages\(query.text)")
            for message in answer.messages {
                let time = period.name(of: message.acceptedAt)
                // The list goes back in time.
                if let first = period.times.first, time < first { return (found, false) }
                guard let last = period.times.last, time <= last else { continue }
                guard found.count < Self.limit else { return (found, true) }
                found.append(Found(id: message.msgID, time: time))
            }
            before = answer.next
            if before == nil { return (found, false) }
        }
        return (found, true)
    }

    private func report(on messages: [Found], in period: ReportPeriod, _ visit: AppVisit) async throws -> PushReport {
        var report = PushReport(period)
        for start in stride(from: 0, to: messages.count, by: Self.batch) {
            let part = messages[start..<min(start + Self.batch, messages.count)]
            let ids = part.map(\.id).joined(separator: ",")
            let answers: [MessageDetailAnswer] = try await visit.read("/v3/messages/detail?msg_ids=\(ids)")
            for (message, answer) in zip(part, answers) {
                report.add(at: message.time, answer.details.notification.all.counts)
            }
        }
        return report
    }

    private func json(_ report: PushReport, _ texts: Catalogue) -> JSONObject {
        let period = report.period
        let kinds: [(String, KeyPath<PushReport.Row, Int>)] = [
            ("target", \.counts.target), ("sent", \.counts.sent), ("received", \.counts.received),
            ("opened", \.counts.clicked),
        ]
        let chart = LineChart(
            id: "pushes-chart",
            title: texts["reports", "pushes"],
            summary: texts.text("reports", "pushes_summary", with: ["from": period.first, "through": period.last]),
            labels: period.times.map { Self.short($0, in: period) },
            series: kinds.map { key, path in
                .init(name: texts["reports", key], values: report.rows.map { $0[keyPath: path] })
            }
        )
        // Rows without a push would hide the others.
        let rows = zip(period.times, report.rows).filter { $0.1.pushes > 0 }
        return [
            "svg": .string(chart.svg), "summary": .string(chart.summary),
            "legend": Self.legend(chart.series.map(\.name)),
            "rows": .array(rows.map { Self.json($0.1, time: Self.full($0.0, in: period)) }),
            "total": Self.json(report.total, time: texts["reports", "total"]),
        ]
    }

    private static func json(_ row: PushReport.Row, time: String) -> JSONValue {
        var json = JSONCoding.object(of: row.counts)
        (json["time"], json["count"]) = (.string(time), .number(row.pushes))
        return .object(json)
    }

    private static func legend(_ names: [String]) -> JSONValue {
        .array(names.enumerated().map { ["name": .string($0.element), "class": .string("s\($0.offset + 1)")] })
    }

    /// Returns the name of a time below a chart: `25 14:00` or `14:00` for an hour, `11-25` for a day.
    private static func short(_ time: String, in period: ReportPeriod) -> String {
        guard period.unit == .hour else { return String(time.dropFirst(5)) }
        return (period.first == period.last ? String(time.suffix(2)) : String(time.dropFirst(5))) + ":00"
    }

    private static func full(_ time: String, in period: ReportPeriod) -> String {
        period.unit == .hour ? "\(time):00" : time
    }

    // MARK: - Reasons

    private func reasons(of messages: [Found], _ visit: AppVisit) async throws -> JSONObject {
        let texts = visit.texts
        let explain = Explanation(texts)
        var devices: [String: Int] = [:]
        var meanings: [String: String] = [:]
        for message in messages {
            let whole: MessageStandingAnswer = try await visit.read("/posthorn/v1/messages/\(message.id)")
            for outcome in whole.outcomes {
                let parts = [explain.name(of: outcome.event), outcome.reason].compactMap(\.self)
                let name = parts.joined(separator: texts["layout", "colon"])
                devices[name, default: 0] += outcome.devices
                meanings[name] = explain.meaning(of: outcome.event, outcome.reason) ?? outcome.sentence
            }
        }
        let sorted = devices.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let chart = BarChart(
            id: "reasons-chart",
            title: texts["reports", "reasons"],
            summary: texts["reports", "reasons_summary"],
            bars: sorted.map { ($0.key, $0.value) }
        )
        return [
            "svg": .string(chart.svg), "summary": .string(chart.summary), "is_empty": .bool(sorted.isEmpty),
            "rows": .array(
                sorted.map { name, count in
                    [
                        "name": .string(name), "devices": .number(count), "meaning": .string(meanings[name] ?? ""),
                    ]
                }
            ),
        ]
    }

    // MARK: - Devices

    private func users(in period: ReportPeriod, _ visit: AppVisit) async throws -> JSONObject {
        let texts = visit.texts
        let query = Query([
            "time_unit": period.unit.rawValue, "start": period.times.first, "duration": "\(period.times.count)",
        ])
        let answer: UsersAnswer = try await visit.read("/v3/users\(query.text)")
        let items = answer.items
        let measures: [(String, KeyPath<UsersAnswer.Counts, Int>)] = [
            ("new", \.new), ("online", \.online), ("active", \.active),
        ]
        let series = measures.map { key, path in
            LineChart.Series(name: texts["reports", key], values: items.map { $0.ios?[keyPath: path] ?? 0 })
        }
        let unit = texts["reports", period.unit == .hour ? "hour" : "day"].lowercased()
        let chart = LineChart(
            id: "users-chart",
            title: texts["reports", "users"],
            summary: texts.text("reports", "users_summary", with: ["unit": unit]),
            labels: items.map { Self.short($0.time, in: period) },
            series: series
        )
        let rows = items.enumerated().filter { item in series.contains { $0.values[item.offset] > 0 } }
        return [
            "svg": .string(chart.svg), "summary": .string(chart.summary), "legend": Self.legend(series.map(\.name)),
            "rows": .array(
                rows.map { place, item in
                    [
                        "time": .string(Self.full(item.time, in: period)),
                        "values": .array(series.map { .number($0.values[place]) }),
                    ]
                }
            ),
        ]
    }
}
