/// A metric with all its series.
struct MetricFamily: Sendable {
    enum Kind: Sendable {
        case counter
        case gauge
        case histogram
        /// A histogram of seconds.
        case timer

        fileprivate var type: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram, .timer: "histogram"
            }
        }
    }

    /// The name without the suffix `_total`.
    let name: String
    let help: String
    let kind: Kind
    /// By the labels as text: `a="b",c="d"`, or nothing.
    var series: [String: any MetricSeries] = [:]

    /// Returns the name of a family: letters, digits and underscores.
    static func name(_ label: String, _ kind: Kind) -> String {
        let name = word(label)
        return kind == .timer ? name + "_seconds" : name
    }

    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { #"\#(word($0.0))="\#(escaped($0.1))""# }.joined(separator: ",")
    }

    private static func word(_ text: String) -> String {
        let word = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return word.first?.isNumber == true ? "_" + word : word
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(#"\"#, with: #"\\"#).replacing("\n", with: #"\n"#).replacing(#"""#, with: #"\""#)
    }

    /// Writes the family's lines.
    func write(to text: inout String, _ format: PrometheusFormat) {
        guard !series.isEmpty else { return }
        let sampleName = kind == .counter ? name + "_total" : name
        let header = format == .openMetrics ? name : sampleName
        text += "# HELP \(header) \(Self.escapedHelp(help))\n# TYPE \(header) \(kind.type)\n"
        if format == .openMetrics, kind == .timer { text += "# UNIT \(header) seconds\n" }
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
            switch series.reading {
            case .integer(let value): text += "\(sampleName)\(Self.braces(labels)) \(value)\n"
            case .number(let value): text += "\(sampleName)\(Self.braces(labels)) \(Self.number(value))\n"
            case .histogram(let histogram): write(histogram, labels, to: &text)
            }
        }
    }

    private func write(_ histogram: Histogram, _ labels: String, to text: inout String) {
        let separator = labels.isEmpty ? "" : ","
        var total: UInt64 = 0
        for (index, count) in histogram.counts.enumerated() {
            total += count
            let bound = index < histogram.bounds.count ? Self.number(histogram.bounds[index]) : "+Inf"
            text += "\(name)_bucket{\(labels)\(separator)le=\"\(bound)\"} \(total)\n"
        }
        text += "\(name)_sum\(Self.braces(labels)) \(Self.number(histogram.sum))\n"
        text += "\(name)_count\(Self.braces(labels)) \(total)\n"
    }

    private static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    private static func escapedHelp(_ text: String) -> String {
        text.replacing(#"\"#, with: #"\\"#).replacing("\n", with: #"\n"#).replacing(#"""#, with: "'")
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }
}
