public import Foundation

/// The machine's own time.
public struct SystemClock: CivilClock {
    /// An instant of the machine's continuous clock, which also runs while the machine sleeps.
    public typealias Instant = ContinuousClock.Instant

    /// Creates the clock.
    public init() {}

    /// The current instant.
    public var now: Instant { ContinuousClock().now }
    /// The smallest step of the machine's clock.
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }
    /// The system's date, which may jump when somebody sets it.
    public var date: Date { Date() }

    /// Returns at `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
