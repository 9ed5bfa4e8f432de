import Crypto
import PushModel
import Testing

@testable import APNSGateway

/// The limits are Apple's: "Establishing a token-based connection to APNs", read November 2026.
@Suite("Keys that are made")
struct KeyRingTests {
    private static let publicKey = P256.Signing.PrivateKey().publicKey

    private func key(
        _ id: String,
        team: String = team,
        _ environments: Set<APNSEnvironment> = [.production],
        topics: Set<String>? = nil,
        relatedTo: String? = nil
    ) -> GatewayKey {
        GatewayKey(
            id: id,
            teamID: team,
            publicKey: Self.publicKey,
            environments: environments,
            scope: topics.map { .topics($0) } ?? .team,
            relatedTo: relatedTo
        )
    }

    /// The problem of making a key; nil if it was made.
    private func problem(_ key: GatewayKey, in ring: inout KeyRing) -> String? {
        do throws(KeyRefusal) {
            _ = try ring.make(key)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("Two for all topics, for each team and environment; one that is revoked makes room")
    func teamKeys() {
        var ring = KeyRing()
        // The gateway's own do not count.
        for number in 0..<3 { ring.add(key("OWN\(number)", [.development, .production])) }
        #expect(problem(key("P1"), in: &ring) == nil)
        #expect(problem(key("BOTH", [.development, .production]), in: &ring) == nil)
        let full = "Team '\(team)' has 2 keys for all its topics in production already"
        #expect(problem(key("P2"), in: &ring)?.hasPrefix(full) == true)
        #expect(problem(key("BOTH2", [.development, .production]), in: &ring)?.hasPrefix(full) == true)
        #expect(problem(key("D1", [.development]), in: &ring) == nil)
        #expect(problem(key("D2", [.development]), in: &ring) != nil)
        #expect(problem(key("OTHER", team: "OTHERTEAM1"), in: &ring) == nil)
        #expect(problem(key("NARROW", topics: ["a"]), in: &ring) == nil)
        ring.revoke("P1")
        #expect(problem(key("P2"), in: &ring) == nil)
    }

    @Test("Two hundred for certain topics")
    func topicKeys() {
        var ring = KeyRing()
        for number in 0..<200 { #expect(problem(key("T\(number)", topics: ["a"]), in: &ring) == nil) }
        let full = "Team '\(team)' has 200 keys for certain topics in production already"
        #expect(problem(key("T200", topics: ["a"]), in: &ring)?.hasPrefix(full) == true)
        #expect(problem(key("T200", [.development], topics: ["a"]), in: &ring) == nil)
    }

    @Test("A key has one related key, for certain topics, of its team and environments")
    func related() {
        var ring = KeyRing()
        ring.add(key("OWN"))
        #expect(problem(key("A", topics: ["a"]), in: &ring) == nil)
        #expect(problem(key("X", topics: ["a"], relatedTo: "NONE"), in: &ring)?.contains("no valid key 'NONE'") == true)
        let wrong = "Key 'A' cannot be related"
        #expect(problem(key("X", [.development], topics: ["a"], relatedTo: "A"), in: &ring)?.hasPrefix(wrong) == true)
        #expect(problem(key("X", team: "T", topics: ["a"], relatedTo: "A"), in: &ring)?.hasPrefix(wrong) == true)
        #expect(problem(key("X", topics: ["a"], relatedTo: "OWN"), in: &ring)?.contains("cannot be related") == true)
        #expect(problem(key("B", topics: ["b"], relatedTo: "A"), in: &ring) == nil)
        #expect(ring["A"]?.relatedTo == "B")
        let taken = "Key 'A' has a related key already, 'B'"
        #expect(problem(key("C", topics: ["c"], relatedTo: "A"), in: &ring)?.hasPrefix(taken) == true)
        #expect(problem(key("C", topics: ["c"], relatedTo: "B"), in: &ring) != nil)
        ring.revoke("B")
        #expect(problem(key("C", topics: ["c"], relatedTo: "B"), in: &ring)?.contains("no valid key 'B'") == true)
        #expect(problem(key("C", topics: ["c"], relatedTo: "A"), in: &ring) == nil)
        #expect(ring["A"]?.relatedTo == "C")
    }

    @Test("An id is used once, and a thousand keys are kept")
    func room() throws {
        var ring = KeyRing()
        for number in 0..<KeyRing.madeKeyLimit {
            #expect(problem(key("K\(number)", team: "T\(number / 2)"), in: &ring) == nil)
        }
        #expect(problem(key("K7", team: "OTHER"), in: &ring)?.hasPrefix("There is a key 'K7' already") == true)
        #expect(problem(key("NEW", team: "OTHER"), in: &ring)?.hasPrefix("There are 1000 keys already") == true)
        ring.revoke("K9")
        ring.revoke("K3")
        #expect(try ring.make(key("NEW", team: "OTHER")) == "K3")
        #expect(ring["K3"] == nil)
        #expect(ring.all.count == KeyRing.madeKeyLimit)
    }
}
