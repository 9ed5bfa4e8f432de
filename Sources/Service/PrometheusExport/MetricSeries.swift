import CoreMetrics
import Synchronization

/// The values of a metric with one set of dimensions.
protocol MetricSeries: AnyObject, Sendable {
    /// The values for a page.
    var reading: MetricReading { get }
}

enum MetricReading: Sendable {
    case integer(Int64)
    case number(Double)
    case histogram(Histogram)
}

struct Histogram: Sendable {
    /// The upper bounds of the buckets, without the last, which has none.
    let bounds: [Double]
    /// The number of values in each bucket, one more than ``bounds``.
    var counts: [UInt64]
    var sum: Double

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
        sum = 0
    }

    mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}

final class CounterSeries: MetricSeries, CounterHandler {
    private let value = Atomic<Int64>(0)
    var reading: MetricReading { .integer(value.load(ordering: .relaxed)) }

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }
}

/// A gauge, or a counter of fractions.
final class NumberSeries: MetricSeries, MeterHandler, RecorderHandler, FloatingPointCounterHandler {
    private let value = Mutex<Double>(0)
    var reading: MetricReading { .number(value.withLock { $0 }) }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func reset() { set(0.0) }
}

final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    /// Bounds for durations: from a commit on a fast disk to an answer that is given up.
    static let seconds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
    /// Bounds for sizes: from a push to one device to a push to a million.
    static let sizes: [Double] = [1, 2, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 100_000, 1_000_000]

    private let histogram: Mutex<Histogram>
    var reading: MetricReading { .histogram(histogram.withLock { $0 }) }

    init(bounds: [Double]) { histogram = Mutex(Histogram(bounds: bounds)) }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { histogram.withLock { $0.add(value) } }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
