import APNSTransport
import Foundation
import PushModel

/// The state of one provider connection. The first valid token binds it to a team and a kind of key.
package struct ProviderConnectionState: Sendable {
    struct Binding: Sendable {
        var teamID: String
        var keyID: String
        var scope: GatewayKey.Scope
    }

    struct SeenToken: Sendable {
        var token: String
        var date: Date
    }

    /// The shortest time between new tokens. Source: Apple, "Establishing a token-based connection to APNs",
    /// read October 2026.
    static let updateInterval: TimeInterval = 20 * 60

    /// Looks up the client certificate; nil afterwards. Called only when a request needs it, because a connection is created
    /// before its handshake has finished.
    private var findCertificate: (@Sendable () -> ProviderCertificate?)?
    private var found: ProviderCertificate?
    /// Whether a credential was accepted on this connection.
    var isAuthenticated = false
    var binding: Binding?
    /// The common part of the last permitted request.
    var permit: Permit?
    private var seen: [SeenToken] = []
    /// The generator of ids, which must differ but need not be secret.
    private var random = SplitMix(seed: .random(in: .min ... .max))

    package init(findCertificate: (@Sendable () -> ProviderCertificate?)? = nil) {
        self.findCertificate = findCertificate
    }

    /// Whether the request has the common part of the last permitted one, and that permit still holds.
    func permits(_ request: HTTP2Message, _ bytes: Span<UInt8>, version: Int, at now: Date) -> Bool {
        permit?.covers(request, bytes, version: version, at: now) ?? false
    }

    /// An apns-id for a push that came without one.
    mutating func makeID() -> APNSID { APNSID(high: random.next(), low: random.next()).version4 }

    /// The client certificate of the handshake.
    mutating func certificate() -> ProviderCertificate? {
        if let findCertificate {
            found = findCertificate()
            self.findCertificate = nil
        }
        return found
    }

    /// Counts a valid token: two in 20 minutes are accepted, a third is not, and earlier ones stay usable.
    mutating func admit(_ token: String, at now: Date) -> Bool {
        if seen.contains(where: { $0.token == token }) { return true }
        seen.removeAll { now.timeIntervalSince($0.date) > Judge.tokenLifetime }
        let isTooMany = seen.count { !$0.date.isOver(after: Self.updateInterval, at: now) } >= 2
        guard !isTooMany else { return false }
        seen.append(SeenToken(token: token, date: now))
        return true
    }
}
