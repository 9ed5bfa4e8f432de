package import Foundation

/// A time of every day, such as from 22:00 to 07:00, as clocks on the wall show it.
///
/// The window begins at ``start`` and is over at ``end``; one that begins later than it ends goes on past midnight. It is in one piece
/// also where clocks change: it begins when they first show its start, and ends when they last show its end. A time that they
/// jump over counts as the moment of the jump.
package struct DailyWindow: Hashable, Sendable {
    /// Seconds since midnight.
    package let start: Int
    package let end: Int

    /// Nil for a window that would begin when it ends, and for times that no day has.
    package init?(start: Int, end: Int) {
        let day = 0..<86_400
        guard start != end, day.contains(start), day.contains(end) else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// When the window is over that `date` lies in.
    ///
    /// - Parameters:
    ///   - date: any moment.
    ///   - zone: in which the window is read.
    /// - Returns: nil outside of the window.
    package func end(of date: Date, in zone: TimeZone) -> Date? {
        let table = ZoneTable.table(of: zone)
        var end: Int?
        var instant = Int(date.timeIntervalSince1970.rounded(.down))
        // Where clocks jump over a day, or over the time between two windows, one goes over into the next.
        while let next = self.end(of: instant, in: table), next > instant {
            (end, instant) = (next, next)
        }
        return end.map { Date(timeIntervalSince1970: Double($0)) }
    }

    private func end(of instant: Int, in zone: ZoneTable) -> Int? {
        let today = (instant + zone.span(at: instant).offset).floored(by: 86_400)
        // A day may be shown again after the clocks were set back over midnight.
        return (today - 2...today + 1).lazy.compactMap { day -> Int? in
            let midnight = day * 86_400
            let last = zone.lastInstant(showing: midnight + end + (end < start ? 86_400 : 0))
            return zone.firstInstant(showing: midnight + start) <= instant && instant < last ? last : nil
        }.max()
    }
}
