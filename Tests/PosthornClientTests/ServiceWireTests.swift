import Foundation
import Testing

@testable import PosthornClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The client's requests and the service's answers")
struct ServiceWireTests {
    private func wire() throws -> ServiceWire {
        ServiceWire(service: try #require(URL(string: "https://push.example.com/base")), bundleID: "com.example.app")
    }

    private var registered: SavedState {
        var state = SavedState(installation: "inst", appKey: "key")
        state.registration = Registration(id: "1a00", secret: "s3cret")
        return state
    }

    private func body(_ request: URLRequest) throws -> [String: Any] {
        let data = try #require(request.httpBody)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("A registration has the app, the installation and the values")
    func registration() throws {
        var values = ClientStage.values
        values.token = "00ff"
        values.activityTokens = ["order": "aa"]
        let state = SavedState(installation: "inst", appKey: "key")
        let request = try #require(wire().request(for: .register(values.withoutActivities), state: state))
        #expect(request.url?.absoluteString == "https://push.example.com/base/posthorn/v1/registrations")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        let body = try body(request)
        #expect(
            body as? [String: String] == [
                "app_key": "key", "bundle_id": "com.example.app", "installation": "inst", "environment": "production",
                "system": "iOS 17.0", "zone": "Europe/Berlin", "token": "00ff",
            ]
        )
    }

    @Test("A change has what differs, in the device's name")
    func change() throws {
        var before = ClientStage.values
        var after = ClientStage.values
        before.token = "00"
        before.activityTokens = ["a": "01", "b": "02"]
        after.token = "ff"
        after.activityTokens = ["b": "02"]
        let request = try #require(wire().request(for: .update(after, from: before), state: registered))
        #expect(request.httpMethod == "PUT")
        #expect(request.url?.lastPathComponent == "1a00")
        #expect(
            request.value(forHTTPHeaderField: "Authorization")
                == "Basic \(Data("1a00:s3cret".utf8).base64EncodedString())"
        )
        let body = try body(request)
        #expect(body.keys.sorted() == ["activity_tokens", "token"])
        let activities = try #require(body["activity_tokens"] as? [[String: Any]])
        #expect(activities.map { $0["activity"] as? String } == ["a"])
        #expect(activities[0]["token"] is NSNull)
        after.activityTokens["a"] = "03"
        let changed = after.changes(from: before)["activity_tokens"] as? [[String: String]]
        #expect(changed == [["activity": "a", "token": "03"]])
    }

    @Test("A change of the environment sends the token with it, as the service drops the one of the other")
    func environment() {
        var before = ClientStage.values
        var after = ClientStage.values
        before.token = "00"
        after.token = "00"
        after.environment = .development
        #expect(after.changes(from: before) as? [String: String] == ["environment": "development", "token": "00"])
    }

    @Test("Every operation has its path and its members")
    func operations() throws {
        let cases: [(DeviceOperation, String, String)] = [
            (.addTags(["a"]), "tags", #"{"operation":"add","tags":["a"]}"#),
            (.setTags([]), "tags", #"{"operation":"set","tags":[]}"#),
            (.deleteTags(["a"]), "tags", #"{"operation":"delete","tags":["a"]}"#),
            (.cleanTags, "tags", #"{"operation":"clean"}"#), (.getTags, "tags", #"{"operation":"get"}"#),
            (.checkTag("a"), "tags", #"{"operation":"check","tag":"a"}"#),
            (.setAlias("b"), "alias", #"{"alias":"b","operation":"set"}"#),
            (.setAlias("b", proof: "0f"), "alias", #"{"alias":"b","operation":"set","proof":"0f"}"#),
            (.addTags(["a"], proofs: ["a": "0f"]), "tags", #"{"operation":"add","proofs":{"a":"0f"},"tags":["a"]}"#),
            (.setTags(["a"], proofs: ["a": "0f"]), "tags", #"{"operation":"set","proofs":{"a":"0f"},"tags":["a"]}"#),
            (.deleteAlias, "alias", #"{"operation":"delete"}"#), (.getAlias, "alias", #"{"operation":"get"}"#),
            (.setBadge(3), "badge", #"{"badge":3}"#), (.setMobile("+1"), "mobile", #"{"mobile":"+1"}"#),
            (.setAttributes(["a": "1"]), "attributes", #"{"attributes":{"a":"1"}}"#), (.setMobile(nil), "mobile", "{}"),
            (.setPush(false), "push-switch", #"{"on":false}"#), (.getPush, "push-switch", "{}"),
            (.declineTopics(["a"]), "topics", #"{"declined":["a"]}"#), (.getTopics, "topics", "{}"),
        ]
        for (operation, path, members) in cases {
            let call = ServiceCall.operation(number: 1, operation)
            let request = try #require(wire().request(for: call, state: registered))
            #expect(request.url?.path == "/base/posthorn/v1/registrations/1a00/\(path)")
            var body = try #require(
                try JSONSerialization.jsonObject(with: request.httpBody ?? Data()) as? [String: Any]
            )
            let sequence = body.removeValue(forKey: "sequence") as? Int
            #expect(sequence == (operation.isQuestion ? nil : 1))
            let rest = try JSONSerialization.data(withJSONObject: body, options: .sortedKeys)
            #expect(String(decoding: rest, as: UTF8.self) == members)
        }
    }

    @Test("An operation that an older version of the app has stored is read, and one with a proof keeps it")
    func storedOperations() throws {
        let old: [(String, DeviceOperation)] = [
            (#"{"setAlias":{"_0":"b"}}"#, .setAlias("b")), (#"{"addTags":{"_0":["a"]}}"#, .addTags(["a"])),
            (#"{"setTags":{"_0":[]}}"#, .setTags([])),
        ]
        for (text, operation) in old {
            #expect(try JSONDecoder().decode(DeviceOperation.self, from: Data(text.utf8)) == operation)
        }
        for operation in [DeviceOperation.setAlias("b", proof: "0f"), .addTags(["a"], proofs: ["a": "0f"])] {
            let stored = try JSONEncoder().encode(operation)
            #expect(try JSONDecoder().decode(DeviceOperation.self, from: stored) == operation)
        }
    }

    @Test("Receipts and messages keep 64-bit numbers")
    func numbers() throws {
        let receipt = Receipt(messageID: 18_100_287_008_546_817, event: .opened, time: 7)
        let sent = try #require(wire().request(for: .receipts([receipt]), state: registered)?.httpBody)
        #expect(
            String(decoding: sent, as: UTF8.self)
                == #"{"receipts":[{"event":"opened","msg_id":"18100287008546817","time":7}]}"#
        )
        let answer = """
            {"messages":[{"position":1770000000000001,"msg_id":"18100287008546817","content":"hi","title":"T",
            "content_type":"text","extras":{"n":{"k":1}},"in_app":true}],"position":1770000000000001}
            """
        let outcome = try wire().outcome(
            of: .messages(after: nil),
            .success(ServiceAnswer(status: 200, body: Data(answer.utf8)))
        )
        guard case .received(let messages, let position) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(position == 1_770_000_000_000_001)
        #expect(messages.first?.id == 18_100_287_008_546_817)
        #expect(messages.first?.isInApp == true)
        #expect((messages.first?.extras["n"] as? [String: Int]) == ["k": 1])
        #expect(
            PosthornClient.messageID(in: ["_j_msgid": NSNumber(value: 18_100_287_008_546_817 as Int64)])
                == receipt.messageID
        )
        #expect(PosthornClient.messageID(in: ["aps": [:] as [String: Any]]) == nil)
    }

    @Test(
        "An answer is final, or may change; what does not come from the service may change",
        arguments: [
            (400, #"{"error":{"code":6005,"message":"m"}}"#, 6005, true),
            (401, #"{"error":{"code":6016,"message":"m"}}"#, 6016, true),
            (409, #"{"error":{"code":6012,"message":"m"}}"#, 6012, true), (429, "", 6011, false),
            (429, #"{"error":{"code":2002,"message":"m"}}"#, 6011, false),
            (500, #"{"error":{"code":1000,"message":"m"}}"#, 6002, false), (503, "<html>", 6002, false),
            (502, "", 6002, false), (404, "<html>no such site", 6002, false), (200, "<html>log in first", 6002, false),
        ]
    )
    func failures(_ status: Int, _ body: String, _ code: Int, _ isFinal: Bool) throws {
        let answer = ServiceAnswer(status: status, body: Data(body.utf8), retryAfter: 3)
        switch try wire().outcome(of: .register(ClientStage.values), .success(answer)) {
        case .refused(let error): #expect(isFinal && error.code == code)
        case .failed(let error, let order):
            #expect(!isFinal && error.code == code)
            #expect(order == (status == 200 ? nil : 3))
        case let other: Issue.record("\(other)")
        }
    }

    @Test("The link's address has the scheme of the service's")
    func link() throws {
        #expect(try wire().link?.absoluteString == "wss://push.example.com/base/link")
    }

    @Test("Only a service on this machine may be reached without TLS")
    func addresses() throws {
        for text in ["http://push.example.com", "push.example.com", "ftp://push.example.com", "https://", "/tmp"] {
            #expect(throws: PosthornError.self) { try configuration(text) }
        }
        for text in ["https://push.example.com", "http://127.0.0.1:8080", "http://localhost"] {
            #expect(try configuration(text).service.absoluteString == text)
        }
    }

    private func configuration(_ text: String) throws -> PosthornConfiguration {
        try PosthornConfiguration(
            service: try #require(URL(string: text)),
            appKey: "key",
            bundleID: "com.example.app",
            values: ClientStage.values,
            store: FileStateStore(folder: URL(fileURLWithPath: "/nowhere"))
        )
    }
}
