import Foundation

/// Tells a clock that goes from one that was set: it compares the calendar with the time that has passed.
///
/// `elapsed` is the time since the service started, which nobody can set.
struct ClockJumpDetector: Sendable {
    enum Finding: Hashable, Sendable {
        /// The clock has jumped ahead, by so many seconds, and is not believed.
        case ahead(TimeInterval)
        /// The clock was set back, by so many seconds.
        case back(TimeInterval)
        /// The clock is no longer ahead.
        case returned
        /// The clock has stayed ahead for long enough, and is believed.
        case believed
    }

    /// Seconds by which the clock may run ahead while the service runs: whoever sets it right moves it by less.
    static let aheadWhileRunning: TimeInterval = 3600
    /// Seconds for which the service may have been down.
    static let aheadWhileStopped: TimeInterval = 7 * 86_400
    /// How long a clock that is ahead has to keep its pace until it is believed.
    static let believedAfter = Duration.seconds(7 * 86_400)
    /// Seconds by which a clock may fall behind between two looks: less is what time servers correct.
    static let slack: TimeInterval = 60

    /// The latest time that was believed.
    private(set) var trusted: Date
    private var trustedAt = Duration.zero
    /// Whether the clock has agreed with what is trusted since the service started.
    private var hasAgreed: Bool
    private var last: (date: Date, elapsed: Duration)
    /// When the clock was first seen ahead, and by how much.
    private var ahead: (elapsed: Duration, seconds: TimeInterval)?

    /// * `trusted`: the latest time that was believed before the service started; nil to believe the clock.
    init(trusted: Date?, date: Date) {
        self.trusted = trusted ?? date
        hasAgreed = trusted == nil
        last = (trusted ?? date, .zero)
    }

    /// What the time is by what has passed since the clock was believed.
    private func expected(at elapsed: Duration) -> Date {
        trusted.addingTimeInterval((elapsed - trustedAt) / .seconds(1))
    }

    /// Seconds by which the clock is too far ahead to be believed; nil if it is not.
    private func lead(of date: Date, at elapsed: Duration) -> TimeInterval? {
        let lead = date.timeIntervalSince(expected(at: elapsed))
        return lead > (hasAgreed ? Self.aheadWhileRunning : Self.aheadWhileStopped) ? lead : nil
    }

    /// The time by which things end: the clock's, or what has passed if the clock is ahead.
    func believable(_ date: Date, at elapsed: Duration) -> Date {
        lead(of: date, at: elapsed) == nil ? date : expected(at: elapsed)
    }

    /// To be called now and then.
    mutating func look(_ date: Date, at elapsed: Duration) -> Finding? {
        let behind = last.date.timeIntervalSince(date) + (elapsed - last.elapsed) / .seconds(1)
        last = (date, elapsed)
        guard let lead = lead(of: date, at: elapsed) else {
            let wasAhead = ahead != nil
            ahead = nil
            if date >= expected(at: elapsed).addingTimeInterval(-Self.slack) { hasAgreed = true }
            if date > trusted { (trusted, trustedAt) = (date, elapsed) }
            if behind > Self.slack { return .back(behind) }
            return wasAhead ? .returned : nil
        }
        if let ahead, abs(ahead.seconds - lead) <= Self.slack {
            guard elapsed - ahead.elapsed >= Self.believedAfter else { return nil }
            self.ahead = nil
            (trusted, trustedAt, hasAgreed) = (date, elapsed, true)
            return .believed
        }
        ahead = (elapsed, lead)
        return behind > Self.slack ? .back(behind) : .ahead(lead)
    }
}
