import Foundation

/// Detects changes of the clock by comparing the calendar time with the time that has passed.
///
/// `elapsed` is the time since the service started, which nobody can set.
struct ClockJumpDetector: Sendable {
    enum Finding: Hashable, Sendable {
        /// The clock has jumped ahead by this many seconds, and is not trusted.
        case ahead(TimeInterval)
        /// The clock was set back by this many seconds.
        case back(TimeInterval)
        /// The clock is no longer ahead.
        case returned
        /// The clock has stayed ahead for long enough, and is trusted.
        case believed
    }

    /// The lead allowed while the service runs, in seconds; ordinary corrections are smaller.
    static let aheadWhileRunning: TimeInterval = 3600
    /// The time for which the service may have been down, in seconds.
    static let aheadWhileStopped: TimeInterval = 7 * 86_400
    /// The time for which a clock that is ahead has to run steadily before it is trusted.
    static let believedAfter = Duration.seconds(7 * 86_400)
    /// The lag allowed between two checks, in seconds; time servers correct less.
    static let slack: TimeInterval = 60

    /// The latest trusted time.
    private(set) var trusted: Date
    private var trustedAt = Duration.zero
    /// Whether the clock has agreed with the trusted time since the service started.
    private var hasAgreed: Bool
    private var last: (date: Date, elapsed: Duration)
    /// The moment when the clock was first seen ahead, and its lead.
    private var ahead: (elapsed: Duration, seconds: TimeInterval)?

    /// Creates a detector with the latest trusted time before the service started; nil to trust the clock.
    init(trusted: Date?, date: Date) {
        self.trusted = trusted ?? date
        hasAgreed = trusted == nil
        last = (trusted ?? date, .zero)
    }

    /// Returns the trusted time plus the time that has passed since.
    private func expected(at elapsed: Duration) -> Date {
        trusted.addingTimeInterval((elapsed - trustedAt) / .seconds(1))
    }

    /// Returns the seconds by which the clock is too far ahead to be trusted; nil if it is not.
    private func lead(of date: Date, at elapsed: Duration) -> TimeInterval? {
        let lead = date.timeIntervalSince(expected(at: elapsed))
        return lead > (hasAgreed ? Self.aheadWhileRunning : Self.aheadWhileStopped) ? lead : nil
    }

    /// Returns the time for expiry: the clock's, or the expected time if the clock is ahead.
    func believable(_ date: Date, at elapsed: Duration) -> Date {
        lead(of: date, at: elapsed) == nil ? date : expected(at: elapsed)
    }

    /// Checks the clock; call it regularly.
    mutating func look(_ date: Date, at elapsed: Duration) -> Finding? {
        let behind = last.date.timeIntervalSince(date) + (elapsed - last.elapsed) / .seconds(1)
        last = (date, elapsed)
        guard let lead = lead(of: date, at: elapsed) else {
            let wasAhead = ahead != nil
            ahead = nil
            if date >= expected(at: elapsed).addingTimeInterval(-Self.slack) { hasAgreed = true }
            if date > trusted {
                trusted = date
                trustedAt = elapsed
            }
            if behind > Self.slack { return .back(behind) }
            return wasAhead ? .returned : nil
        }
        if let ahead, abs(ahead.seconds - lead) <= Self.slack {
            guard elapsed - ahead.elapsed >= Self.believedAfter else { return nil }
            self.ahead = nil
            trusted = date
            trustedAt = elapsed
            hasAgreed = true
            return .believed
        }
        ahead = (elapsed, lead)
        return behind > Self.slack ? .back(behind) : .ahead(lead)
    }
}
