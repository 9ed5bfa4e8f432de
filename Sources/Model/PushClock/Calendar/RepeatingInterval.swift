public import Foundation

/// When a reminder that waits for a time fires.
///
/// Its time runs from the moment it was added, on the device's clock of instants: setting the calendar or changing the zone
/// moves nothing.
///
/// Source: Apple's documentation of `UNTimeIntervalNotificationTrigger`; that time runs from `add` is what developers observe.
public struct RepeatingInterval: Hashable, Sendable {
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case notPositive
        case tooShortToRepeat

        /// Apple's words.
        public var description: String {
            switch self {
            case .notPositive: "time interval must be greater than 0"
            case .tooShortToRepeat: "time interval must be at least 60 if repeating"
            }
        }
    }

    /// The shortest time, in seconds, that may repeat.
    public static let shortestRepeating = 60.0
    /// Some 3,000 years, in seconds: who waits longer waits this long.
    public static let longest = 1e11

    public let seconds: TimeInterval
    public let repeats: Bool

    /// - Throws: ``Problem/notPositive`` for 0, less, or no number; ``Problem/tooShortToRepeat`` for less than 60 seconds
    ///   that repeat.
    public init(seconds: TimeInterval, repeats: Bool = false) throws(Problem) {
        guard seconds > 0 else { throw .notPositive }
        guard !repeats || seconds >= Self.shortestRepeating else { throw .tooShortToRepeat }
        self.seconds = seconds
        self.repeats = repeats
    }

    /// - Parameter elapsed: the time since the reminder was added.
    /// - Returns: the time from then to the first firing that comes strictly after `elapsed`; nil if that was the last.
    public func next(after elapsed: Duration) -> Duration? {
        let interval = Duration.seconds(min(seconds, Self.longest))
        guard elapsed >= interval else { return interval }
        guard repeats else { return nil }
        var passed = Int(elapsed / interval)
        while interval * passed > elapsed { passed -= 1 }
        while interval * passed <= elapsed { passed += 1 }
        return interval * passed
    }

    /// The same in dates, where nobody moves the calendar.
    ///
    /// - Parameters:
    ///   - date: of the same clock as `added`.
    ///   - added: when the reminder was added.
    /// - Returns: the first firing strictly after `date`; nil if there is none.
    public func next(after date: Date, added: Date) -> Date? {
        next(after: max(.zero, .seconds(date.timeIntervalSince(added)))).map {
            added.addingTimeInterval($0 / .seconds(1))
        }
    }
}
