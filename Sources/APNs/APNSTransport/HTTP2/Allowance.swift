/// An allowance that is used up by the piece and grows back with time.
struct Allowance: Hashable, Sendable {
    private let rate: HTTP2Limits.Rate
    private var left: Int
    private var filled: UInt64 = 0

    init(_ rate: HTTP2Limits.Rate) {
        self.rate = rate
        left = rate.burst
    }

    /// Takes one piece.
    ///
    /// - `now`: milliseconds on a clock that does not go back.
    /// - Returns: false when nothing is left.
    mutating func take(at now: UInt64) -> Bool {
        if now > filled {
            let grown = Int(min(now - filled, 3_600_000)) * rate.perSecond / 1000
            if grown > 0 {
                left = min(rate.burst, left + grown)
                filled = now
            }
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// Useful work pays for some overhead.
    mutating func earn(_ pieces: Int) { left = min(rate.burst, left + pieces) }
}
