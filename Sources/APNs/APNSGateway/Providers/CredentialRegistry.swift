import Crypto
import Foundation
import PushModel
import Synchronization

/// The keys, teams and certificates that the gateway accepts, and other long-lived facts that the ``Judge`` needs.
final class CredentialRegistry: Sendable {
    private struct State {
        var keys = KeyRing()
        /// The topics by team; nil for every topic that no other team lists.
        var bundleIDs: [String: Set<String>?] = [:]
        /// The topics for which device tokens were issued, those with names left out.
        var issued: Set<String> = []
        /// Tokens with a verified signature, by their exact text.
        var verified: [String: ProviderTokenClaims] = [:]
        /// Revoked certificates by serial number, without leading zeros.
        var revokedCertificates: Set<[UInt8]> = []
        /// The provider tokens that were admitted lately, by key.
        var updates: [String: ProviderTokenUpdates] = [:]
        var providerTokenLimit: Int
        var outage: APNSReason?
    }

    /// The size of the token cache: more than legitimate providers use in an hour. When it is full, it is emptied.
    private static let cacheSize = 4096

    let rules: GatewayRules
    /// The faults that are set; one of them limits provider tokens.
    private let faults: FaultController?
    private let state: Mutex<State>
    /// The folder of made keys; nil if they are kept in memory. Held while keys are made and revoked, so that the folder follows.
    private let folder = Mutex<MadeKeyFolder?>(nil)
    private let changes = Atomic(0)

    init(rules: GatewayRules = GatewayRules(), faults: FaultController? = nil) {
        self.rules = rules
        self.faults = faults
        state = Mutex(State(providerTokenLimit: rules.providerTokens))
    }

    /// The version of the registry; it changes whenever a lookup may return a different result.
    var version: Int { changes.load(ordering: .acquiring) }

    // MARK: - Keys

    func add(_ key: GatewayKey) {
        change { state in
            state.keys.add(key)
            Self.prepare(for: key, &state)
        }
    }

    var keys: [GatewayKey] { state.withLock { $0.keys.all } }

    /// The key with this id; nil if there is none.
    func key(_ id: String) -> GatewayKey? { state.withLock { $0.keys[id] } }

    /// Accepts a key that was made now.
    ///
    /// - Throws: ``KeyRefusal``, or an error if the key cannot be written; it is not accepted then.
    func make(_ key: GatewayKey) throws {
        try folder.withLock { folder in
            var refusal: KeyRefusal?
            let (made, forgotten) = change { state -> (MadeKey?, String?) in
                do throws(KeyRefusal) {
                    let forgotten = try state.keys.make(key)
                    if let forgotten { state.updates[forgotten] = nil }
                    Self.prepare(for: key, &state)
                    return (state.keys.made(key.id), forgotten)
                } catch {
                    refusal = error
                    return (nil, nil)
                }
            }
            if let refusal { throw refusal }
            guard let folder, let made else { return }
            do {
                if let forgotten { try folder.remove(forgotten) }
                try folder.write(made)
            } catch {
                change { $0.keys.remove(key.id) }
                throw error
            }
        }
    }

    /// Accepts the keys of a folder, and keeps there those that are made from now on.
    func keepKeys(in kept: MadeKeyFolder) throws {
        let keys = try kept.load()
        folder.withLock { $0 = kept }
        change { state in
            for made in keys {
                state.keys.restore(made)
                Self.prepare(for: made.key, &state)
            }
        }
    }

    /// - Throws: if the key cannot be written; it is revoked all the same.
    func revoke(_ keyID: String) throws {
        try folder.withLock { folder in
            let made = change { state in
                state.keys.revoke(keyID)
                return state.keys.made(keyID)
            }
            if let folder, let made { try folder.write(made) }
        }
    }

    /// Forgets what was known under a new key's id, and lets its team have topics.
    private static func prepare(for key: GatewayKey, _ state: inout State) {
        state.verified = [:]
        state.updates[key.id] = nil
        if state.bundleIDs[key.teamID] == nil { state.bundleIDs[key.teamID] = .some(nil) }
    }

    // MARK: - Provider tokens

    /// The largest number of new provider tokens of one key in 20 minutes, over all connections.
    var providerTokenLimit: Int {
        get { state.withLock(\.providerTokenLimit) }
        set { state.withLock { $0.providerTokenLimit = newValue } }
    }

    /// Counts a valid token that is new to its connection. One that another connection has shown before is not counted again.
    ///
    /// - Returns: false if the key has too many new tokens.
    func admit(_ token: String, of keyID: String, _ environment: APNSEnvironment, at now: Date) -> Bool {
        let faulty = faults?.providerTokenLimit(environment)
        return state.withLock { state in
            let limit = min(state.providerTokenLimit, faulty ?? .max)
            return state.updates[keyID, default: ProviderTokenUpdates()].admit(token, limit: limit, at: now)
        }
    }

    /// The number of provider tokens that were new in the last 20 minutes, by key.
    func providerTokens(at now: Date) -> [String: Int] {
        state.withLock { state in state.updates.mapValues { $0.count(at: now) }.filter { $0.value > 0 } }
    }

    /// Forgets the provider tokens that were counted. Connections that use one of them may go on.
    func forgetProviderTokens() { state.withLock { $0.updates = [:] } }

    // MARK: - Certificates and apps

    /// Revokes a certificate: from now on it is answered with 403 `BadCertificate`.
    func revokeCertificate(_ serialNumber: [UInt8]) {
        change { _ = $0.revokedCertificates.insert(Array(serialNumber.drop { $0 == 0 })) }
    }

    func isRevoked(_ certificate: ProviderCertificate) -> Bool {
        state.withLock { $0.revokedCertificates.contains(Array(certificate.serialNumber.drop { $0 == 0 })) }
    }

    /// The reason that every well-formed request is answered with, as by a failing service: `InternalServerError`, `ServiceUnavailable`
    /// or `Shutdown`. A wrong path or method is reported first, our choice.
    var outage: APNSReason? {
        get { state.withLock(\.outage) }
        set { change { $0.outage = newValue } }
    }

    func setBundleIDs(_ bundleIDs: Set<String>?, of teamID: String) {
        change { $0.bundleIDs[teamID] = .some(bundleIDs) }
    }

    /// Notes that a device token was issued for a topic.
    func addIssued(_ topic: String) { change { _ = $0.issued.insert(topic) } }

    /// Whether a topic with the suffix of a push type is an app's bundle id, rather than a topic of the app with that name without the
    /// suffix.
    ///
    /// The lists of the teams decide. A topic that none of them has is one if a token was issued for it, and none for that app.
    func isBundleID(_ topic: String, ratherThan app: String) -> Bool {
        state.withLock { state in
            let listed = state.bundleIDs.values.compactMap(\.self)
            if listed.contains(where: { $0.contains(topic) }) { return true }
            guard state.issued.contains(topic) else { return false }
            return !state.issued.contains(app) && !listed.contains { $0.contains(app) }
        }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { changes.wrappingAdd(1, ordering: .releasing) }
            return body(&state)
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
