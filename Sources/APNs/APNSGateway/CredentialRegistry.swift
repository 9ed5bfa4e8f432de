import Crypto
import Foundation
import PushModel
import Synchronization

/// The keys, teams and certificates that the gateway believes, and what else a judgement rests on for longer.
final class CredentialRegistry: Sendable {
    private struct State {
        var keys: [String: GatewayKey] = [:]
        /// Nil: every topic that belongs to no other team.
        var bundleIDs: [String: Set<String>?] = [:]
        /// Tokens whose signature was found good, by their exact text.
        var verified: [String: ProviderTokenClaims] = [:]
        /// By their serial numbers, without zeros in front.
        var revokedCertificates: Set<[UInt8]> = []
        var outage: APNSReason?
        /// Apps that may not use channels.
        var silentApps: Set<String> = []
    }

    /// More tokens than any honest set of providers has in an hour; beyond it verification starts anew.
    private static let cacheSize = 4096

    let rules: GatewayRules
    private let state = Mutex(State())
    private let changes = Atomic(0)

    init(rules: GatewayRules = GatewayRules()) { self.rules = rules }

    /// Changes whenever an answer of this book may have changed.
    var version: Int { changes.load(ordering: .acquiring) }

    func add(_ key: GatewayKey) {
        state.withLock { state in
            state.keys[key.id] = key
            state.verified = [:]
            if state.bundleIDs[key.teamID] == nil { state.bundleIDs[key.teamID] = .some(nil) }
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    var keys: [GatewayKey] { state.withLock { $0.keys.values.sorted { $0.id < $1.id } } }

    func revoke(_ keyID: String) {
        state.withLock { state in
            state.keys[keyID]?.isRevoked = true
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    func revokeCertificate(_ serialNumber: [UInt8]) {
        state.withLock { state in
            state.revokedCertificates.insert(Array(serialNumber.drop { $0 == 0 }))
            changes.wrappingAdd(1, ordering: .releasing)
        }
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

    /// What all requests are answered with that make sense at all.
    var outage: APNSReason? {
        get { state.withLock(\.outage) }
        set {
            state.withLock { state in
                state.outage = newValue
                changes.wrappingAdd(1, ordering: .releasing)
            }
        }
    }

    func setBundleIDs(_ bundleIDs: Set<String>?, of teamID: String) {
        state.withLock { state in
            state.bundleIDs[teamID] = .some(bundleIDs)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Who signed `token`, and when; nil if nobody whom we know.
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
