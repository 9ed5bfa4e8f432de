import APNSGateway
import APNSTransport
import AppleDeveloper
import DeviceLink
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("Control endpoint", .suiteLimit)
struct ControlTests {
    @Test("A fault is set, listed, carried out, told in the log, and lifted")
    func faults() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token()
            let posted = try await control(
                "POST",
                "faults",
                #"{"kind":"answer","reason":"TooManyRequests","token":"\#(token.hexadecimal)"}"#
            )
            #expect(posted.status == 201)
            #expect(posted.json["status"]?.integer == 429)
            let id = try #require(posted.json["id"]?.integer)
            try await setting.provider { provider in
                provider.send(setting.world.request(to: token), stream: 1)
                #expect(await provider.wholeAnswer(on: 1).status == 429)
            }
            let list = try await control("GET", "faults").json["faults"]?.array
            #expect(list?.count == 1)
            #expect(list?.first?.object?["carriedOut"]?.integer == 1)
            #expect(try await control("GET", "faults/\(id)").json["met"]?.integer == 1)
            let log = try await control("GET", "log").json["entries"]?.array
            #expect(log?.first?.object?["fault"]?.integer == id)
            #expect(try await control("GET", "log?after=1").json["entries"]?.array?.isEmpty == true)
            #expect(try await control("DELETE", "faults/\(id)").status == 204)
            #expect(try await control("DELETE", "faults/\(id)").status == 404)
            #expect(setting.gateway.faults.isEmpty)
            for _ in 0..<2 { _ = try await control("POST", "faults", #"{"kind":"stall"}"#) }
            #expect(try await control("DELETE", "faults").status == 204)
            #expect(setting.gateway.faults.isEmpty)
        }
    }

    @Test("A script begins, says its seed and its faults, and ends")
    func scripts() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let body = #"{"faults":[{"kind":"latency","seconds":1,"chance":0.5},{"kind":"reset","from":5}]}"#
            let drawn = try await control("POST", "scripts", body)
            #expect(drawn.status == 201)
            #expect(drawn.json["faults"]?.array == [1, 2])
            let seed = try #require(drawn.json["seed"]?.integer)
            let again = try await control("POST", "scripts", #"{"seed":\#(seed),"faults":[]}"#)
            #expect(again.json["seed"]?.integer == seed)
            #expect(try await control("GET", "scripts").json["scripts"]?.array?.count == 2)
            #expect(try await control("DELETE", "scripts/1").status == 204)
            #expect(try await control("DELETE", "scripts/1").status == 404)
            #expect(setting.gateway.faults.isEmpty)
        }
    }

    @Test("Tokens are issued, looked at, unregistered and expired with a date")
    func tokens() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let issued = try await control(
                "POST",
                "tokens",
                #"{"topic":"com.example.app","environment":"development","count":2}"#
            )
            #expect(issued.status == 201)
            let tokens = try #require(issued.json["tokens"]?.array).compactMap(\.string)
            #expect(Set(tokens).count == 2)
            #expect(try await control("GET", "tokens/\(tokens[0])").json["state"]?.string == "valid")
            let dead = try await control(
                "PUT",
                "tokens/\(tokens[0])",
                #"{"state":"unregistered","since":1700000000123}"#
            )
            #expect(dead.json["state"]?.string == "unregistered")
            #expect(dead.json["since"]?.integer == 1_700_000_000_123)
            let old = try await control("PUT", "tokens/\(tokens[1])", #"{"state":"expired"}"#)
            #expect(old.json["state"]?.string == "expired")
            let connection = ProviderConnection(environment: .development)
            for (token, reason) in zip(tokens, ["Unregistered", "ExpiredToken"]) {
                let token = try #require(DeviceToken(token))
                let answer = setting.gateway.respond(to: setting.world.request(to: token), on: connection)
                #expect(answer.reason == reason)
            }
        }
    }

    @Test("Keys and certificates are revoked, and an outage begins and ends")
    func credentials() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token()
            func reason() -> String? {
                let connection = ProviderConnection(environment: .development)
                return setting.gateway.respond(to: setting.world.request(to: token), on: connection).reason
            }
            #expect(try await control("PUT", "outage", #"{"reason":"ServiceUnavailable"}"#).status == 204)
            #expect(try await control("GET", "outage").json["reason"]?.string == "ServiceUnavailable")
            #expect(reason() == "ServiceUnavailable")
            #expect(try await control("DELETE", "outage").status == 204)
            #expect(reason() == nil)
            let keys = try await control("GET", "keys").json["keys"]?.array
            #expect(keys?.first?.object?["revoked"]?.bool == false)
            #expect(try await control("DELETE", "keys/\(keyID)").status == 204)
            #expect(try await control("GET", "keys").json["keys"]?.array?.first?.object?["revoked"]?.bool == true)
            #expect(reason() == "Forbidden")
            let facts = CertificateOrder().facts
            let connection = ProviderConnection(environment: .development) { facts }
            let serial = CertificateOrder.serialNumber.hexadecimal
            #expect(try await control("DELETE", "certificates/\(serial)").status == 204)
            let answer = setting.gateway.respond(to: setting.world.request(to: token), on: connection)
            #expect(answer.reason == "BadCertificate")
        }
    }

    @Test("Connections are listed with their requests, told to go, and closed")
    func connections() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            try await setting.provider { provider in
                for stream in [1, 3] {
                    provider.send(setting.world.request(to: setting.token()), stream: stream)
                    #expect(await provider.wholeAnswer(on: stream).status == 200)
                }
                let list = try #require(try await control("GET", "connections").json["connections"]?.array)
                #expect(list.count == 1)
                let first = try #require(list.first?.object)
                #expect(first["requests"]?.integer == 2)
                #expect(first["environment"]?.string == "development")
                #expect(first["peer"]?.string?.contains("127.0.0.1") == true)
                let id = try #require(first["id"]?.integer)
                let goAway = try await control(
                    "POST",
                    "connections/\(id)/goaway",
                    #"{"reason":"Shutdown","twice":true}"#
                )
                #expect(goAway.status == 204)
                try await eventually("GOAWAY has come") { provider.goAways.count == 2 }
                #expect(provider.goAwayTexts == Array(repeating: #"{"reason":"Shutdown"}"#, count: 2))
                #expect(try await control("DELETE", "connections/\(id)").status == 204)
                try await eventually("the connection is closed") { !provider.isOpen }
                try await eventually("no provider is connected") { setting.gateway.providers.isEmpty }
                #expect(try await control("GET", "connections/\(id)").error == "Connection \(id) is not open; none is.")
            }
        }
    }

    @Test("Counts, and what became of a push, its id in either case")
    func watches() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let id = UUID().uuidString
            try await setting.provider { provider in
                provider.send(setting.world.request(to: setting.token(), ["apns-id": id]), stream: 1)
                _ = await provider.wholeAnswer(on: 1)
            }
            let counts = try await control("GET", "counts").json
            #expect(counts["waiting"]?.integer == 1)
            #expect(
                counts["answers"] == [
                    ["environment": "development", "status": 200, "reason": .null, "count": 1]
                ]
            )
            for spelling in [id.uppercased(), id.lowercased()] {
                let push = try await control("GET", "pushes/\(spelling)").json
                #expect(push["apns-id"]?.string == id.lowercased())
                #expect(push["state"]?.string == "waiting")
                #expect(push["until"]?.string == "2026-01-31T08:00:00.000Z")
                #expect(push["events"]?.array?.first?.object?["event"]?.string == "stored")
            }
            let unknown = try await control("GET", "pushes/\(UUID().uuidString)")
            #expect(unknown.status == 404)
            #expect(unknown.error?.contains("is remembered") == true)
        }
    }

    @Test("A senseless request is refused in words")
    func refusals() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token().hexadecimal
            let rows: [(method: String, path: String, body: String?, status: Int, error: String)] = [
                ("POST", "faults", "{", 400, "The body is not JSON: line 1"),
                ("POST", "faults", #"{"kind":"stall","speed":1}"#, 400, "Key 'speed' is not known here"),
                ("POST", "faults", "", 400, "The body is not JSON"),
                (
                    "POST", "faults", String(repeating: " ", count: 1 << 20) + "{}", 413,
                    "The body has more than 1048576 bytes"
                ),
                ("POST", "scripts", #"{"faults":[{"kind":"x"}]}"#, 400, "Key 'faults[0].kind' is 'x'; expected one of"),
                ("GET", "faults/one", nil, 400, "'one' is not a number."),
                ("GET", "log?after=x", nil, 400, "'after' is 'x'"),
                ("POST", "tokens", #"{"topic":"a"}"#, 400, "Key 'environment' is missing"),
                ("PUT", "tokens/\(token)", #"{"state":"valid"}"#, 400, "Key 'state' is 'valid'; expected one of"),
                ("PUT", "tokens/\(token)", #"{}"#, 400, "Key 'state' is missing"),
                ("GET", "tokens/xyz", nil, 400, "'xyz' is not a device token"),
                ("GET", "tokens/00ff", nil, 404, "The gateway has issued no such device token"),
                ("DELETE", "keys/NONE", nil, 404, "There is no key 'NONE'; there are '\(keyID)'."),
                ("DELETE", "certificates/xyz", nil, 400, "'xyz' is not a serial number"),
                ("PUT", "outage", #"{"reason":"BadTopic"}"#, 400, "Key 'reason' is 'BadTopic'; expected one of"),
                ("POST", "connections/99/goaway", "{}", 404, "Connection 99 is not open; none is."),
                ("GET", "pushes/1234", nil, 400, "'1234' is not an apns-id"),
                ("GET", "nothing", nil, 404, "There is no GET /nothing; the resources are faults, scripts"),
            ]
            for row in rows {
                let answer = try await control(row.method, row.path, row.body)
                #expect(answer.status == row.status, "\(row.method) \(row.path)")
                #expect(answer.error?.hasPrefix(row.error) == true, "\(answer.error ?? "no error")")
            }
        }
    }

    @Test("With a token it lets in nobody else, and never a web page")
    func token() async throws {
        try await FaultyGateway.withControl(try World(), token: "secret") { _, control in
            let rows: [(headers: [String: String], status: Int)] = [
                ([:], 401), (["Authorization": "Bearer wrong"], 401), (["Authorization": "Bearer secret"], 200),
                (["Authorization": "Bearer secret", "Origin": "https://example.com"], 403),
            ]
            for row in rows {
                let answer = try await ControlClient(port: control.port, headers: row.headers)("GET", "counts")
                #expect(answer.status == row.status)
                #expect((answer.error == nil) == (row.status == 200))
            }
        }
    }

    @Test(
        "Beyond the loopback it wants a token",
        arguments: [
            ("127.0.0.1", nil, true), ("localhost", nil, true), ("::1", nil, true), ("0.0.0.0", nil, false),
            ("::", nil, false), ("192.0.2.1", nil, false), ("127.example.com", nil, false), ("0.0.0.0", "x", true),
            ("127.0.0.1", "", false),
        ] as [(String, String?, Bool)]
    )
    func loopback(_ host: String, _ token: String?, _ isFine: Bool) async throws {
        let control = GatewayServer.Control(host: host, token: token)
        #expect((try? control.check()) != nil || !isFine)
        #expect((try? control.check()) == nil || isFine)
        guard !isFine else { return }
        let configuration = GatewayServer.Configuration { $0.control = control }
        let authority = try GatewayAuthority(folder: nil)
        await #expect(throws: GatewayServer.ControlProblem.self) {
            _ = try await GatewayServer.start(try World().gateway, authority: authority, configuration: configuration)
        }
    }
}
