package import Foundation

/// A daily period in local time, such as 22:00 to 07:00.
///
/// The window begins at ``start`` and ends before ``end``; if ``start`` is later than ``end``, it spans midnight. A clock
/// change does not split it: it begins when its start time first occurs and ends when its end time last occurs. A skipped time
/// counts as the moment of the clock change.
package struct DailyWindow: Hashable, Sendable {
    /// Seconds since midnight.
    package let start: Int
    package let end: Int

    /// Creates a window; nil if both times are equal or one is outside a day.
    package init?(start: Int, end: Int) {
        let day = 0..<86_400
        guard start != end, day.contains(start), day.contains(end) else { return nil }
        self.start = start
        self.end = end
    }

    /// Returns the end of the window that contains `date`; nil if `date` is outside the window.
    package func end(of date: Date, in zone: TimeZone) -> Date? {
        let table = ZoneTable.table(of: zone)
        var end: Int?
        var instant = Int(date.timeIntervalSince1970.rounded(.down))
        // If a clock change skips a day, or the time between two windows, one window continues into the next.
        while let next = self.end(of: instant, in: table), next > instant {
            end = next
            instant = next
        }
        return end.map { Date(timeIntervalSince1970: Double($0)) }
    }

    private func end(of instant: Int, in zone: ZoneTable) -> Int? {
        let today = (instant + zone.span(at: instant).offset).floored(by: 86_400)
        // A day may occur again after the clocks were set back across midnight.
        return (today - 2...today + 1).lazy.compactMap { day -> Int? in
            let midnight = day * 86_400
            let last = zone.lastInstant(showing: midnight + end + (end < start ? 86_400 : 0))
            return zone.firstInstant(showing: midnight + start) <= instant && instant < last ? last : nil
        }.max()
    }
}
