import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Posthorn's own calls about devices", .suiteLimit)
struct DeviceListRouteTests {
    private static let path = "/posthorn/v1/devices"

    private func ids(_ answer: Answer) -> [String] {
        (answer.json?["devices"]?.array ?? []).compactMap { $0.object?["registration_id"]?.string }
    }

    @Test("Devices of others come in by batches, and what is wrong with one is told by its place")
    func imports() async throws {
        try await TestAPI.run { api in
            let body = """
                {"environment":"development","devices":[
                {"registration_id":"1a0018970a91c0c8a3f","token":"00ff","alias":"bob","tags":["a","b"]},
                {"token":"01ff","environment":"production","tags":"a;b"}]}
                """
            let first = try await api.call("POST", "\(Self.path)/import", body)
            #expect(first.status == 200)
            #expect(first.text == "{\"created\":2,\"updated\":0,\"unchanged\":0,\"kept\":0,\"rejected\":[]}")
            let again = try await api.call("POST", "\(Self.path)/import", body)
            #expect(again.text == "{\"created\":0,\"updated\":0,\"unchanged\":2,\"kept\":0,\"rejected\":[]}")
            let found = try await api.call("GET", "/v3/devices/1a0018970a91c0c8a3f")
            #expect(found.text == "{\"tags\":[\"a\",\"b\"],\"alias\":\"bob\",\"mobile\":null}")
            #expect(try await api.call("POST", "/v3/devices/1a0018970a91c0c8a3f", "{\"alias\":\"eve\"}").status == 200)
            let listed = try await api.call("GET", "/v3/aliases/eve")
            #expect(listed.text == "{\"registration_ids\":[\"1a0018970a91c0c8a3f\"]}")
            let member = try await api.call("GET", "/v3/tags/a/registration_ids/1a0018970a91c0c8a3f")
            #expect(member.text == "{\"result\":true}")
            let unknown = api.core.registry.registrationID(of: DeviceID(app: api.app.id, ordinal: 9))
            let rejected = try await api.call(
                "POST",
                "\(Self.path)/import",
                "{\"devices\":[{\"token\":\"02\"},{\"token\":\"03\",\"registration_id\":\"\(unknown)\"}]}"
            )
            #expect(rejected.json?["created"] == 1)
            let rejection = rejected.json?["rejected"]?.array?.first?.object
            #expect(rejection?["index"] == 1)
            #expect(rejection?["problem"]?.string?.contains("\(unknown)") == true)
        }
    }

    @Test("All that is known of a device is told")
    func one() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id).text
            _ = try await api.call("POST", "/v3/devices/\(id)", "{\"tags\":{\"add\":[\"a\"]},\"alias\":\"bob\"}")
            _ = try await api.call("POST", "/v3/devices/\(id)", "{\"attributes\":{\"a\":\"1\",\"b\":\"2\"}}")
            _ = try await api.call("POST", "/v3/devices/\(id)", "{\"attributes\":{\"a\":null}}")
            let found = try await api.call("GET", "\(Self.path)/\(id)")
            #expect(
                found.json?.keys == [
                    "registration_id", "token", "environment", "alias", "alias_proved", "tags", "mobile", "attributes",
                    "badge", "system", "zone",
                    "app_version", "language", "permission", "imported", "push_on", "online", "last_seen",
                    "channel_tokens",
                ]
            )
            #expect(found.json?["registration_id"] == .string(id))
            #expect(found.json?["alias_proved"] == true, "The backend has set it.")
            #expect(found.json?["token"] == .string(String(repeating: "00", count: 32)))
            #expect(found.json?["environment"] == "production")
            #expect(found.json?["alias"] == "bob")
            #expect(found.json?["tags"] == ["a"])
            #expect(found.json?["attributes"] == ["b": "2"])
            #expect((found.json?["language"], found.json?["permission"]) == (.null, .null))
            #expect(found.json?["imported"] == false)
            #expect(found.json?["online"] == true)
            #expect(found.json?["last_seen"] == "2026-01-01T08:00:00Z")
        }
    }

    @Test("Devices are listed page by page, all or those with a tag, an alias, or both")
    func list() async throws {
        try await TestAPI.run { api in
            var all: [String] = []
            for number in 0..<5 {
                let device = try await api.addDevice()
                all.append(api.core.registry.registrationID(of: device.id).text)
                let alias = number > 2 ? ",\"alias\":\"bob\"" : ""
                let body = "{\"tags\":{\"add\":[\"\(number.isMultiple(of: 2) ? "even" : "odd")\"]}\(alias)}"
                _ = try await api.call("POST", "/v3/devices/\(all[number])", body)
            }
            #expect(try await ids(api.call("GET", Self.path)) == all)
            #expect(try await ids(api.call("GET", "\(Self.path)?limit=2")) == [all[0], all[1]])
            #expect(try await ids(api.call("GET", "\(Self.path)?limit=2&after=\(all[1])")) == [all[2], all[3]])
            #expect(try await ids(api.call("GET", "\(Self.path)?after=\(all[4])")) == [])
            #expect(try await ids(api.call("GET", "\(Self.path)?tag=even")) == [all[0], all[2], all[4]])
            #expect(try await ids(api.call("GET", "\(Self.path)?tag=even&limit=1&after=\(all[0])")) == [all[2]])
            #expect(try await ids(api.call("GET", "\(Self.path)?alias=bob")) == [all[3], all[4]])
            #expect(try await ids(api.call("GET", "\(Self.path)?alias=bob&tag=odd")) == [all[3]])
            #expect(try await ids(api.call("GET", "\(Self.path)?tag=none")) == [])
        }
    }

    @Test("The number of devices on all pages counts inactive ones, and none that registered as another")
    func total() async throws {
        try await TestAPI.run { api in
            let rows = (0..<4).map {
                "{\"token\":\"0\($0)\",\"registration_id\":\"r\($0)\",\"tags\":\"\($0 < 2 ? "low" : "high")\"}"
            }
            _ = try await api.call("POST", "\(Self.path)/import", "{\"devices\":[\(rows.joined(separator: ","))]}")
            // The id moves to the token of another device, so that its former device is retired.
            _ = try await api.call(
                "POST",
                "\(Self.path)/import",
                "{\"devices\":[{\"token\":\"01\",\"registration_id\":\"r0\"}]}"
            )
            func total(_ query: String) async throws -> JSONValue? {
                try await api.call("GET", "\(Self.path)?limit=1&\(query)").json?["total"]
            }
            #expect(try await ids(api.call("GET", Self.path)).count == 3)
            for _ in 0..<2 {
                #expect(try await total("total=true") == 3)
                #expect(try await total("total=true&tag=low") == 1)
                #expect(try await total("total=true&tag=high&alias=x") == 0)
                await api.clock.advance(by: .seconds(300 * 86_400))
            }
            #expect(try await total("total=false") == nil)
            let refused = try await api.call("GET", "\(Self.path)?total=yes")
            #expect(refused.code == 1003 && refused.text.contains("'total' is 'yes'; expected true or false."))
        }
    }

    @Test("Every failure has its code and status")
    func errors() async throws {
        try await TestAPI.run { api in
            let many = String(repeating: "{\"token\":\"00\"},", count: 5001).dropLast()
            let table: [(String, String, String?, Int, Int64)] = [
                ("GET", "?limit=0", nil, 400, 1003), ("GET", "?limit=1001", nil, 400, 1003),
                ("GET", "?limit=x", nil, 400, 1003), ("GET", "?after=0123", nil, 400, 7002),
                ("GET", "/0123456789abcdef", nil, 400, 7002), ("GET", "/%ff", nil, 400, 7002),
                ("POST", "/import", "", 400, 1002), ("POST", "/import", "[]", 400, 1002),
                ("POST", "/import", "{\"devices\":{}}", 400, 1002), ("POST", "/import", "{\"devices\":[1]}", 400, 1003),
                ("POST", "/import", "{\"devices\":[{}]}", 400, 1003),
                ("POST", "/import", "{\"devices\":[],\"environment\":\"x\"}", 400, 1003),
                ("POST", "/import", "{\"devices\":[\(many)]}", 400, 1003),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, Self.path + target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
            }
            let stranger = try await api.call("GET", Self.path, authorization: .some(nil))
            #expect(stranger.status == 401)
            #expect(stranger.code == 1004)
            #expect(try await ids(api.call("GET", Self.path)) == [], "Nothing came in.")
        }
    }
}
