import Foundation
import PushAPI
import Synchronization

/// Limits attempts to sign in: checking a password takes a tenth of a second of a processor.
final class SignInLimits: Sendable {
    /// Attempts per minute from one address, which all people behind a proxy share.
    static let perAddress = 60
    /// Attempts per minute for one user.
    static let perUser = 10

    private enum Subject: Hashable {
        case address(String?)
        case user(String)
    }

    private let windows = Mutex<[Subject: RateWindow]>([:])

    /// Counts an attempt.
    ///
    /// - Returns: nil if it may go on, or else the seconds after which the next one may.
    func take(_ user: String, from address: String?, at now: Date) -> Int? {
        windows.withLock { windows in
            // Those of attackers with many addresses or names are forgotten together.
            if windows.count > 10_000 { windows = [:] }
            let states = [(Subject.address(address), Self.perAddress), (.user(user), Self.perUser)].map {
                windows[$0.0, default: RateWindow(limit: $0.1)].take(at: now)
            }
            return states.filter { !$0.isAllowed }.map(\.reset).max()
        }
    }
}
