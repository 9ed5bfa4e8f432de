import APNSProvider
import APNSTransport
import Crypto
import Foundation
import PushClock
import PushModel
import Testing

@testable import APNSGateway

@Suite("Keys at the control endpoint", .timeLimit(.minutes(1)))
struct KeyRouteTests {
    @Test("A key is made, its .p8 is given once, and it signs")
    func makes() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let order =
                #"{"team":"ABCDE12345","environments":["production"],"topics":["com.example.b","com.example.a"]}"#
            let made = try await control("POST", "keys", order)
            #expect(made.status == 201)
            let id = try #require(made.json["id"]?.string)
            #expect(KeyOrder.isID(id))
            let expected: JSONObject = [
                "id": .string(id), "team": "ABCDE12345", "revoked": false, "environments": ["production"],
                "topics": ["com.example.a", "com.example.b"], "relatedTo": .null,
            ]
            #expect(try await control("GET", "keys/\(id)").json == expected)
            let p8 = try #require(made.json["p8"]?.string)
            let token = setting.gateway.issueToken(topic: "com.example.a", environment: .production)
            let bearer = try setting.world.bearer(GeneratedKey(id: id, teamID: "ABCDE12345", p8: p8))
            let fields: [String: String?] = ["authorization": bearer, "apns-topic": "com.example.a"]
            let request = setting.world.request(to: token, fields)
            func reason() -> String? {
                setting.gateway.respond(to: request, on: ProviderConnection(environment: .production)).reason
            }
            #expect(reason() == nil)
            #expect(try await control("DELETE", "keys/\(id)").status == 204)
            #expect(reason() == "Forbidden")
            #expect(try await control("GET", "keys/\(id)").json["revoked"]?.bool == true)
        }
    }

    @Test("A key that somebody else has generated, by either half", arguments: [true, false])
    func given(_ isPrivate: Bool) async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let key = P256.Signing.PrivateKey()
            var order: JSONObject = ["team": .string(team), "id": "MYKEY12345"]
            order[isPrivate ? "p8" : "publicKey"] = .string(
                isPrivate ? key.pemRepresentation : key.publicKey.pemRepresentation
            )
            let made = try await control("POST", "keys", JSONValue.object(order).text)
            #expect(made.status == 201)
            #expect(made.json["p8"] == nil)
            #expect(made.json["id"]?.string == "MYKEY12345")
            let bearer = try setting.world.bearer(
                GeneratedKey(id: "MYKEY12345", teamID: team, p8: key.pemRepresentation)
            )
            let request = setting.world.request(to: setting.token(), ["authorization": bearer])
            let connection = ProviderConnection(environment: .development)
            #expect(setting.gateway.respond(to: request, on: connection).status == 200)
        }
    }

    @Test("A related key knows of the other, and the other of it")
    func related() async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            let first = #"{"team":"ABCDE12345","id":"FIRSTKEY01","topics":["com.example.app"]}"#
            #expect(try await control("POST", "keys", first).status == 201)
            let second = #"{"team":"ABCDE12345","topics":["com.example.app"],"relatedTo":"FIRSTKEY01"}"#
            let made = try await control("POST", "keys", second)
            #expect(made.status == 201)
            #expect(made.json["relatedTo"]?.string == "FIRSTKEY01")
            #expect(try await control("GET", "keys/FIRSTKEY01").json["relatedTo"] == made.json["id"])
            let third = try await control("POST", "keys", second)
            #expect(third.status == 409)
            #expect(third.error?.hasPrefix("Key 'FIRSTKEY01' has a related key already") == true)
        }
    }

    @Test("A senseless key is refused in words")
    func refusals() async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            let topics = (0...400).map { "\"t\($0)\"" }.joined(separator: ",")
            let long = String(repeating: "a", count: 256)
            let ofTopics = "expected an array of 1 to 400 different topics, such as 'com.example.app'."
            let rows: [(body: String, error: String)] = [
                (#"{}"#, "Key 'team' is missing; expected ten capital letters and digits."),
                (#"{"team":"abcde12345"}"#, "Key 'team' is 'abcde12345'; expected ten capital letters and digits."),
                (#"{"team":"ABCDE12345","id":"../../x.js"}"#, "Key 'id' is '../../x.js'; expected ten capital letters"),
                (#"{"team":"ABCDE12345","kind":1}"#, "Key 'kind' is not known here"),
                (
                    #"{"team":"ABCDE12345","environments":[]}"#,
                    "Key 'environments' is an array; expected an array with 'development', 'production' or both."
                ),
                (#"{"team":"ABCDE12345","environments":["sandbox"]}"#, "Key 'environments' is an array"),
                (
                    #"{"team":"ABCDE12345","environments":["production","production"]}"#,
                    "Key 'environments' is an array"
                ),
                (#"{"team":"ABCDE12345","topics":[]}"#, "Key 'topics' is an array; \(ofTopics)"),
                (#"{"team":"ABCDE12345","topics":["a","a"]}"#, "Key 'topics' is an array; \(ofTopics)"),
                (#"{"team":"ABCDE12345","topics":["a b"]}"#, "Key 'topics' is an array; \(ofTopics)"),
                (#"{"team":"ABCDE12345","topics":["\#(long)"]}"#, "Key 'topics' is an array; \(ofTopics)"),
                (#"{"team":"ABCDE12345","topics":[\#(topics)]}"#, "Key 'topics' is an array; \(ofTopics)"),
                (
                    #"{"team":"ABCDE12345","relatedTo":"ABCDE12345"}"#,
                    "Key 'relatedTo' is 'ABCDE12345'; expected it together with 'topics'."
                ),
                (#"{"team":"ABCDE12345","p8":"x"}"#, "Key 'p8' is 'x'; expected the text of a .p8 file"),
                (#"{"team":"ABCDE12345","publicKey":"x"}"#, "Key 'publicKey' is 'x'; expected a P-256 key in PEM"),
            ]
            for row in rows {
                let answer = try await control("POST", "keys", row.body)
                #expect(answer.status == 400, "\(row.body)")
                #expect(answer.error?.hasPrefix(row.error) == true, "\(answer.error ?? "no error")")
            }
            #expect(try await control("GET", "keys/NONE").error == "There is no key 'NONE'; there are '\(keyID)'.")
            #expect(try await control("GET", "keys").json["keys"]?.array?.count == 1)
        }
    }

    @Test("The third key of a team for all topics is one too many")
    func limit() async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            let order = #"{"team":"\#(team)","environments":["production"]}"#
            for status in [201, 201, 409] { #expect(try await control("POST", "keys", order).status == status) }
            let answer = try await control("POST", "keys", order)
            #expect(answer.error?.contains("as many as Apple allows; revoke one with DELETE /keys/ID") == true)
        }
    }

    @Test("The limit of provider tokens is shown, set and bounded, and what was counted is forgotten")
    func providerTokens() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            #expect(
                try await control("GET", "provider-tokens").json == ["limit": 20, "seconds": 1200, "keys": []]
            )
            let strict = try await control("PUT", "provider-tokens", #"{"limit":1}"#)
            #expect(strict.json["limit"]?.integer == 1)
            let token = setting.token()
            func status() throws -> Int {
                let bearer = "bearer " + (try setting.world.key.token(issuedAt: setting.world.clock.date))
                let request = setting.world.request(to: token, ["authorization": bearer])
                return setting.gateway.respond(to: request, on: ProviderConnection(environment: .development)).status
            }
            #expect(try status() == 200)
            #expect(try status() == 429)
            let counted: JSONValue = [["id": .string(keyID), "tokens": 1]]
            #expect(try await control("GET", "provider-tokens").json["keys"] == counted)
            #expect(try await control("DELETE", "provider-tokens").status == 204)
            #expect(try status() == 200)
            for body in [#"{"limit":0}"#, #"{"limit":1001}"#, #"{}"#, #"{"limit":2,"key":"a"}"#] {
                #expect(try await control("PUT", "provider-tokens", body).status == 400)
            }
            #expect(try await control("GET", "provider-tokens").json["limit"]?.integer == 1)
        }
    }
}
