/// The instant of a clock that counts from its creation.
public struct ElapsedTime: InstantProtocol {
    /// Elapsed time, in Swift's own unit.
    public typealias Duration = Swift.Duration
    package var offset: Duration

    package init(offset: Duration) { self.offset = offset }

    /// Returns the instant `duration` later; earlier if it is negative.
    public func advanced(by duration: Duration) -> ElapsedTime { ElapsedTime(offset: offset + duration) }
    /// Returns the time from this instant to `other`; negative if `other` is earlier.
    public func duration(to other: ElapsedTime) -> Duration { other.offset - offset }
    public static func < (left: ElapsedTime, right: ElapsedTime) -> Bool { left.offset < right.offset }
}
