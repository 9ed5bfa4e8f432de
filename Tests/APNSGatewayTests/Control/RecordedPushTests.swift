import APNSGateway
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("Pushes at the control endpoint", .suiteLimit)
struct RecordedPushTests {
    @Test("A push is shown with headers, payload and answer, and without the provider token")
    func shown() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token()
            let id = UUID().uuidString
            try await setting.provider { provider in
                let fields = ["apns-id": id, "apns-collapse-id": "a", "apns-priority": "5"]
                let payload = #"{"aps":{"alert":"Caf\u00e9"},"n":1}"#
                provider.send(setting.world.request(to: token, fields, payload: payload), stream: 1)
                _ = await provider.wholeAnswer(on: 1)
            }
            let answer = try await control("GET", "pushes")
            #expect(answer.status == 200)
            let pushes = try #require(answer.json["pushes"]?.array)
            #expect(pushes.count == 1)
            let push = try #require(pushes.first?.object)
            #expect(push["number"]?.integer == 1)
            #expect(push["token"]?.string == token.hexadecimal)
            #expect(push["apns-id"]?.string == id.lowercased())
            #expect(push["environment"]?.string == "development")
            #expect(push["connection"]?.integer == 1)
            #expect(push["status"]?.integer == 200)
            #expect(push["reason"] == nil)
            #expect(push["payload-bytes"]?.integer == 35)
            #expect(push["payload"] == ["aps": ["alert": "Café"], "n": 1])
            let headers = try #require(push["headers"]?.array)
            #expect(headers.contains(["apns-priority", "5"]))
            #expect(!JSONValue.object(push).text.contains(setting.world.bearer.dropFirst("bearer ".count)))
        }
    }

    @Test("A push whose payload does not fit its type has the cautions of posthorn send")
    func cautions() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token()
            try await setting.provider { provider in
                for (index, payload) in [#"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":"a"},"badge":1}"#].enumerated() {
                    provider.send(setting.world.request(to: token, payload: payload), stream: index * 2 + 1)
                    _ = await provider.wholeAnswer(on: index * 2 + 1)
                }
            }
            let pushes = try #require(try await control("GET", "pushes").json["pushes"]?.array).map(\.object)
            #expect(pushes.first??["cautions"] == nil)
            #expect(pushes.last??["cautions"] == ["'badge' stands beside 'aps'; the system reads it inside."])
        }
    }

    @Test("A refused push has Apple's reason with what to do; one that a fault ends has no status")
    func refused() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token()
            try await setting.provider { provider in
                provider.send(setting.world.request(to: token, ["apns-priority": "7"], payload: "no JSON"), stream: 1)
                _ = await provider.wholeAnswer(on: 1)
                _ = try await control("POST", "faults", #"{"kind":"answer","reason":"TooManyRequests","next":1}"#)
                provider.send(setting.world.request(to: token), stream: 3)
                _ = await provider.wholeAnswer(on: 3)
                _ = try await control("POST", "faults", #"{"kind":"reset","next":1}"#)
                provider.send(setting.world.request(to: token), stream: 5)
                let reset = try await control("GET", "pushes?after=2&wait=60").json["pushes"]?.array
                #expect(reset?.first?.object?["status"] == .null)
                #expect(reset?.first?.object?["apns-id"] == .null)
            }
            let pushes = try #require(try await control("GET", "pushes?limit=2&status=400").json["pushes"]?.array)
            let bad = try #require(pushes.first?.object)
            #expect(bad["reason"]?.string == "BadPriority")
            #expect(bad["remedy"]?.string == APNSReason.badPriority.advice.remedy)
            #expect(bad["payload-base64"]?.string == Data("no JSON".utf8).base64EncodedString())
            let busy = try await control("GET", "pushes?reason=TooManyRequests").json["pushes"]?.array
            #expect(busy?.count == 1)
            #expect(busy?.first?.object?["number"]?.integer == 2)
        }
    }

    @Test("Each parameter selects, and the latest pushes are returned, oldest first")
    func search() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let tokens = [setting.token(), setting.token()]
            let ids = (0..<4).map { _ in UUID().uuidString }
            try await setting.provider { provider in
                for (index, id) in ids.enumerated() {
                    let fields = ["apns-id": id, "apns-collapse-id": "group-\(index % 2)"]
                    let payload = #"{"aps":{"alert":"Line \#(index)\nend"}}"#
                    let request = setting.world.request(to: tokens[index % 2], fields, payload: payload)
                    provider.send(request, stream: index * 2 + 1)
                    _ = await provider.wholeAnswer(on: index * 2 + 1)
                }
            }
            func numbers(_ query: String) async throws -> [Int64] {
                let pushes = try await control("GET", "pushes?" + query).json["pushes"]?.array ?? []
                return pushes.compactMap { $0.object?["number"]?.integer }
            }
            #expect(try await numbers("token=\(tokens[1].hexadecimal.uppercased())") == [2, 4])
            #expect(try await numbers("collapse-id=group-0") == [1, 3])
            #expect(try await numbers("apns-id=\(ids[2])") == [3])
            #expect(try await numbers("text=Line%203") == [4])
            #expect(try await numbers("text=Line+3") == [4])
            // As the phone shows it: the provider has sent an escape.
            #expect(try await numbers("text=2%0Aend") == [3])
            #expect(try await numbers("topic=\(bundleID)&limit=2") == [3, 4])
            #expect(try await numbers("topic=other") == [])
            #expect(try await numbers("number=2") == [2])
            #expect(try await numbers("environment=production") == [])
            #expect(try await numbers("after=3&environment=development") == [4])
        }
    }

    @Test("A request waits until as many pushes have arrived as it asks for; without them it ends in time")
    func waits() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let token = setting.token()
            async let found = control("GET", "pushes?token=\(token.hexadecimal)&count=2&wait=60")
            try await setting.provider { provider in
                for stream in [1, 3, 5] {
                    let to = stream == 3 ? setting.token() : token
                    provider.send(setting.world.request(to: to), stream: stream)
                    _ = await provider.wholeAnswer(on: stream)
                }
            }
            let pushes = try #require(try await found.json["pushes"]?.array)
            #expect(pushes.compactMap { $0.object?["number"]?.integer } == [1, 3])
            let late = try await control("GET", "pushes?topic=other&wait=0.01")
            #expect(late.json["pushes"] == [])
        }
    }

    @Test(
        "A parameter that cannot be right is refused in words",
        arguments: [
            ("colour=red", "There is no parameter 'colour'; expected token, topic"),
            ("wait=61", "'wait' is '61'; expected seconds from 0 to 60."),
            ("wait=soon", "'wait' is 'soon'"), ("limit=0", "'limit' is '0'; expected an integer, 1 to 1000."),
            ("after=-1", "'after' is '-1'; expected an integer, 0 or more."), ("status=ok", "'status' is 'ok'"),
            ("environment=test", "'environment' is 'test'; expected development or production."),
        ]
    )
    func refusals(_ query: String, _ error: String) async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            let answer = try await control("GET", "pushes?" + query)
            #expect(answer.status == 400)
            #expect(answer.error?.hasPrefix(error) == true, "\(answer.error ?? "no error")")
        }
    }

    @Test("The latest thousand pushes are kept")
    func bounded() async throws {
        let world = try World()
        try await FaultyGateway.withControl(world) { setting, control in
            let request = setting.world.request(to: setting.token())
            try await setting.provider { provider in
                for index in 0..<1001 {
                    provider.send(request, stream: index * 2 + 1)
                    _ = await provider.wholeAnswer(on: index * 2 + 1)
                }
            }
            let all = try #require(try await control("GET", "pushes?limit=1000").json["pushes"]?.array)
            #expect(all.count == 1000)
            #expect(all.first?.object?["number"]?.integer == 2)
            #expect(all.last?.object?["number"]?.integer == 1001)
        }
    }
}
