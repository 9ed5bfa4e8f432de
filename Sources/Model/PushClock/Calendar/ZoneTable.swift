import Foundation
import Synchronization

/// The UTC offsets of a time zone, read from Foundation once.
///
/// Each zone has one table.
final class ZoneTable: Hashable, Sendable {
    /// The range in seconds since 1970 during which the zone keeps one offset.
    struct Span: Hashable, Sendable {
        var start: Int
        var end: Int
        /// Seconds east of UTC.
        var offset: Int
    }

    /// The years 1900 to 2199; Foundation handles dates outside them.
    static let range = -2_208_988_800..<7_258_118_400

    private let spans: [Span]

    private init(_ zone: TimeZone) {
        var spans: [Span] = []
        var start = Self.range.lowerBound
        while start < Self.range.upperBound {
            let date = Date(timeIntervalSince1970: Double(start))
            let next = zone.nextDaylightSavingTimeTransition(after: date).map { Int($0.timeIntervalSince1970) }
            let end = min(max(next ?? Self.range.upperBound, start + 1), Self.range.upperBound)
            let offset = zone.secondsFromGMT(for: date)
            if let last = spans.last, last.offset == offset {
                spans[spans.count - 1].end = end
            } else {
                spans.append(Span(start: start, end: end, offset: offset))
            }
            start = end
        }
        spans[0].start = .min
        spans[spans.count - 1].end = .max
        self.spans = spans
    }

    private static let known = Mutex<[TimeZone: ZoneTable]>([:])

    static func table(of zone: TimeZone) -> ZoneTable {
        if let table = known.withLock({ $0[zone] }) { return table }
        let table = ZoneTable(zone)
        return known.withLock { known in
            if let other = known[zone] { return other }
            known[zone] = table
            return table
        }
    }

    func span(at instant: Int) -> Span { spans[index(at: instant)] }

    /// Returns the first instant with a local time, in seconds since 1970 in a zone without offset; if it is skipped, the
    /// instant of the clock change.
    func firstInstant(showing local: Int) -> Int {
        // No offset is as long as a day, so the instant is in or after the period that was in effect one day earlier.
        var index = index(at: local - 90_000)
        while true {
            let span = spans[index]
            let instant = local - span.offset
            if instant < span.start { return span.start }
            if instant < span.end { return instant }
            index += 1
        }
    }

    /// Returns the last instant with a local time, as in ``firstInstant(showing:)``; if it is skipped, the instant of the clock change.
    func lastInstant(showing local: Int) -> Int {
        var index = index(at: local + 90_000)
        while true {
            let span = spans[index]
            let instant = local - span.offset
            if instant >= span.end { return span.end }
            if instant >= span.start || index == 0 { return instant }
            index -= 1
        }
    }

    /// Returns whether `day` exists in the zone (Samoa had no 30 December 2011), from a moment of it or of the clock change
    /// that skips it.
    func has(_ day: CivilDay, around instant: Int) -> Bool {
        shows(day, at: instant) || shows(day, at: firstInstant(showing: day.number * 86_400))
    }

    private func shows(_ day: CivilDay, at instant: Int) -> Bool {
        (instant + span(at: instant).offset).floored(by: 86_400) == day.number
    }

    static func == (left: ZoneTable, right: ZoneTable) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    private func index(at instant: Int) -> Int {
        var low = 0
        var high = spans.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if spans[middle].start <= instant {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }
}
