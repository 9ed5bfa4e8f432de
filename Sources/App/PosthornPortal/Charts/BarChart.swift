/// A chart with a horizontal bar for each value, drawn as SVG.
struct BarChart {
    /// The id that its title and description are named by; unique on the page.
    var id: String
    var title: String
    /// A description for people who do not see the chart.
    var summary: String
    var bars: [(label: String, value: Int)]

    private static let (width, row, left, right) = (720, 28, 240, 60)
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
            let (top, middle) = (index * Self.row + 4, index * Self.row + 18)
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
