/// A chart with a line for each series over the same times, drawn as SVG. Classes name the colours of both themes.
struct LineChart {
    /// A line.
    struct Series {
        var name: String
        var values: [Int]
    }

    /// The id that its title and description are named by; unique on the page.
    var id: String
    var title: String
    /// A description for people who do not see the chart.
    var summary: String
    /// The name of each value's time, from left to right.
    var labels: [String]
    /// At most four.
    var series: [Series]

    private static let width = 720.0
    private static let height = 240.0
    private static let left = 48.0
    private static let right = 12.0
    private static let top = 10.0
    private static let bottom = 26.0
    /// The width that a label below the chart takes at least.
    private static let labelWidth = 96.0

    var svg: String {
        let axis = Axis(fitting: series.flatMap(\.values))
        let parts = [gridLines(axis), [axisLine], timeLabels, series.indices.flatMap { line($0, axis) }].joined()
        return """
            <svg viewBox="0 0 \(Self.text(Self.width)) \(Self.text(Self.height))" role="img" \
            aria-labelledby="\(id)-title \(id)-desc"><title id="\(id)-title">\(title.markup)</title>\
            <desc id="\(id)-desc">\(summary.markup)</desc>\(parts.joined())</svg>
            """
    }

    // MARK: - Places

    private func x(_ index: Int) -> Double {
        let room = Self.width - Self.left - Self.right
        guard labels.count > 1 else { return Self.left + room / 2 }
        return Self.left + room * Double(index) / Double(labels.count - 1)
    }

    private func y(_ value: Int, _ axis: Axis) -> Double {
        let room = Self.height - Self.top - Self.bottom
        return Self.top + room * (1 - Double(max(value, 0)) / Double(axis.top))
    }

    /// Returns a coordinate with one decimal.
    private static func text(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: - Parts

    private func gridLines(_ axis: Axis) -> [String] {
        axis.ticks.map { tick in
            let y = y(tick, axis)
            return """
                <line class="grid-line" x1="\(Self.text(Self.left))" x2="\(Self.text(Self.width - Self.right))" \
                y1="\(Self.text(y))" y2="\(Self.text(y))"/><text x="\(Self.text(Self.left - 8))" \
                y="\(Self.text(y + 4))" text-anchor="end">\(Axis.label(tick))</text>
                """
        }
    }

    private var axisLine: String {
        let y = Self.text(Self.height - Self.bottom)
        return "<line class=\"axis\" x1=\"\(Self.text(Self.left))\" x2=\"\(Self.text(Self.width - Self.right))\" "
            + "y1=\"\(y)\" y2=\"\(y)\"/>"
    }

    /// As many labels as have room.
    private var timeLabels: [String] {
        guard !labels.isEmpty else { return [] }
        let room = Self.width - Self.left - Self.right
        let step = max(Int((Double(labels.count) * Self.labelWidth / room).rounded(.up)), 1)
        return stride(from: 0, to: labels.count, by: step).map { index in
            "<text x=\"\(Self.text(x(index)))\" y=\"\(Self.text(Self.height - 8))\" text-anchor=\"\(anchor(index))\">"
                + "\(labels[index].markup)</text>"
        }
    }

    /// Returns the alignment of a label, which stays within the chart.
    private func anchor(_ index: Int) -> String {
        guard labels.count > 1 else { return "middle" }
        switch index {
        case 0: return "start"
        case labels.count - 1: return "end"
        default: return "middle"
        }
    }

    private func line(_ place: Int, _ axis: Axis) -> [String] {
        let values = series[place].values
        guard !values.isEmpty else { return [] }
        let points = values.enumerated().map { (x: Self.text(x($0.offset)), y: Self.text(y($0.element, axis))) }
        let path = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        let line = "<polyline class=\"line s\(place + 1)\" points=\"\(path)\"/>"
        // A line of one point cannot be seen.
        guard values.count == 1 else { return [line] }
        return ["<circle class=\"p\(place + 1)\" cx=\"\(points[0].x)\" cy=\"\(points[0].y)\" r=\"4\"/>"]
    }
}

extension String {
    /// The text for use between tags or in an attribute of markup.
    var markup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"",
            with: "&quot;"
        )
    }
}

/// A scale from 0 with round numbers.
struct Axis: Hashable {
    /// The values of the lines across the chart, from 0; the last is at least the greatest value.
    let ticks: [Int]

    var top: Int { ticks.last ?? 1 }

    /// `values`: those that must fit on the scale; negative ones count as 0.
    init(fitting values: [Int], lines: Int = 4) {
        let greatest = max(values.max() ?? 0, 1)
        let wanted = max(lines, 1)
        var step = 1
        // 1, 2, 5, 10, 20, …: the first with which so many lines are enough.
        var place = 0
        while Double(step) * Double(wanted) < Double(greatest), step < Int.max / 8 {
            step = place % 3 == 1 ? step / 2 * 5 : step * 2
            place += 1
        }
        let count = (greatest - 1) / step + 1
        ticks = (0...count).map { $0 * step }
    }

    /// Returns a number that fits beside an axis: `950`, `1.5k`, `20M`.
    static func label(_ number: Int) -> String {
        let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")]
        guard let (size, unit) = units.first(where: { number >= $0.0 }) else { return "\(number)" }
        let tenths = (number / (size / 10)) % 10
        return tenths == 0 ? "\(number / size)\(unit)" : "\(number / size).\(tenths)\(unit)"
    }
}

/// A chart with a horizontal bar for each value, drawn as SVG.
struct BarChart {
    /// The id that its title and description are named by; unique on the page.
    var id: String
    var title: String
    /// A description for people who do not see the chart.
    var summary: String
    var bars: [(label: String, value: Int)]

    private static let width = 720
    private static let row = 28
    private static let left = 240
    private static let right = 60
    /// The number of characters of a label that fit.
    private static let letters = 34

    var svg: String {
        let axis = Axis(fitting: bars.map(\.value))
        let height = max(bars.count, 1) * Self.row
        let room = Self.width - Self.left - Self.right
        let rows = bars.enumerated().map { index, bar in
            let length = max(
                Int((Double(max(bar.value, 0)) / Double(axis.top) * Double(room)).rounded()),
                bar.value > 0 ? 1 : 0
            )
            let top = index * Self.row + 4
            let middle = index * Self.row + 18
            return """
                <text x="\(Self.left - 8)" y="\(middle)" text-anchor="end">\(Self.cut(bar.label).markup)</text>\
                <rect class="bar-1" x="\(Self.left)" y="\(top)" width="\(length)" height="\(Self.row - 8)" rx="2"/>\
                <text x="\(Self.left + length + 8)" y="\(middle)">\(Axis.label(bar.value))</text>
                """
        }
        return """
            <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="\(id)-title \(id)-desc">\
            <title id="\(id)-title">\(title.markup)</title><desc id="\(id)-desc">\(summary.markup)</desc>\
            \(rows.joined())</svg>
            """
    }

    private static func cut(_ label: String) -> String {
        label.count > letters ? label.prefix(letters - 1) + "…" : label
    }
}
