import Foundation
import PushModel

/// The provider tokens of one key that were admitted lately, whichever connections carried them.
struct ProviderTokenUpdates: Sendable {
    /// The shortest time between new tokens of a key. Source: Apple, "Establishing a token-based connection to APNs", section "Refresh
    /// your token regularly", read November 2026.
    static let interval: TimeInterval = 20 * 60

    /// The longest time for which a token can be valid after it was admitted.
    private static let lifetime = Judge.tokenLifetime + Judge.tokenSkew

    /// The date of each token's admission, by the token's hash: a token has some 200 octets, and its text is not needed.
    private(set) var admitted: [Int: Date] = [:]

    /// Whether a valid token may be used: one that was admitted before, or one of the first `limit` new ones in 20 minutes.
    mutating func admit(_ token: String, limit: Int, at now: Date) -> Bool {
        let hash = token.hashValue
        if admitted[hash] != nil { return true }
        admitted = admitted.filter { !$0.value.isOver(after: Self.lifetime, at: now) }
        guard count(at: now) < limit else { return false }
        admitted[hash] = now
        return true
    }

    /// The number of tokens that were new in the last 20 minutes.
    func count(at now: Date) -> Int { admitted.values.count { !$0.isOver(after: Self.interval, at: now) } }
}
