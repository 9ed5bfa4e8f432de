package import Foundation

extension Date {
    /// Returns whether a window of a limit that began at this time is over.
    ///
    /// One that begins after `now` is over, too: the clock was set back since, and the limit would stay reached for as long.
    package func isOver(after length: TimeInterval, at now: Date) -> Bool {
        let age = now.timeIntervalSince(self)
        return age >= length || age < 0
    }
}
