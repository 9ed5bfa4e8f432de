import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// The list of an app's pushes, and how far one is.
@Suite("An app's pushes", .suiteLimit)
struct MessageRouteTests {
    private static func push(_ text: String, environment: String = "true", more: String = "") -> String {
        """
        {"platform":["ios"],"audience":"all","notification":{"alert":"\(text)"},\
        "options":{"apns_production":\(environment)}\(more)}
        """
    }

    private static func send(_ api: TestAPI, _ body: String) async throws -> String {
        let answer = try await api.call("POST", "/v3/push", body)
        return try #require(answer.json?["msg_id"]?.string, "\(answer.text)")
    }

    /// A batch to all devices.
    private static func batch(_ api: TestAPI, to devices: [RegistrationID]) async throws -> [String] {
        let entries = devices.enumerated().map { number, device in
            """
            "\(api.app.key.makeCID())":{"platform":"all","target":"\(device)","notification":{"alert":"b\(number)"}}
            """
        }
        let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
        let answer = try await api.call("POST", "/v3/push/batch/regid/single", body)
        let results = try #require(answer.json)
        return results.members.compactMap { $0.value.object?["msg_id"]?.string }
    }

    private static func list(_ api: TestAPI, _ query: String = "") async throws -> (texts: [String], next: String?) {
        let answer = try await api.call("GET", "/posthorn/v1/messages\(query)")
        try #require(answer.status == 200, "\(answer.text)")
        let messages = try #require(answer.json?["messages"]?.array)
        return (messages.compactMap { $0.object?["text"]?.string }, answer.json?["next"]?.string)
    }

    @Test("Pushes are listed from the newest to the oldest, those of batches one by one, and page by page all of them")
    func pages() async throws {
        try await TestAPI.run { api in
            #expect(try await Self.list(api) == ([], nil))
            var devices: [RegistrationID] = []
            for _ in 0..<5 { devices.append(api.core.registry.registrationID(of: try await api.addDevice().id)) }
            _ = try await Self.send(api, Self.push("first"))
            _ = try await Self.batch(api, to: devices)
            _ = try await Self.send(api, Self.push("last"))
            let all = ["last", "b4", "b3", "b2", "b1", "b0", "first"]
            #expect(try await Self.list(api) == (all, nil))
            for size in 1...8 {
                var found: [String] = []
                var next: String?
                repeat {
                    let page = try await Self.list(api, "?limit=\(size)" + (next.map { "&before=\($0)" } ?? ""))
                    #expect(page.texts.count <= size)
                    found += page.texts
                    next = page.next
                } while next != nil
                #expect(found == all, "pages of \(size)")
            }
        }
    }

    @Test("A push of which nothing waits is done; its devices are counted once, by what became of them")
    func progress() async throws {
        try await TestAPI.run { api in
            for _ in 0..<3 { _ = try await api.addDevice() }
            let id = try await Self.send(api, Self.push("hi"))
            try await eventually("the push is sent") {
                try await api.call("GET", "/posthorn/v1/messages/\(id)").json?["progress"]?.object?["sent"] == 3
            }
            let answer = try await api.call("GET", "/posthorn/v1/messages/\(id)")
            #expect(
                answer.json?["progress"] == [
                    "devices": 3, "sent": 3, "ended": 0, "waiting": 0, "links": 0, "next_at": .null, "problem": .null,
                ]
            )
            #expect(answer.json?["push"]?.object?["notification"] == ["alert": "hi"])
            #expect(answer.json?["environment"] == "production")
            #expect(answer.json?["text"] == "hi")
            // To the other environment: nothing can be sent.
            let other = try await Self.send(api, Self.push("no", environment: "false"))
            let ended = try await api.call("GET", "/posthorn/v1/messages/\(other)").json?["progress"]?.object
            #expect(ended?["ended"] == 3 && ended?["waiting"] == 0)
            // Paced: the devices are due one after the other.
            let paced = try await Self.send(
                api,
                Self.push("slow").replacing("true", with: "true,\"big_push_duration\":10")
            )
            let waiting = try await api.call("GET", "/posthorn/v1/messages/\(paced)").json?["progress"]?.object
            let sent = waiting?["sent"]?.integer ?? 0
            let rest = waiting?["waiting"]?.integer ?? 0
            #expect(sent + rest == 3 && rest > 0)
            #expect(waiting?["next_at"]?.string != nil)
            let list = try await api.call("GET", "/posthorn/v1/messages").json?["messages"]?.array?.compactMap(\.object)
            #expect(list?.map { $0["waiting"] } == [true, false, false])
            #expect(try await api.call("DELETE", "/v3/push/\(paced)").status == 200)
            let withdrawn = try await api.call("GET", "/posthorn/v1/messages/\(paced)").json?["progress"]?.object
            #expect(withdrawn?["waiting"] == 0)
            #expect(withdrawn?["problem"] == "withdrawn")
        }
    }

    @Test("The reasons for which devices have not got a push are counted, explained, and some of their devices named")
    func outcomes() async throws {
        try await TestAPI.run { api in
            var names: [String] = []
            for _ in 0..<3 { names.append(api.core.registry.registrationID(of: try await api.addDevice().id).text) }
            let sent = try await Self.send(api, Self.push("yes"))
            try await eventually("the push is sent") {
                try await api.call("GET", "/posthorn/v1/messages/\(sent)").json?["progress"]?.object?["sent"] == 3
            }
            let well = try await api.call("GET", "/posthorn/v1/messages/\(sent)").json
            #expect(well?["outcomes"] == [] && well?["outcomes_complete"] == true)
            let other = try await Self.send(api, Self.push("no", environment: "false"))
            let answer = try await api.call("GET", "/posthorn/v1/messages/\(other)").json
            let outcomes = answer?["outcomes"]?.array ?? []
            #expect(outcomes.count == 1)
            let outcome = outcomes.first?.object
            #expect(outcome?["event"] == "suppressed" && outcome?["reason"] == "environment")
            #expect(outcome?["devices"] == 3)
            let named = outcome?["registration_ids"]?.array?.compactMap(\.string)
            #expect(named?.sorted() == names.sorted())
            #expect(outcome?["sentence"]?.string?.hasPrefix("not sent: ") == true)
            let paced = try await Self.send(
                api,
                Self.push("slow").replacing("true", with: "true,\"big_push_duration\":10")
            )
            #expect(try await api.call("DELETE", "/v3/push/\(paced)").status == 200)
            let withdrawn = try await api.call("GET", "/posthorn/v1/messages/\(paced)").json
            let ended = withdrawn?["outcomes"]?.array?.compactMap(\.object) ?? []
            #expect(ended.map { $0["event"] } == ["withdrawn"])
            #expect(ended.first?["devices"] == withdrawn?["progress"]?.object?["ended"])
        }
    }

    @Test("The VoIP push beside a notification has outcomes of its own")
    func voipOutcomes() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let beside = #"{"alert":"hi","voip":{"caller":"Ana"}}"#
            let alone = #"{"voip":{"caller":"Ana"}}"#
            for (notification, parts) in [(beside, ["voip"]), (#"{"alert":"hi"}"#, []), (alone, ["voip"])] {
                let id = try await Self.send(
                    api,
                    """
                    {"platform":"all","audience":"all","notification":\(notification),"options":{"apns_production":true}}
                    """
                )
                let message = try await api.call("GET", "/posthorn/v1/messages/\(id)").json
                let outcomes = message?["outcomes"]?.array?.compactMap(\.object) ?? []
                #expect(outcomes.map { $0["part"]?.string } == parts, "\(notification)")
                guard let outcome = outcomes.first else { continue }
                // The device has no token for PushKit.
                #expect(outcome["event"] == "suppressed" && outcome["reason"] == "noToken" && outcome["devices"] == 1)
                let name = api.core.registry.registrationID(of: device.id).text
                #expect(outcome["registration_ids"] == [.string(name)])
            }
        }
    }

    @Test("A push of a batch is shown with its own device")
    func batched() async throws {
        try await TestAPI.run { api in
            var devices: [RegistrationID] = []
            for _ in 0..<3 { devices.append(api.core.registry.registrationID(of: try await api.addDevice().id)) }
            let ids = try await Self.batch(api, to: devices)
            for (number, id) in ids.enumerated() {
                try await eventually("the push is sent") {
                    try await api.call("GET", "/posthorn/v1/messages/\(id)").json?["progress"]?.object?["sent"] == 1
                }
                let message = try await api.call("GET", "/posthorn/v1/messages/\(id)").json
                #expect(message?["progress"]?.object?["devices"] == 1)
                #expect(message?["text"] == .string("b\(number)"))
                #expect(message?["cid"]?.string?.hasPrefix(api.app.key.text) == true)
            }
        }
    }

    @Test("The pushes of other apps are neither listed nor shown")
    func otherApps() async throws {
        try await TestAPI.run { api in
            _ = try await api.addDevice()
            let id = try await Self.send(api, Self.push("mine"))
            let created = try await api.core.store.createApp(
                name: "Other",
                bundleID: "com.example.other",
                defaultEnvironment: .production,
                at: api.clock.date
            )
            let other = TestAPI.basic("\(created.app.key):\(created.masterSecret)")
            let list = try await api.call("GET", "/posthorn/v1/messages", authorization: .some(other))
            #expect(list.text == #"{"messages":[],"next":null}"#)
            let one = try await api.call("GET", "/posthorn/v1/messages/\(id)", authorization: .some(other))
            #expect(one.status == 404)
            #expect(one.message == "This app has no push \(id).")
        }
    }

    @Test(
        "Bad parameters are named with what was expected",
        arguments: [
            ("?limit=0", "'limit' is '0'; expected 1 to 1000."),
            ("?limit=1001", "'limit' is '1001'; expected 1 to 1000."),
            ("?limit=x", "'limit' is 'x'; expected 1 to 1000."),
            ("?before=abc", "'abc' is not a msg_id; expected decimal digits."),
            ("/abc", "'abc' is not a msg_id; expected decimal digits."),
        ]
    )
    func badParameters(_ query: String, _ message: String) async throws {
        try await TestAPI.run { api in
            let answer = try await api.call("GET", "/posthorn/v1/messages\(query)")
            #expect(answer.status == 400)
            #expect(answer.message == message)
        }
    }
}
