public import Foundation

/// The machine's own time.
public struct SystemClock: CivilClock {
    public typealias Instant = ContinuousClock.Instant

    /// Creates the clock.
    public init() {}

    public var now: Instant { ContinuousClock().now }
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }
    public var date: Date { Date() }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
