import Foundation
import PushModel
import PushService
import Testing

@testable import PosthornPortal

@Suite("Charts and reports of the portal")
struct ChartTests {
    @Test(
        "An axis begins at 0, has round numbers and reaches the greatest value",
        arguments: [
            ([], [0, 1]), ([0, 0], [0, 1]), ([1], [0, 1]), ([3], [0, 1, 2, 3]), ([5], [0, 2, 4, 6]),
            ([8], [0, 2, 4, 6, 8]),
            ([9], [0, 5, 10]), ([41], [0, 20, 40, 60]), ([-5, 2], [0, 1, 2]),
            ([1_234_567], [0, 500_000, 1_000_000, 1_500_000]),
        ]
    )
    func axis(_ values: [Int], _ ticks: [Int]) { #expect(Axis(fitting: values).ticks == ticks) }

    @Test("An axis of any values has at most five lines, in equal steps of 1, 2 or 5 and zeros")
    func round() {
        var value = 1
        while value < 1_000_000_000_000 {
            let ticks = Axis(fitting: [value]).ticks
            #expect(ticks.count <= 5 && ticks.last ?? 0 >= value)
            let step = ticks[1]
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1 - $0 == step })
            #expect(["1", "2", "5"].contains(String(step).replacing("0", with: "")))
            value = value * 13 / 7 + 1
        }
    }

    @Test(
        "Large numbers are short beside an axis",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1k"), (1500, "1.5k"), (20_000_000, "20M"), (2_500_000_000, "2.5G"),
        ]
    )
    func label(_ number: Int, _ text: String) { #expect(Axis.label(number) == text) }

    private static func chart(_ values: [[Int]], labels: [String]) -> String {
        LineChart(
            id: "c",
            title: "Title",
            summary: "Summary",
            labels: labels,
            series: values.enumerated().map { .init(name: "\($0.offset)", values: $0.element) }
        ).svg
    }

    @Test("A chart names itself, has a line for each series and no style of its own")
    func lines() {
        let svg = Self.chart([[0, 10], [5, 5]], labels: ["a", "b"])
        #expect(svg.contains("role=\"img\" aria-labelledby=\"c-title c-desc\""))
        #expect(svg.contains("<title id=\"c-title\">Title</title><desc id=\"c-desc\">Summary</desc>"))
        #expect(!svg.contains("style"))
        // From the bottom of the chart to its top.
        #expect(svg.contains("<polyline class=\"line s1\" points=\"48,214 708,10\"/>"))
        #expect(svg.contains("<polyline class=\"line s2\" points=\"48,112 708,112\"/>"))
    }

    @Test("A chart without data, and one of zeros, has an axis; a single point is a dot")
    func few() {
        let empty = Self.chart([[]], labels: [])
        #expect(empty.contains("class=\"axis\"") && !empty.contains("polyline") && !empty.contains("nan"))
        #expect(Self.chart([[0, 0]], labels: ["a", "b"]).contains("points=\"48,214 708,214\""))
        let single = Self.chart([[7]], labels: ["a"])
        #expect(single.contains("<circle class=\"p1\" cx=\"378\"") && !single.contains("polyline"))
    }

    @Test("Only as many labels are drawn as fit")
    func labels() {
        let names = (0..<168).map { "t\($0)" }
        let drawn = Self.chart([names.indices.map { $0 }], labels: names).matches(of: />t\d+</).count
        #expect(drawn >= 4 && drawn <= 7)
    }

    @Test("Texts in a chart never become markup")
    func markup() {
        let line = Self.chart([[1]], labels: ["<script>"])
        let bar = BarChart(id: "b", title: "\"&", summary: "<b>", bars: [("<img src=x>", 3)]).svg
        #expect(!line.contains("<script") && line.contains("&lt;script&gt;"))
        #expect(!bar.contains("<img") && !bar.contains("<b>") && bar.contains("&quot;&amp;"))
    }

    @Test("Bars are as long as their values; the longest labels are cut")
    func bars() {
        let bars = [(label: String(repeating: "x", count: 99), value: 10), ("b", 5), ("c", 0), ("d", 1)]
        let svg = BarChart(id: "b", title: "t", summary: "s", bars: bars).svg
        let widths = svg.matches(of: /width="(\d+)" height="20"/).compactMap { Int($0.1) }
        #expect(widths == [420, 210, 0, 42])
        #expect(svg.contains("…") && !svg.contains(String(repeating: "x", count: 35)))
    }

    // MARK: - Periods

    private static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// 2026-11-25 23:30 UTC, which is the 26th in Berlin.
    private static let now = Date(timeIntervalSince1970: 1_795_649_400)

    @Test("A period is a day of hours or a fortnight of days unless others are asked for")
    func periods() throws {
        let hours = try #require(ReportPeriod(unit: .hour, from: nil, through: nil, now: Self.now, zone: Self.zone))
        #expect(hours.times.count == 24 && hours.times.first == "2026-11-26 00" && hours.times.last == "2026-11-26 23")
        #expect(hours.name(of: Self.now) == "2026-11-26 00")
        let days = try #require(ReportPeriod(unit: .day, from: nil, through: nil, now: Self.now, zone: Self.zone))
        #expect(days.times.count == 14 && days.first == "2026-11-13" && days.last == "2026-11-26")
        let asked = ReportPeriod(unit: .day, from: "2026-10-24", through: "2026-10-26", now: Self.now, zone: Self.zone)
        // The clocks change on the 25th.
        #expect(asked?.times == ["2026-10-24", "2026-10-25", "2026-10-26"])
    }

    @Test(
        "A period that is too long, ends before it begins, or is none is refused",
        arguments: [
            ("2026-01-01", "2026-03-15"), ("2026-02-02", "2026-02-01"), ("2026-02-30", "2026-03-01"),
            ("<b>", "2026-01-01"),
            ("2026-1-1", "2026-01-02"),
        ]
    )
    func refused(_ first: String, _ last: String) {
        #expect(ReportPeriod(unit: .day, from: first, through: last, now: Self.now, zone: Self.zone) == nil)
    }

    @Test("A report adds up the pushes of each hour, and leaves out those of other times")
    func report() throws {
        let period = try #require(ReportPeriod(unit: .hour, from: nil, through: nil, now: Self.now, zone: Self.zone))
        var report = PushReport(period)
        report.add(at: "2026-11-26 01", DeliveryCounts(target: 4, sent: 3, received: 2, clicked: 1))
        report.add(at: "2026-11-26 01", DeliveryCounts(target: 1, sent: 1))
        report.add(at: "2026-11-27 01", DeliveryCounts(target: 9))
        #expect(report.rows[1].counts == DeliveryCounts(target: 5, sent: 4, received: 2, clicked: 1))
        #expect(report.total.pushes == 2 && report.total.counts.received == 2)
    }

    @Test(
        "Bytes are shown in units of 1024",
        arguments: [(0, "0.0 KiB"), (1536, "1.5 KiB"), (5_368_709_120, "5.0 GiB")]
    )
    func size(_ bytes: Int64, _ text: String) { #expect(Visit.size(bytes) == text) }

    // MARK: - Explanations

    @Test("Each reason for which a push is held back or not shown has an explanation, in each language")
    func explained() throws {
        for language in Language.allCases {
            let explain = try Catalogue(language, from: .embedded)
            let fallback = explain.meaning(of: "suppressed", nil)
            for reason in SuppressionReason.allCases {
                let meaning = explain.meaning(of: "suppressed", reason.rawValue)
                #expect(meaning != nil && meaning != fallback, "\(reason)")
            }
            #expect(explain.meaning(of: "refused", "BadDeviceToken") != explain.meaning(of: "refused", nil))
            for state in Verdict.State.allCases {
                // English has the service's sentence for a verdict.
                let isSaid = language == .english || explain.text("why", "about_\(state.rawValue)") != nil
                #expect(explain.text("why", "state_\(state.rawValue)") != nil && isSaid)
            }
        }
    }
}
