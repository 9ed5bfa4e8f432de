package import CoreMetrics
import Synchronization

/// A backend of swift-metrics that a Prometheus server reads.
///
/// | swift-metrics | Prometheus | name |
/// | --- | --- | --- |
/// | `Counter`, `FloatingPointCounter` | counter | ends in `_total` |
/// | `Gauge`, `Meter` | gauge | as it is |
/// | `Timer` | histogram of seconds | ends in `_seconds` |
/// | `Recorder` | histogram | as it is |
///
/// Dots in names become underscores. Metrics with the same name and the same dimensions are one series. Sources: Prometheus, "Exposition
/// formats" and "Metric and label naming"; OpenMetrics 1.0.
package final class PrometheusMetricsFactory: MetricsFactory {
    private let families = Mutex<[String: MetricFamily]>([:])
    private let help: [String: String]

    /// Creates a factory with a sentence for each metric, by its name with dots. A metric without one has its name as help.
    package init(help: [String: String]) { self.help = help }

    /// Returns a page with all metrics and the facts of this process, ordered by name, and a final line feed.
    package func page(_ format: PrometheusFormat) -> String {
        let families = families.withLock { Array($0.values) } + ProcessFacts.families()
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) { family.write(to: &text, format) }
        if format == .openMetrics { text += "# EOF\n" }
        return text
    }

    /// Returns the handler of a series, made by `make` for a new one. A name that is used for two kinds gets a handler that no page shows.
    private func series<Handler: MetricSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        kind: MetricFamily.Kind,
        make: () -> Handler
    ) -> Handler {
        let name = MetricFamily.name(label, kind)
        let labels = MetricFamily.labels(dimensions)
        return families.withLock { families in
            var family = families[name] ?? MetricFamily(name: name, help: help[label] ?? label, kind: kind)
            guard family.kind == kind else { return make() }
            if let known = family.series[labels] { return known as? Handler ?? make() }
            let new = make()
            family.series[labels] = new
            families[name] = family
            return new
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                for (labels, series) in family.series where series === handler { families[name]?.series[labels] = nil }
            }
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, kind: .counter) { CounterSeries() }
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { series(label, dimensions, kind: .counter) { NumberSeries() } }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, kind: .gauge) { NumberSeries() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, kind: .gauge) { NumberSeries() } }
        return series(label, dimensions, kind: .histogram) { HistogramSeries(bounds: HistogramSeries.sizes) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, kind: .timer) { HistogramSeries(bounds: HistogramSeries.seconds) }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
