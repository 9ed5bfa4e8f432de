/// A token bucket: an allowance that is spent unit by unit and refills with time.
package struct Allowance: Hashable, Sendable {
    /// A burst, and the rate per second after it.
    package struct Rate: Hashable, Sendable {
        package var burst: Int
        package var perSecond: Int

        package init(burst: Int, perSecond: Int) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    private let rate: Rate
    private var left: Int
    private var filled: UInt64 = 0

    package init(_ rate: Rate) {
        self.rate = rate
        left = rate.burst
    }

    /// Takes one unit.
    ///
    /// `now` is in milliseconds on a clock that does not go back.
    /// - Returns: false if nothing is left.
    package mutating func take(at now: UInt64) -> Bool {
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

    /// Adds units in return for useful work.
    package mutating func earn(_ pieces: Int) { left = min(rate.burst, left + pieces) }
}
