import Crypto
import PushModel
import Synchronization

/// The keys, teams and certificates that the gateway accepts, and other long-lived facts that the ``Judge`` needs.
final class CredentialRegistry: Sendable {
    private struct State {
        var keys: [String: GatewayKey] = [:]
        /// The topics by team; nil for every topic that no other team lists.
        var bundleIDs: [String: Set<String>?] = [:]
        /// Tokens with a verified signature, by their exact text.
        var verified: [String: ProviderTokenClaims] = [:]
        /// Revoked certificates by serial number, without leading zeros.
        var revokedCertificates: Set<[UInt8]> = []
        var outage: APNSReason?
        /// Apps that may not use channels.
        var silentApps: Set<String> = []
    }

    /// The size of the token cache: more than legitimate providers use in an hour. When it is full, it is emptied.
    private static let cacheSize = 4096

    let rules: GatewayRules
    private let state = Mutex(State())
    private let changes = Atomic(0)

    init(rules: GatewayRules = GatewayRules()) { self.rules = rules }

    /// The version of the registry; it changes whenever a lookup may return a different result.
    var version: Int { changes.load(ordering: .acquiring) }

    func add(_ key: GatewayKey) {
        change { state in
            state.keys[key.id] = key
            state.verified = [:]
            if state.bundleIDs[key.teamID] == nil { state.bundleIDs[key.teamID] = .some(nil) }
        }
    }

    var keys: [GatewayKey] { state.withLock { $0.keys.values.sorted { $0.id < $1.id } } }

    func revoke(_ keyID: String) { change { $0.keys[keyID]?.isRevoked = true } }

    func revokeCertificate(_ serialNumber: [UInt8]) {
        change { _ = $0.revokedCertificates.insert(Array(serialNumber.drop { $0 == 0 })) }
    }

    func isRevoked(_ certificate: ProviderCertificate) -> Bool {
        state.withLock { $0.revokedCertificates.contains(Array(certificate.serialNumber.drop { $0 == 0 })) }
    }

    /// Whether an app may use channels.
    func broadcasts(_ bundleID: String) -> Bool { state.withLock { !$0.silentApps.contains(bundleID) } }

    func setBroadcasts(_ areEnabled: Bool, of bundleID: String) {
        state.withLock { state in
            if areEnabled { state.silentApps.remove(bundleID) } else { state.silentApps.insert(bundleID) }
        }
    }

    /// The reason that every well-formed request is answered with.
    var outage: APNSReason? {
        get { state.withLock(\.outage) }
        set { change { $0.outage = newValue } }
    }

    func setBundleIDs(_ bundleIDs: Set<String>?, of teamID: String) {
        change { $0.bundleIDs[teamID] = .some(bundleIDs) }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Returns the claims of `token` and the key that signed it; nil if no known key did.
    func check(_ token: String) -> (claims: ProviderTokenClaims, key: GatewayKey)? {
        let known = state.withLock { state in
            state.verified[token].flatMap { claims in state.keys[claims.keyID].map { (claims: claims, key: $0) } }
        }
        if let known { return known }
        guard let claims = ProviderTokenClaims(token),
            let key = state.withLock({ $0.keys[claims.keyID] }), key.teamID == claims.teamID,
            claims.isSigned(by: key.publicKey)
        else { return nil }
        state.withLock { state in
            if state.verified.count >= Self.cacheSize { state.verified = [:] }
            state.verified[token] = claims
        }
        return (claims, key)
    }

    func owns(_ teamID: String, _ bundleID: String) -> Bool {
        state.withLock { state in
            guard let entry = state.bundleIDs[teamID] else { return false }
            if let listed = entry { return listed.contains(bundleID) }
            return !state.bundleIDs.contains { $0.key != teamID && $0.value?.contains(bundleID) == true }
        }
    }
}
