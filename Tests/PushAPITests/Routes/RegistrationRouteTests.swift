import DeviceLink
import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// A device that has registered over HTTP, and calls as itself.
struct HTTPDevice {
    static let path = "/posthorn/v1/registrations"
    let api: TestAPI
    var id: String
    var secret: String

    static func body(_ api: TestAPI, _ change: [String: JSONValue?] = [:]) -> String {
        var object: JSONObject = [
            "app_key": .string(api.app.key.text), "bundle_id": .string(api.app.bundleID),
            "environment": "production", "system": "iOS 17.0", "installation": "i",
        ]
        for (key, value) in change { object[key] = value }
        return JSONValue.object(object).text
    }

    init(_ api: TestAPI, _ change: [String: JSONValue?] = [:]) async throws {
        let answer = try await api.call("POST", Self.path, Self.body(api, change), authorization: .some(nil))
        self.api = api
        id = try #require(answer.json?["registration_id"]?.string, "\(answer.text)")
        secret = try #require(answer.json?["secret"]?.string)
    }

    var authorization: String { TestAPI.basic("\(id):\(secret)") }

    func call(_ method: String, _ rest: String = "", _ body: String? = nil) async throws -> Answer {
        try await api.call(method, "\(Self.path)/\(id)\(rest)", body, authorization: .some(authorization))
    }

    var device: RegisteredDevice {
        get async throws {
            let name = try #require(RegistrationID(id))
            let device = try #require(api.core.registry.device(name, of: api.app.id))
            return try #require(try await api.core.store.device(device))
        }
    }
}

@Suite("Devices that register over HTTP", .suiteLimit)
struct RegistrationRouteTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test("A phone that registers as a device of its own names the registration that it has shared, with its secret")
    func separates() async throws {
        try await TestAPI.run { api in
            let first = try await HTTPDevice(api)
            func former(_ secret: String, _ installation: String) async throws -> HTTPDevice {
                try await HTTPDevice(
                    api,
                    [
                        "installation": .string(installation), "former_id": .string(first.id),
                        "former_secret": .string(secret),
                    ]
                )
            }
            _ = try await former("guessed", "2")
            #expect(try await first.device.separation == nil, "With another secret it has no effect.")
            _ = try await HTTPDevice(api, ["installation": "3", "former_id": "nobody", "former_secret": "s"])
            let second = try await former(first.secret, "4")
            let separation = try await first.device.separation
            #expect(separation?.date == api.clock.date)
            #expect(try await second.device.separation == nil)
            let found = try await api.call("GET", "/posthorn/v1/devices/\(first.id)")
            #expect(found.json?["separated_as"] == .string(second.id))
            let diagnosis = try await first.call("GET", "/diagnosis?wait=0")
            #expect(diagnosis.json?["facts"]?.object?["separated_as"] == .string(second.id), "\(diagnosis.text)")
            let long = String(repeating: "a", count: 65)
            let body = HTTPDevice.body(api, ["former_id": .string(long), "former_secret": "s"])
            let refused = try await api.call("POST", HTTPDevice.path, body, authorization: .some(nil))
            #expect(refused.status == 400, "\(refused.text)")
        }
    }

    @Test("An operation that arrives again after a later one is answered, and has no effect")
    func lateOperations() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            let operations = [
                ("/tags", #""operation":"set","tags":["a"]"#, #""operation":"set","tags":["b"]"#),
                ("/tags", #""operation":"add","tags":["c"]"#, #""operation":"delete","tags":["c"]"#),
                ("/alias", #""operation":"set","alias":"tom""#, #""operation":"delete""#),
                ("/badge", #""badge":3"#, #""badge":4"#), ("/mobile", #""mobile":"1""#, #""mobile":"2""#),
                ("/attributes", #""attributes":{"n":"one"}"#, #""attributes":{"n":"two"}"#),
                ("/topics", #""declined":["news"]"#, #""declined":["sport"]"#),
                ("/push-switch", #""on":false"#, #""on":true"#),
            ]
            for (place, operation) in operations.enumerated() {
                let (path, early, late) = operation
                let number = place * 2 + 1
                // Names may be changed ten times in ten seconds.
                await api.clock.advance(by: .seconds(10))
                func call(_ body: String, _ number: Int) async throws -> Answer {
                    try await device.call("POST", path, "{\(body),\"sequence\":\(number)}")
                }
                #expect(try await call(early, number).status == 200)
                #expect(try await call(late, number + 1).status == 200)
                let before = try await device.device
                let topics = try await api.core.store.declinedTopics(of: before.id)
                let again = try await call(early, number)
                #expect(again.status == 200, "\(again.text)")
                var after = try await device.device
                after.version = before.version
                #expect(after == before, "\(path)")
                #expect(try await api.core.store.declinedTopics(of: before.id) == topics)
            }
            let told = try await device.call("PUT")
            #expect(told.json?["sequence"] == .number(2 * operations.count))
            let wrong = try await device.call("POST", "/badge", #"{"badge":1,"sequence":0}"#)
            #expect(wrong.status == 400)
            // A new registration counts anew.
            let again = try await HTTPDevice(api)
            #expect(again.id == device.id)
            #expect(try await again.device.sequence == 0)
        }
    }

    @Test("An installation keeps its id and gets a new secret; its record is that of a device with a link")
    func registers() async throws {
        try await TestAPI.run { api in
            let extra: [String: JSONValue?] = [
                "token": .string(Self.token), "voip_token": "cd01", "zone": "Asia/Shanghai", "app_version": "1.2",
                "channel": "store", "language": "zh-Hans-CN", "permission": "denied",
                "activity_start_tokens": [["attributes_type": "Order", "token": "ef02"]],
                "activity_tokens": [["activity": "one", "token": "ef03"]],
            ]
            let first = try await HTTPDevice(api, extra)
            let device = try await first.device
            #expect(device.token?.hexadecimal == Self.token)
            #expect(device.zone == "Asia/Shanghai")
            #expect((device.appVersion, device.channel, device.system) == ("1.2", "store", "iOS 17.0"))
            #expect((device.language, device.permission) == ("zh-Hans-CN", .denied))
            let shown = try await api.call("GET", "/posthorn/v1/devices/\(first.id)")
            #expect(shown.json?["language"] == "zh-Hans-CN")
            #expect(shown.json?["permission"] == "denied")
            for (language, kept) in [("a b !!", nil), ("pt_BR", "pt-BR")] as [(String, String?)] {
                let other = try await HTTPDevice(
                    api,
                    ["installation": .string(language), "language": .string(language)]
                )
                #expect(try await other.device.language == kept)
            }
            let channels = try await api.core.store.channelTokens(of: device.id)
            #expect(channels.map(\.name) == ["one", "Order", ""])
            let second = try await HTTPDevice(api)
            #expect(second.id == first.id)
            #expect(second.secret != first.secret)
            #expect(try await first.call("PUT", "", "{}").status == 401)
            let digest = try #require(DeviceToken(Self.token)).digest
            let state = #"{"has_token":true,"push":true,"sequence":0,"token_digest":"\#(digest)"}"#
            #expect(try await second.call("PUT", "", "{}").text == state)
            // What a registration does not say of these stays.
            #expect(try await second.device.permission == .denied)
        }
    }

    @Test("A start changes what it names; a change of the environment drops the token, and counts as a login")
    func starts() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api, ["token": .string(Self.token), "app_version": "1"])
            await api.clock.advance(by: .seconds(86_400))
            var answer = try await device.call(
                "PUT",
                "",
                #"{"permission":"summary","app_version":"2","zone":"no/where"}"#
            )
            let digest = try #require(DeviceToken(Self.token)).digest
            let state = #"{"has_token":true,"push":true,"sequence":0,"token_digest":"\#(digest)"}"#
            #expect(answer.text == state)
            var stored = try await device.device
            #expect((stored.appVersion, stored.permission) == ("2", .summary))
            #expect(stored.lastSeen == api.clock.date)
            answer = try await device.call("PUT", "", #"{"environment":"development"}"#)
            #expect(answer.text == #"{"has_token":false,"push":true,"sequence":0}"#)
            answer = try await device.call("PUT", "", #"{"token":"\#(Self.token)"}"#)
            #expect(answer.text == state)
            stored = try await device.device
            #expect((stored.environment, stored.token?.hexadecimal) == (.development, Self.token))
        }
    }

    /// Calls, each with the frame that says the same on the link.
    private static let requests: [(kind: String, body: String, frame: SDKRequest)] = [
        ("tags", #"{"operation":"add","tags":["vip","b"]}"#, .addTags(["vip", "b"])),
        ("tags", #"{"operation":"get"}"#, .getAllTags),
        ("tags", #"{"operation":"check","tag":"vip"}"#, .checkTag("vip")),
        ("tags", #"{"operation":"delete","tags":["b"]}"#, .deleteTags(["b"])),
        ("tags", #"{"operation":"set","tags":["c"]}"#, .setTags(["c"])),
        ("tags", #"{"operation":"add","tags":["a b"]}"#, .addTags(["a b"])),
        ("alias", #"{"operation":"set","alias":""}"#, .setAlias("")),
        ("alias", #"{"operation":"set","alias":"bob"}"#, .setAlias("bob")),
        ("alias", #"{"operation":"get"}"#, .getAlias),
        ("alias", #"{"operation":"delete"}"#, .deleteAlias),
        ("alias", #"{"operation":"get"}"#, .getAlias),
        ("badge", #"{"badge":7}"#, .badge(7)),
        ("badge", #"{"badge":100000}"#, .badge(100_000)),
        ("mobile", #"{"mobile":"13812345678"}"#, .mobile("13812345678")),
        ("mobile", #"{"mobile":"x"}"#, .mobile("x")),
        ("mobile", #"{"mobile":"123456789012345678901"}"#, .mobile("123456789012345678901")),
        ("mobile", #"{"mobile":null}"#, .mobile(nil)),
        ("push-switch", #"{"on":false}"#, .pushSwitch(false)),
        ("badge", #"{"badge":1}"#, .badge(1)),
        ("push-switch", "{}", .pushStatus),
        ("push-switch", #"{"on":true}"#, .pushSwitch(true)),
    ]

    @Test("Both doors give the same answers and codes, and count the same calls")
    func bothDoors() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api, ["installation": "http"])
            let (link, heard) = api.openLink()
            var events = heard.makeAsyncIterator()
            func frame() async throws -> SDKFrame {
                while let event = await events.next() { if case .frame(let frame) = event { return frame } }
                throw CancellationError()
            }
            guard case .opened? = await events.next() else { throw CancellationError() }
            link.send(api.registration("link").text)
            guard case .registered = try await frame(), case .loggedIn = try await frame() else {
                throw CancellationError()
            }
            for (number, request) in Self.requests.enumerated() {
                let answer = try await device.call("POST", "/\(request.kind)", request.body)
                link.send(SDKFrame.request(number: Int64(number), request.frame).text)
                guard case .reply(_, let reply) = try await frame() else { throw CancellationError() }
                let name = "\(request.kind) \(request.body): \(answer.text)"
                #expect(Int(answer.code ?? 0) == reply.code, "\(name)")
                #expect(answer.message == reply.message, "\(name)")
                #expect(answer.json?["tags"]?.array?.compactMap(\.string) == reply.tags, "\(name)")
                #expect(answer.json?["alias"]?.string == reply.alias, "\(name)")
                #expect(answer.json?["bound"]?.bool == reply.isBound, "\(name)")
                #expect(answer.json?["on"]?.bool == reply.isOn, "\(name)")
            }
            // Ten calls about tags and alias in ten seconds, of which nine were made.
            #expect(try await device.call("POST", "/alias", #"{"operation":"get"}"#).status == 429)
            await api.clock.advance(by: .seconds(10))
            #expect(try await device.call("POST", "/alias", #"{"operation":"get"}"#).text == "{}")
            link.close()
        }
    }

    @Test(
        "A body that cannot be read is refused with the member's name, and changes nothing",
        arguments: [
            ("", "{", "The body is not JSON"), ("", "[]", "The document is an array; expected an object."),
            ("", #"{"permission":"maybe"}"#, "Key 'permission' is 'maybe'"), ("", #"{"token":"xy"}"#, "Key 'token'"),
            ("", #"{"environment":"test"}"#, "Key 'environment'"), ("", #"{"zone":1}"#, "Key 'zone' is 1"),
            ("", #"{"activity_tokens":[{"activity":""}]}"#, "The name has 0 bytes"),
            ("", #"{"activity_start_tokens":[{}]}"#, "Key 'activity_start_tokens[0].attributes_type' is missing"),
            ("/tags", #"{"operation":"drop"}"#, "Key 'operation' is 'drop'"),
            ("/tags", "{}", "Key 'operation' is missing"),
            ("/tags", #"{"operation":"add"}"#, "Key 'tags' is missing"),
            ("/badge", #"{"badge":"1"}"#, "Key 'badge' is '1'"),
            ("/tags", "", "Key 'operation' is missing"), ("/badge", "", "Key 'badge' is missing"),
            ("/attributes", #"{"attributes":{"a":[1]}}"#, "Key 'attributes'"),
            ("/push-switch", #"{"on":1}"#, "Key 'on' is 1"), ("/receipts", "{}", "Key 'receipts' is missing"),
            (
                "/receipts", #"{"receipts":[{"msg_id":"x","event":"opened","time":1}]}"#,
                "Key 'receipts[0].msg_id' is 'x'"
            ),
            (
                "/receipts", #"{"receipts":[{"msg_id":"1","event":"seen","time":1}]}"#,
                "Key 'receipts[0].event' is 'seen'"
            ),
        ]
    )
    func unreadable(_ rest: String, _ body: String, _ message: String) async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            let before = try await device.device
            let answer = try await device.call(rest.isEmpty ? "PUT" : "POST", rest, body)
            #expect((answer.status, answer.code) == (400, 6017), "\(answer.text)")
            #expect(answer.message?.hasPrefix(message) == true, "\(answer.text)")
            #expect(try await device.device == before)
        }
    }

    @Test("No body is an empty object: a start without news, and the switch that is read")
    func noBody() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            for body in ["", "{}", nil] {
                let started = try await device.call("PUT", "", body)
                #expect((started.status, started.json?["push"]) == (200, true), "\(started.text)")
                let read = try await device.call("POST", "/push-switch", body)
                #expect((read.status, read.json?["on"]) == (200, true), "\(read.text)")
            }
        }
    }

    @Test("Attributes may be numbers and booleans, which are kept as texts")
    func attributesOfOtherKinds() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            let values = #"{"attributes":{"age":3,"height":1.50,"member":true,"city":null,"name":"Ann"}}"#
            #expect(try await device.call("POST", "/attributes", values).status == 200)
            #expect(try await device.call("POST", "/attributes", #"{"attributes":[]}"#).status == 200)
            #expect(
                try await device.device.attributes == ["age": "3", "height": "1.50", "member": "true", "name": "Ann"]
            )
        }
    }

    @Test(
        "Receipts may have times with fractions",
        arguments: ["1700000000.123456", "1700000000.5", "1700000000", "1.7e9"]
    )
    func timesOfReceipts(_ time: String) async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            let receipt = "{\"receipts\":[{\"msg_id\":\"1\",\"event\":\"opened\",\"time\":\(time)}]}"
            let answer = try await device.call("POST", "/receipts", receipt)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test("Texts, tokens, receipts and bodies are bounded")
    func bounds() async throws {
        try await TestAPI.run { api in
            let long = JSONValue.string(String(repeating: "x", count: 257))
            for name in ["bundle_id", "installation", "system", "channel", "app_version", "language"] {
                let answer = try await api.call("POST", HTTPDevice.path, HTTPDevice.body(api, [name: long]))
                #expect((answer.status, answer.code) == (400, 6017), "\(name): \(answer.text)")
            }
            let token = JSONValue.string(String(repeating: "ab", count: 257))
            var answer = try await api.call("POST", HTTPDevice.path, HTTPDevice.body(api, ["token": token]))
            #expect(answer.message == "The token has 257 bytes; expected at most 256.")
            #expect(try await api.core.store.devices(of: api.app.id, from: 0, limit: 1).isEmpty)
            let padding = JSONValue.string(String(repeating: "x", count: 4096))
            answer = try await api.call("POST", HTTPDevice.path, HTTPDevice.body(api, ["unknown": padding]))
            #expect((answer.status, answer.code) == (413, 6017))
            let device = try await HTTPDevice(api)
            let receipt = #"{"msg_id":1,"event":"received","time":1}"#
            let receipts = Array(repeating: receipt, count: 101).joined(separator: ",")
            answer = try await device.call("POST", "/receipts", #"{"receipts":[\#(receipts)]}"#)
            #expect(answer.message == "Key 'receipts' is an array of 101; expected at most 100.")
            answer = try await device.call("PUT", "", #"{"unknown":"\#(String(repeating: "x", count: 65_536))"}"#)
            #expect((answer.status, answer.code) == (413, 6017))
        }
    }

    @Test("All callers without the secret get the same answer, and no refusal has the app's bundle id")
    func tellsNothing() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api, ["token": .string(Self.token)])
            let other = try await HTTPDevice(api, ["installation": "other"])
            let path = "\(HTTPDevice.path)/\(device.id)"
            var texts: Set<String> = []
            let callers = [
                nil, api.authorization, other.authorization, TestAPI.basic("\(device.id):\(other.secret)"),
                TestAPI.basic("0000000000000000:\(device.secret)"), TestAPI.basic("x:y"), "Bearer \(device.secret)",
            ]
            for caller in callers {
                for (method, rest) in [
                    ("PUT", ""), ("DELETE", ""), ("POST", "/tags"), ("GET", "/messages"), ("GET", "/diagnosis"),
                    ("GET", ""),
                ] {
                    let body = method == "GET" ? nil : "{}"
                    let answer = try await api.call(method, path + rest, body, authorization: .some(caller))
                    #expect((answer.status, answer.code) == (401, 6016), "\(method) \(rest): \(answer.text)")
                    texts.insert(answer.text)
                }
            }
            #expect(texts.count == 1)
            let bodies = [
                HTTPDevice.body(api, ["bundle_id": "com.example.wrong"]), HTTPDevice.body(api, ["app_key": "short"]),
                HTTPDevice.body(api, ["app_key": .string(String(repeating: "0", count: 24))]), "{}",
            ]
            var codes: [Int64?] = []
            for body in bodies {
                let answer = try await api.call("POST", HTTPDevice.path, body, authorization: .some(nil))
                codes.append(answer.code)
                #expect(answer.status == 400)
                #expect(!answer.text.contains(api.app.bundleID) && !answer.text.contains("com.example.wrong"))
            }
            #expect(codes == [1009, 1008, 1005, 6017])
            #expect(try await device.device.token != nil)
        }
    }

    @Test(
        "An address registers devices of an app at the rate of the link, together with the link, and calls ten times as often"
    )
    func rates() async throws {
        try await TestAPI.run(rules: { $0.link.registrationsPerMinute = 2 }) { api in
            let device = try await HTTPDevice(api)
            _ = try await api.core.registrations.register(
                SDKRegistration(
                    appKey: api.app.key.text,
                    bundleID: api.app.bundleID,
                    channel: nil,
                    environment: .production,
                    system: "iOS",
                    installation: "link"
                ),
                from: "127.0.0.1"
            )
            let refused = try await api.call("POST", HTTPDevice.path, HTTPDevice.body(api))
            #expect((refused.status, refused.code, refused.headers["retry-after"]) == (429, 6011, "10"))
            for _ in 0..<20 { #expect(try await device.call("GET", "/messages").status == 200) }
            #expect(try await device.call("GET", "/messages").code == 6011)
            await api.clock.advance(by: .seconds(30))
            #expect(try await device.call("GET", "/messages").status == 200)
            _ = try await HTTPDevice(api)
        }
    }

    @Test("Guesses at the secret of one device are counted for the address and the device, and hold back nobody else")
    func guesses() async throws {
        try await TestAPI.run(settings: { $0.failedLogins = 2 }) { api in
            let device = try await HTTPDevice(api, ["installation": "1"])
            let other = try await HTTPDevice(api, ["installation": "2"])
            func status(_ id: String, _ secret: String) async throws -> Int {
                let caller = TestAPI.basic("\(id):\(secret)")
                return try await api.call("PUT", "\(HTTPDevice.path)/\(id)", "{}", authorization: .some(caller)).status
            }
            for expected in [401, 401, 429, 429] { #expect(try await status(device.id, "wrong") == expected) }
            #expect(try await status(device.id, device.secret) == 200)
            for expected in [401, 401, 429] { #expect(try await status(other.id, "wrong") == expected) }
            // A backend behind the same address.
            let wrong = TestAPI.basic("\(api.app.key):wrong")
            let backend = try await api.call("GET", "/v3/tags", authorization: .some(wrong))
            #expect(backend.status == 401)
        }
    }

    @Test(
        "A phone whose registration is gone is told to register again, however many others behind its address have failed"
    )
    func goneRegistrations() async throws {
        try await TestAPI.run(settings: { $0.failedLogins = 2 }) { api in
            let phone = try await HTTPDevice(api, ["installation": "phone"])
            let gone = try await HTTPDevice(api, ["installation": "gone"])
            #expect(try await gone.call("DELETE").status == 200)
            for _ in 0..<40 {
                let answer = try await gone.call("PUT", "", "{}")
                #expect((answer.status, answer.code) == (401, 6016))
            }
            for number in 0..<40 {
                let caller = TestAPI.basic("made up \(number):x")
                let path = "\(HTTPDevice.path)/made%20up%20\(number)"
                #expect(try await api.call("PUT", path, "{}", authorization: .some(caller)).status == 401)
            }
            #expect(try await phone.call("DELETE").status == 200)
            #expect(try await phone.call("PUT", "", "{}").code == 6016)
            // The right secret of another device is no guess either.
            let other = try await HTTPDevice(api, ["installation": "other"])
            for _ in 0..<5 {
                let answer = try await api.call(
                    "PUT",
                    "\(HTTPDevice.path)/\(phone.id)",
                    "{}",
                    authorization: .some(other.authorization)
                )
                #expect(answer.status == 401)
            }
            #expect(try await other.call("PUT", "", "{}").status == 200)
        }
    }

    @Test("A call carries the proof of an alias or of a protected tag, as a frame of the link does")
    func proofs() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            func operate(_ name: String, _ parameters: JSONObject) async throws -> JSONObject {
                try await api.core.operators.perform(name, JSONValue.object(parameters).bytes)
            }
            let app = JSONValue.string(api.app.key.text)
            _ = try await operate("app.set", ["app": app, "aliases": "proved", "protected_tags": "role="])
            let key = try #require(try await operate("app.alias_key", ["app": app])["alias_key"]?.string)
            let id = try #require(RegistrationID(device.id))
            let proof = AliasProofs.proof(of: .alias("bob"), for: id, key: key)
            let tag = AliasProofs.proof(of: .tag("role=a"), for: id, key: key)
            let calls: [(kind: String, body: String, status: Int, message: String?)] = [
                (
                    "alias", #"{"operation":"set","alias":"bob"}"#, 400,
                    "The alias needs a proof for this registration id, which the app's backend makes."
                ),
                (
                    "alias", #"{"operation":"set","alias":"bob","proof":"\#(tag)"}"#, 400,
                    "The proof is not that of the alias for this registration id, by the app's alias key."
                ),
                (
                    "alias", #"{"operation":"set","alias":"bob","proof":"x"}"#, 400,
                    "The proof of the alias has 1 bytes; expected 64 lowercase hexadecimal digits."
                ),
                ("alias", #"{"operation":"set","alias":"bob","proof":1}"#, 400, nil),
                ("alias", #"{"operation":"set","alias":"bob","proof":"\#(proof)"}"#, 200, nil),
                (
                    "tags", #"{"operation":"add","tags":["role=a"]}"#, 400,
                    "The tag 'role=a' is protected: it needs a proof for this registration id, which the app's backend makes."
                ),
                ("tags", #"{"operation":"add","tags":["role=a"],"proofs":{"role=a":"\#(tag)"}}"#, 200, nil),
                ("tags", #"{"operation":"set","tags":["role=a","b"],"proofs":[]}"#, 400, nil),
            ]
            for (kind, body, status, message) in calls {
                let answer = try await device.call("POST", "/\(kind)", body)
                #expect(answer.status == status, "\(body): \(answer.text)")
                if status == 400 { #expect(answer.code == 6017) }
                if let message { #expect(answer.message == message) }
            }
            let stored = try await device.device
            #expect((stored.alias, stored.isAliasProved, stored.tags) == ("bob", true, ["role=a"]))
            let shown = try await api.call("GET", "/posthorn/v1/app")
            #expect(shown.json?["aliases"] == "proved")
            #expect(shown.json?["protected_tags"] == "role=")
        }
    }

    @Test("Failed calls of an address count as failed logins")
    func failedLogins() async throws {
        try await TestAPI.run(settings: { $0.failedLogins = 2 }) { api in
            let device = try await HTTPDevice(api)
            let wrong = TestAPI.basic("\(device.id):wrong")
            var statuses: [Int] = []
            for _ in 0..<3 {
                let path = "\(HTTPDevice.path)/\(device.id)/messages"
                statuses.append(try await api.call("GET", path, authorization: .some(wrong)).status)
            }
            #expect(statuses == [401, 401, 429])
            #expect(try await device.call("GET", "/messages").status == 200)
        }
    }

    @Test("Receipts are in the report and in the verdict of the journey, each once, and only of pushes to the device")
    func receipts() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api, ["token": .string(Self.token)])
            let other = try await HTTPDevice(api, ["installation": "other", "token": "cdcd"])
            let pushed = try await api.call("POST", "/v3/push", hello)
            let id = try #require(pushed.json?["msg_id"]?.string, "\(pushed.text)")
            try await eventually("the push is sent") {
                let answer = try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(device.id)")
                return answer.text.contains("accepted by APNs; the app has not reported")
            }
            func report(_ device: HTTPDevice, _ event: String) async throws {
                let receipt = #"{"msg_id":"\#(id)","event":"\#(event)","time":1770000000}"#
                let answer = try await device.call("POST", "/receipts", #"{"receipts":[\#(receipt),\#(receipt)]}"#)
                #expect((answer.status, answer.text) == (200, "{}"))
            }
            func verdict(_ device: HTTPDevice) async throws -> String? {
                let answer = try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(device.id)")
                return answer.json?["verdict"]?.object?["state"]?.string
            }
            for (event, state) in [
                ("received", "delivered"), ("shown", "shown"), ("action", "opened"), ("dismissed", "opened"),
            ] {
                try await report(device, event)
                #expect(try await verdict(device) == state, "\(event)")
            }
            try await report(other, "dismissed")
            #expect(try await verdict(other) == "shown")
            let detail = try await api.call("GET", "/v3/received/detail?msg_ids=\(id)")
            let counts = try #require((try? JSONValue(parsing: detail.body))?.array?.first?.object, "\(detail.text)")
            #expect(counts["ios_apns_received"]?.integer == 2)
            let messages = try await api.call("GET", "/v3/messages/detail?msg_ids=\(id)")
            let ios = (try? JSONValue(parsing: messages.body))?.array?.first?.object?["ios"]?.object
            #expect(ios?["apns_click"]?.integer == 1, "\(messages.text)")
        }
    }

    @Test("Custom messages wait, come in order, and are gone once the next call has named their position")
    func messages() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            for number in 0..<2 {
                let message =
                    #"{"platform":"all","audience":"all","message":{"msg_content":"\#(number)","extras":{"a":1}}}"#
                #expect(try await api.call("POST", "/v3/push", message).status == 200)
            }
            func read(_ query: String = "") async throws -> (texts: [String], position: Int64?) {
                let answer = try await device.call("GET", "/messages\(query)")
                let messages = try #require(answer.json?["messages"]?.array, "\(answer.text)").compactMap(\.object)
                return (messages.compactMap { $0["content"]?.string }, answer.json?["position"]?.integer)
            }
            let first = try await read()
            #expect(first.texts == ["0", "1"])
            #expect(try await read().texts == ["0", "1"])
            let position = try #require(first.position)
            #expect(try await read("?after=\(position)").texts.isEmpty)
            #expect(try await read("?after=\(position)").position == position)
            #expect(try await device.call("POST", "/push-switch", #"{"on":false}"#).status == 200)
            #expect(try await read().texts.isEmpty)
            #expect(try await device.call("GET", "/messages?after=x").code == 6017)
        }
    }

    @Test("An unregistered device is gone with its names, and its installation comes back as another device")
    func unregisters() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api, ["token": .string(Self.token)])
            #expect(try await device.call("POST", "/alias", #"{"operation":"set","alias":"bob"}"#).status == 200)
            #expect(try await device.call("DELETE").text == "{}")
            #expect(try await device.call("DELETE").code == 6016)
            #expect(try await device.call("PUT", "", "{}").code == 6016)
            let push = hello.replacing("\"audience\":\"all\"", with: "\"audience\":{\"alias\":[\"bob\"]}")
            #expect(try await api.call("POST", "/v3/push", push).code == 1011)
            #expect(try await api.core.store.devices(of: api.app.id, from: 0, limit: 1).isEmpty)
            #expect(try await HTTPDevice(api).id != device.id)
        }
    }

    @Test("A device without a token, or with push off, is told so without a push; a test push that arrives is well")
    func diagnosis() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api, ["language": "zh-Hans"])
            var answer = try await device.call("GET", "/diagnosis")
            #expect(answer.json?["cause"]?.string == "no_token")
            #expect(answer.json?["msg_id"] == .null)
            #expect(answer.json?["sentence"]?.string == "本 App 尚未准备好接收通知。请在联网时打开 App 后重试。")
            #expect(try await device.call("GET", "/diagnosis").code == 6011)
            await api.clock.advance(by: .seconds(10))
            #expect(try await device.call("PUT", "", #"{"token":"\#(Self.token)"}"#).status == 200)
            answer = try await device.call("GET", "/diagnosis?wait=0&language=en")
            let id = try #require(answer.json?["msg_id"]?.string, "\(answer.text)")
            try await eventually("the test push is sent") {
                answer = try await device.call("GET", "/diagnosis?wait=0&language=en&msg_id=\(id)")
                return answer.json?["cause"]?.string == "not_reported"
            }
            #expect(answer.json?["final"]?.bool == false)
            let receipt = #"{"receipts":[{"msg_id":"\#(id)","event":"shown","time":1}]}"#
            #expect(try await device.call("POST", "/receipts", receipt).status == 200)
            answer = try await device.call("GET", "/diagnosis?language=en&msg_id=\(id)")
            #expect(answer.json?["cause"]?.string == "well", "\(answer.text)")
            #expect(answer.json?["sentence"]?.string == "The test notification arrived.")
            #expect(answer.json?["facts"]?.object?["state"]?.string == "shown")
            #expect(!answer.text.contains(api.app.bundleID))
            let other = try await HTTPDevice(api, ["installation": "other", "token": "cdcd"])
            #expect(try await other.call("GET", "/diagnosis?msg_id=\(id)").code == 6017)
        }
    }

    @Test("Only a push that a diagnosis has sent is a test push")
    func otherPushes() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            #expect(try await device.call("PUT", "", #"{"token":"\#(Self.token)"}"#).status == 200)
            let push =
                #"{"platform":"ios","audience":{"registration_id":["\#(device.id)"]},"notification":{"alert":"x"}}"#
            let id = try #require(try await api.call("POST", "/v3/push", push).json?["msg_id"]?.string)
            #expect(try await device.call("GET", "/diagnosis?wait=0&msg_id=\(id)").code == 6017)
        }
    }

    @Test("A device waits for two conclusions at a time, which the journey wakes")
    func waitsForConclusions() async throws {
        try await TestAPI.run { api in
            let device = try await HTTPDevice(api)
            #expect(try await device.call("PUT", "", #"{"token":"\#(Self.token)"}"#).status == 200)
            let sent = try await device.call("GET", "/diagnosis?wait=0")
            let id = try #require(sent.json?["msg_id"]?.string, "\(sent.text)")
            try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await device.call("GET", "/diagnosis?wait=30&msg_id=\(id)") }
                }
                // Time stands still: one of the three is refused, and the receipt alone ends the others.
                let refused = try #require(try await group.next())
                #expect(refused.code == 6011, "\(refused.text)")
                let receipt = #"{"receipts":[{"msg_id":"\#(id)","event":"shown","time":1}]}"#
                #expect(try await device.call("POST", "/receipts", receipt).status == 200)
                for try await answer in group {
                    #expect(answer.json?["cause"]?.string == "well", "\(answer.text)")
                }
            }
            #expect(try await device.call("GET", "/diagnosis?wait=0&msg_id=\(id)").code == nil)
        }
    }

    @Test("However many devices register, an app gets ten test pushes in ten seconds")
    func testPushes() async throws {
        try await TestAPI.run { api in
            for number in 0..<13 {
                let token = String(repeating: "ab", count: number + 1)
                let device = try await HTTPDevice(
                    api,
                    ["installation": .string("i\(number)"), "token": .string(token)]
                )
                let answer = try await device.call("GET", "/diagnosis?wait=0")
                #expect(answer.code == (number < 10 ? nil : 6011), "\(number): \(answer.text)")
            }
            await api.clock.advance(by: .seconds(10))
            let device = try await HTTPDevice(api, ["installation": "later", "token": "cdcd"])
            #expect(try await device.call("GET", "/diagnosis?wait=0").json?["msg_id"]?.string != nil)
        }
    }
}
