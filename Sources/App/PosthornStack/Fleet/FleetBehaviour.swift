import Foundation
import PushModel

/// The behaviour of the phones of a ``PhoneFleet``. All times are in seconds, and exponentially distributed around their means.
package struct FleetBehaviour: Equatable, Sendable {
    /// All choices of all phones, and their ids and keys, follow from it.
    package var seed: UInt64 = 1
    /// The share of the phones without a link, on average.
    package var offlineShare = 0.0
    /// The share of the pushes that their users open.
    package var openShare = 0.0
    /// The mean time that a phone is without a link.
    package var offlineSeconds = 60.0
    /// The mean time until a phone acknowledges a push; 0 for at once.
    package var deliverySeconds = 0.0
    /// The mean time from the acknowledgement of a push to its opening.
    package var openSeconds = 30.0

    package init() {}

    /// The mean time that a phone has a link; nil for always.
    var onlineSeconds: Double? {
        offlineShare > 0 ? offlineSeconds * (1 - offlineShare) / offlineShare : nil
    }

    /// The random numbers of one phone for one purpose.
    func random(_ phone: Int, _ purpose: UInt64) -> SplitMix {
        var mixed = SplitMix(seed: seed &+ UInt64(phone) &* 0x9E37_79B9_7F4A_7C15)
        return SplitMix(seed: mixed.next() ^ purpose)
    }
}

extension SplitMix {
    /// Returns a time of an exponential distribution.
    mutating func seconds(mean: Double) -> Double { -log(1 - Double.random(in: 0..<1, using: &self)) * mean }
}

/// The percentiles of many durations, to 5 %, in memory that does not grow with their number.
struct Percentiles: Sendable {
    /// The buckets of a factor of two.
    private static let steps = 16.0
    private var counts: [Int: Int] = [:]
    private var count = 0

    mutating func add(_ duration: Duration) {
        let milliseconds = max(0.001, duration / .milliseconds(1))
        counts[Int((log2(milliseconds) * Self.steps).rounded()), default: 0] += 1
        count += 1
    }

    /// The milliseconds that a part of the durations does not exceed; nil if there are none.
    private func milliseconds(_ part: Double) -> Double? {
        var rest = Int((Double(count) * part).rounded(.up))
        for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
            rest -= count
            if rest <= 0 { return ((exp2(Double(bucket) / Self.steps)) * 1000).rounded() / 1000 }
        }
        return nil
    }

    var json: JSONMembers? {
        guard count > 0 else { return nil }
        return ["p50": milliseconds(0.5), "p90": milliseconds(0.9), "p99": milliseconds(0.99), "max": milliseconds(1)]
    }
}
