import Foundation
import PushClock
import Synchronization

/// The provider token in use, made anew when it is 50 minutes old.
///
/// APNs refuses tokens older than an hour, and new ones more often than every 20 minutes. Source: Apple, "Establishing a
/// token-based connection to APNs", read October 2026.
final class ProviderTokens: Sendable {
    static let lifetime = Duration.seconds(50 * 60)

    private struct Current {
        var token: String
        var made: Duration
    }

    private let key: APNSSigningKey
    private let clock: any CivilClock
    private let stopwatch: Stopwatch
    private let current = Mutex<Current?>(nil)

    init(key: APNSSigningKey, clock: any CivilClock, stopwatch: Stopwatch) {
        self.key = key
        self.clock = clock
        self.stopwatch = stopwatch
    }

    /// * `refused`: a token that APNs calls expired, so that another has to be made.
    func token(insteadOf refused: String? = nil) throws -> String {
        let now = stopwatch.elapsed
        return try current.withLock { current in
            if let kept = current, kept.token != refused, now - kept.made < Self.lifetime { return kept.token }
            let token = try key.token(issuedAt: clock.date)
            current = Current(token: token, made: now)
            return token
        }
    }
}
