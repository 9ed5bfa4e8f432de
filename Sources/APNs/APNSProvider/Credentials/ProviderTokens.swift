import PushClock

/// The provider token in use, replaced when it is 50 minutes old.
///
/// APNs refuses tokens older than an hour, and new ones more often than every 20 minutes. Source: Apple, "Establishing a
/// token-based connection to APNs", read October 2026.
struct ProviderTokens: Sendable {
    static let lifetime = Duration.seconds(50 * 60)

    struct Token: Hashable, Sendable {
        var text: String
        /// The number of the token among this client's tokens.
        var number: Int32
        fileprivate var made: Duration
    }

    private let key: APNSSigningKey?
    private let clock: any CivilClock
    private var current: Token?
    private var number: Int32 = 0

    /// `key` is nil with a certificate, which replaces tokens.
    init(key: APNSSigningKey?, clock: any CivilClock) {
        self.key = key
        self.clock = clock
    }

    /// - Returns: nil if none is needed.
    mutating func token(at now: Duration) throws -> Token? {
        guard let key else { return nil }
        if let current, now - current.made < Self.lifetime { return current }
        number += 1
        let token = Token(text: try key.token(issuedAt: clock.date), number: number, made: now)
        current = token
        return token
    }

    /// Discards a token that APNs reports as expired, unless it has been replaced already.
    mutating func renew(insteadOf number: Int32) { if current?.number == number { current = nil } }
}
