import Foundation
import Hummingbird
import PushClock
import PushModel
import PushService

/// Reports on the pushes and the devices of an app, as charts and tables.
extension AppVisit {
    /// The numbers of pushes that a report reads, of those in one call, and of those whose reasons are read.
    private static let limit = 1000
    private static let batch = 100
    private static let explained = 50
    /// The number of calls that look for the pushes of a period.
    private static let calls = 20

    func report() async throws -> Response {
        let unit: ReportUnit = request.wish("unit") == "day" ? .day : .hour
        func period(_ from: String?, _ through: String?) -> ReportPeriod? {
            ReportPeriod(unit: unit, from: from, through: through, now: portal.clock.date, zone: portal.timeZone)
        }
        func words(_ key: String, _ values: [String: Int]) -> String {
            texts.text("reports", key, with: values.mapValues { "\($0)" })
        }
        let wanted = period(request.wish("from"), request.wish("through"))
        guard let period = wanted ?? period(nil, nil) else { throw PortalProblem(.internalServerError, "failed") }
        let found = try await messages(in: period)
        let report = try await report(on: found.messages, in: period)
        let explained = Array(found.messages.prefix(Self.explained))
        var values: PageValues = [
            "is_hour": unit == .hour, "from": period.first, "through": period.last,
            "has_pushes": report.total.pushes > 0, "pushes": values(report),
            "reasons": try await reasons(of: explained),
            "by_name": [
                try await counts(of: explained.map(\.id), by: "app-versions"),
                try await counts(of: explained.map(\.id), by: "languages"),
            ],
            "users": try await users(in: period),
        ]
        if wanted == nil { values["problem"] = words("bad_period", ["days": ReportPeriod.longest[unit] ?? 0]) }
        if found.isPartial { values["partial"] = words("partial", ["count": found.messages.count]) }
        if found.messages.count > Self.explained {
            values["reasons_partial"] = words("reasons_partial", ["count": Self.explained])
        }
        return page("reports", values)
    }

    // MARK: - Pushes

    /// A push of the period.
    private struct Found {
        var id: String
        var time: String
    }

    /// Returns the newest pushes of a period, and whether there are more than a report reads.
    private func messages(in period: ReportPeriod) async throws -> (messages: [Found], isPartial: Bool) {
        var found: [Found] = []
        var before: String?
        for _ in 0..<Self.calls {
            let query = Query(["before": before, "limit": "\(Self.limit)"])
            let answer: MessageListAnswer = try await read("/posthorn/v1/messages\(query.text)")
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

    private func report(on messages: [Found], in period: ReportPeriod) async throws -> PushReport {
        var report = PushReport(period)
        for part in messages.slices(of: Self.batch) {
            let ids = part.map(\.id).joined(separator: ",")
            let answers: [MessageDetailAnswer] = try await read("/v3/messages/detail?msg_ids=\(ids)")
            for (message, answer) in zip(part, answers) {
                report.add(at: message.time, answer.details.notification.all.counts)
            }
        }
        return report
    }

    private func values(_ report: PushReport) -> PageValues {
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
            "svg": chart.svg, "summary": chart.summary, "legend": Self.legend(chart),
            "rows": rows.map { Self.values($0.1, time: Self.full($0.0, in: period)) },
            "total": Self.values(report.total, time: texts["reports", "total"]),
        ]
    }

    private static func values(_ row: PushReport.Row, time: String) -> PageValues {
        var values = PageValues(of: row.counts)
        values["time"] = time
        values["count"] = row.pushes
        return values
    }

    private static func legend(_ chart: LineChart) -> [PageValues] {
        chart.series.enumerated().map { ["name": $0.element.name, "class": "s\($0.offset + 1)"] }
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

    private func reasons(of messages: [Found]) async throws -> PageValues {
        var devices: [String: Int] = [:]
        var meanings: [String: String] = [:]
        for message in messages {
            let whole: MessageStandingAnswer = try await read("/posthorn/v1/messages/\(message.id)")
            for outcome in whole.outcomes {
                let parts = [texts.name(of: outcome.event), outcome.reason].compactMap(\.self)
                let name = parts.joined(separator: texts["layout", "colon"])
                devices[name, default: 0] += outcome.devices
                meanings[name] = texts.meaning(of: outcome.event, outcome.reason) ?? texts.said(outcome.sentence)
            }
        }
        let sorted = devices.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var values = bars("reasons", sorted.map { ($0.key, $0.value) })
        values["rows"] = sorted.map { name, count -> PageValues in
            ["name": name, "devices": count, "meaning": meanings[name]]
        }
        return values
    }

    private func bars(_ name: String, _ bars: [(label: String, value: Int)]) -> PageValues {
        let title = texts["reports", name]
        let summary = texts["reports", "\(name)_summary"]
        let chart = BarChart(id: "\(name)-chart", title: title, summary: summary, bars: bars)
        return ["svg": chart.svg, "summary": summary, "is_empty": bars.isEmpty]
    }

    // MARK: - Versions and languages

    /// Returns the report of pushes by what their devices report, as a chart and a table; `name` is the path of the report.
    private func counts(of messages: [String], by name: String) async throws -> PageValues {
        let section = name == "languages" ? name : "versions"
        var found: [(name: String, counts: DeliveryCounts)] = []
        if !messages.isEmpty {
            let query = Query(["msg_ids": messages.joined(separator: ",")])
            let answer = try await get("/posthorn/v1/reports/\(name)\(query.text)")
            // The only member is the list.
            for row in answer.object?.members.first?.value.array ?? [] {
                let named = row.object?["language"]?.string ?? row.object?["app_version"]?.string
                found.append((named ?? texts["reports", "no_\(section)"], try JSONCoding.read(from: row)))
            }
        }
        var values = bars(section, found.map { ($0.name, $0.counts.received) })
        values["name"] = section
        values["title"] = texts["reports", section]
        values["column"] = texts["reports", "\(section)_name"]
        values["rows"] = found.map { name, counts in
            var row = PageValues(of: counts)
            row["name"] = name
            return row
        }
        return values
    }

    // MARK: - Devices

    private func users(in period: ReportPeriod) async throws -> PageValues {
        let query = Query([
            "time_unit": period.unit.rawValue, "start": period.times.first, "duration": "\(period.times.count)",
        ])
        let answer: UsersAnswer = try await read("/v3/users\(query.text)")
        let items = answer.items
        let measures: [(String, KeyPath<UsersAnswer.Counts, Int>)] = [
            ("new", \.new), ("online", \.online), ("active", \.active),
        ]
        let unit = texts["reports", period.unit == .hour ? "hour" : "day"].lowercased()
        let chart = LineChart(
            id: "users-chart",
            title: texts["reports", "users"],
            summary: texts.text("reports", "users_summary", with: ["unit": unit]),
            labels: items.map { Self.short($0.time, in: period) },
            series: measures.map { key, path in
                .init(name: texts["reports", key], values: items.map { $0.ios?[keyPath: path] ?? 0 })
            }
        )
        let rows = items.enumerated().map { place, item in
            (time: Self.full(item.time, in: period), values: chart.series.map { $0.values[place] })
        }
        return [
            "svg": chart.svg, "summary": chart.summary, "legend": Self.legend(chart),
            "rows": rows.filter { $0.values.contains { $0 > 0 } }.map { row -> PageValues in
                ["time": row.time, "values": row.values]
            },
        ]
    }
}
