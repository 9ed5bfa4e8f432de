import APNSProvider
import APNSTransport
import Crypto
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@Suite("Provider tokens", .suiteLimit)
struct TokenTests {
    /// The `iat` of a bearer token, and who issued it.
    private struct Claims {
        var issuedAt: Int64
        var team: String
        var keyID: String

        init(_ authorization: String?) throws {
            let token = try #require(authorization)
            #expect(token.hasPrefix("bearer "))
            let parts = token.dropFirst("bearer ".count).split(separator: ".")
            try #require(parts.count == 3)
            func object(_ part: Substring) throws -> JSONObject {
                var base64 = String(part).replacing("-", with: "+").replacing("_", with: "/")
                base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
                let data = try #require(Data(base64Encoded: base64))
                return try #require(try JSONValue(parsing: data).object)
            }
            keyID = try #require(try object(parts[0])["kid"]?.string)
            let claims = try object(parts[1])
            // An integer: a fraction would not be one here.
            issuedAt = try #require(claims["iat"]?.integer)
            team = try #require(claims["iss"]?.string)
        }
    }

    @Test("All clients of a key use one token, of whatever environment: APNs limits new ones by key")
    func shared() async throws {
        let clock = VirtualClock(date: Date(timeIntervalSince1970: 1_750_000_000))
        try await TestServer.with { server in
            let key = try Example.key()
            var tokens: Set<String> = []
            for _ in 0..<5 {
                let client = try Example.client(for: server, key: key, clock: clock)
                #expect(await client.send(Example.push()) == .accepted)
                await client.shutdown()
                tokens.insert(try #require(server.received.last?.header("authorization")))
            }
            #expect(tokens.count == 1)
            await clock.advance(by: .seconds(51 * 60))
            let client = try Example.client(for: server, key: key, clock: clock)
            #expect(await client.send(Example.push()) == .accepted)
            await client.shutdown()
            let later = try #require(server.received.last?.header("authorization"))
            #expect(!tokens.contains(later), "It has the age at which a single client renews it.")
        }
    }

    @Test("A token is renewed after 20 and before 60 minutes on the given clock, dated in whole seconds")
    func renewal() async throws {
        let clock = VirtualClock(date: Date(timeIntervalSince1970: 1_750_000_000.75))
        let start = clock.date
        try await TestServer.with { server in
            let client = try Example.client(for: server, clock: clock)
            var tokens: [(text: String, minute: Int)] = []
            for minute in 0..<240 {
                #expect(await client.send(Example.push()) == .accepted)
                let request = try #require(server.received.last)
                let token = try #require(request.header("authorization"))
                let age = clock.date.timeIntervalSince1970 - Double(try Claims(token).issuedAt)
                #expect((0...3600).contains(age), "in minute \(minute)")
                if tokens.last?.text != token { tokens.append((token, minute)) }
                await clock.advance(by: .seconds(60))
            }
            await client.shutdown()
            try #require(tokens.count > 3)
            for (older, newer) in zip(tokens, tokens.dropFirst()) {
                #expect((20..<60).contains(newer.minute - older.minute))
            }
            #expect(try Claims(tokens[0].text).issuedAt == 1_750_000_000)
            #expect(Set(tokens.map(\.text)).count == tokens.count)
            #expect(start < clock.date)
        }
    }

    @Test("A key that is none, and an id with a line end at its end, are named")
    func unreadable() throws {
        let p8 = P256.Signing.PrivateKey().pemRepresentation
        func sentence(_ p8: String, _ keyID: String, _ teamID: String) -> String? {
            let error = #expect(throws: APNSSigningKey.Unreadable.self) {
                try APNSSigningKey(p8: p8, keyID: keyID, teamID: teamID)
            }
            return error?.description
        }
        #expect(
            sentence(p8, "KEY1234567\n", "TEAM123456")
                == "The key id is 'KEY1234567\n'; expected ten letters and digits."
        )
        #expect(sentence(p8, "KEY1234567", "") == "The team id is ''; expected ten letters and digits.")
        #expect(sentence(p8, "KEY\"", "T") == "The key id is 'KEY\"'; expected ten letters and digits.")
        let other = P384.Signing.PrivateKey().pemRepresentation
        for text in ["", "-----BEGIN", other] {
            let said = try #require(sentence(text, "KEY1234567", "TEAM123456"))
            #expect(said.hasPrefix("The key 'KEY1234567' cannot be read: "))
            #expect(
                said.hasSuffix(
                    "Expected the text of a .p8 file: '-----BEGIN PRIVATE KEY-----', P-256, without a passphrase."
                )
            )
        }
    }

    @Test("Two teams in one process never share a connection or a token")
    func teams() async throws {
        try await TestServer.with { server in
            let first = try Example.client(for: server, key: try Example.key())
            let second = try Example.client(
                for: server,
                key: try Example.key(keyID: "KEY7654321", teamID: "TEAM654321")
            )
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<40 {
                    let client = index.isMultiple(of: 2) ? first : second
                    group.addTask { #expect(await client.send(Example.push()) == .accepted) }
                }
            }
            await first.shutdown()
            await second.shutdown()
            var teams: [Int: Set<String>] = [:]
            for request in server.received {
                let claims = try Claims(request.header("authorization"))
                #expect((claims.team == Example.teamID) == (claims.keyID == Example.keyID))
                teams[request.connection, default: []].insert(claims.team)
            }
            #expect(server.received.count == 40)
            #expect(teams.values.allSatisfy { $0.count == 1 })
            #expect(Set(teams.values.flatMap(\.self)) == [Example.teamID, "TEAM654321"])
        }
    }
}
