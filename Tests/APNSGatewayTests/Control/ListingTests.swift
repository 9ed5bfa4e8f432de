import APNSGateway
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("Lists at the control endpoint", .suiteLimit)
struct ListingTests {
    @Test("Tokens are listed in the order of their issue, by condition, and page by page from the latest")
    func tokens() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let gateway = setting.gateway
            let issued = [
                gateway.issueToken(topic: "a", environment: .development),
                gateway.issueToken(topic: "b", environment: .production),
                gateway.issueToken(topic: "a", environment: .production),
                gateway.issueToken(topic: "a", environment: .development),
            ]
            gateway.unregisterToken(issued[2])
            gateway.expireToken(issued[3])
            func places(_ query: String) async throws -> [Int] {
                let tokens = try await control("GET", "tokens?" + query).json["tokens"]?.array ?? []
                return tokens.compactMap { token in
                    issued.firstIndex { $0.hexadecimal == token.object?["token"]?.string }
                }
            }
            #expect(try await places("") == [0, 1, 2, 3])
            #expect(try await places("topic=a") == [0, 2, 3])
            #expect(try await places("environment=production") == [1, 2])
            #expect(try await places("state=valid") == [0, 1])
            #expect(try await places("state=unregistered") == [2])
            #expect(try await places("state=expired") == [3])
            #expect(try await places("device=none") == [])
            #expect(try await places("limit=2") == [2, 3])
            let last = try #require(try await control("GET", "tokens?limit=2").json["tokens"]?.array)
            let number = try #require(last.first?.object?["number"]?.integer)
            #expect(try await places("limit=2&before=\(number)") == [0, 1])
            #expect(last.last?.object?["topic"]?.string == "a")
            #expect(last.last?.object?["state"]?.string == "expired")
            #expect(last.last?.object?["waiting"]?.integer == 0)
        }
    }

    @Test(
        "A parameter of the tokens that cannot be right is refused in words",
        arguments: [
            (
                "colour=red",
                "There is no parameter 'colour'; expected topic, environment, device, state, before or limit."
            ),
            ("state=dead", "'state' is 'dead'; expected valid, unregistered or expired."),
            ("limit=1001", "'limit' is '1001'; expected an integer, 1 to 1000."),
            ("before=x", "'before' is 'x'; expected an integer, 1 or more."),
            ("environment=test", "'environment' is 'test'; expected development or production."),
        ]
    )
    func refusals(_ query: String, _ error: String) async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            let answer = try await control("GET", "tokens?" + query)
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
    }

    @Test("A linked device is listed with its apps and whether it is awake, and so are its tokens")
    func devices() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            #expect(try await control("GET", "devices").json == ["devices": []])
            let device = SocketDevice("phone")
            device.register()
            device.connect(to: setting.server.courierURL)
            try await eventually("the device has a token") { !device.tokens.isEmpty }
            let expected: JSONObject = [
                "devices": [
                    [
                        "id": "phone", "awake": true,
                        "apps": [["topic": .string(bundleID), "environment": "development"]],
                    ]
                ]
            ]
            #expect(try await control("GET", "devices").json == expected)
            let token = try #require(device.tokens.first).hexadecimal
            let tokens = try await control("GET", "tokens?device=phone").json["tokens"]?.array
            #expect(tokens?.compactMap { $0.object?["token"]?.string } == [token])
        }
    }

    @Test("Keys are listed with their topics, and nothing secret")
    func keys() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let key = setting.gateway.generateKey(
                id: "NARROW0001",
                team: "TEAM",
                environments: [.production],
                scope: .topics(["b", "a"])
            )
            let answer = try await control("GET", "keys").json
            let keys = (answer["keys"]?.array ?? []).compactMap(\.object)
            #expect(keys.first { $0["id"]?.string == keyID }?["topics"] == .null)
            #expect(
                keys.first { $0["id"]?.string == "NARROW0001" } == [
                    "id": "NARROW0001", "team": "TEAM", "revoked": false, "environments": ["production"],
                    "topics": ["a", "b"], "relatedTo": .null,
                ]
            )
            let secret = key.p8.split(separator: "\n").dropFirst().first ?? ""
            #expect(!secret.isEmpty && !JSONValue.object(answer).text.contains(secret))
        }
    }
}
