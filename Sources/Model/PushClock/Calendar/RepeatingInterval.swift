public import Foundation

/// The firing times of a reminder with a time interval.
///
/// The interval runs from the moment the reminder was added, on the device's monotonic clock: changing the date or the zone has
/// no effect.
///
/// Source: Apple's documentation of `UNTimeIntervalNotificationTrigger`; that the interval starts at `add` is developers' observation.
public struct RepeatingInterval: Hashable, Sendable {
    /// The reason why an interval is invalid.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The interval is zero, negative or not a number.
        case notPositive
        /// The interval repeats and is shorter than 60 seconds, the least that iOS accepts.
        case tooShortToRepeat

        /// Apple's error message.
        public var description: String {
            switch self {
            case .notPositive: "time interval must be greater than 0"
            case .tooShortToRepeat: "time interval must be at least 60 if repeating"
            }
        }
    }

    /// The shortest interval, in seconds, that may repeat.
    public static let shortestRepeating = 60.0
    /// About 3,000 years, in seconds; longer intervals are cut to this.
    public static let longest = 1e11

    /// The interval in seconds.
    public let seconds: TimeInterval
    /// Whether the interval begins again after each firing.
    public let repeats: Bool

    /// - Throws: ``Problem/notPositive`` for 0, a negative value or NaN; ``Problem/tooShortToRepeat`` for a repeating interval
    ///   of less than 60 seconds.
    public init(seconds: TimeInterval, repeats: Bool = false) throws(Problem) {
        guard seconds > 0 else { throw .notPositive }
        guard !repeats || seconds >= Self.shortestRepeating else { throw .tooShortToRepeat }
        self.seconds = seconds
        self.repeats = repeats
    }

    /// Returns the time from the adding of the reminder to the first firing strictly after `elapsed`; nil if there is none.
    public func next(after elapsed: Duration) -> Duration? {
        let interval = Duration.seconds(min(seconds, Self.longest))
        guard elapsed >= interval else { return interval }
        guard repeats else { return nil }
        var passed = Int(elapsed / interval)
        while interval * passed > elapsed { passed -= 1 }
        while interval * passed <= elapsed { passed += 1 }
        return interval * passed
    }

    /// Returns the first firing strictly after `date`, on the same clock as `added`, which nobody changes; nil if there is none.
    public func next(after date: Date, added: Date) -> Date? {
        next(after: max(.zero, .seconds(date.timeIntervalSince(added)))).map {
            added.addingTimeInterval($0 / .seconds(1))
        }
    }
}
