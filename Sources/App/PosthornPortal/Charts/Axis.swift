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
