import DeviceLink
import Foundation
import PushModel
import Testing

@testable import PosthornClient

/// Both codecs of the SDK link: the client's, which is portable, and the service's.
@Suite("Calls as frames of the SDK link")
struct LinkWireTests {
    private static let bigID: Int64 = 9_007_199_254_740_993

    private static func state() -> SavedState {
        var state = SavedState(installation: "one", appKey: "key")
        state.registration = Registration(id: "id", secret: "s")
        return state
    }

    private static func frame(_ call: ServiceCall, number: Int = 7) throws -> SDKFrame {
        let text = try #require(LinkWire.frame(of: call, number: number, bundleID: "com.example.app", state: state()))
        return try SDKFrame(text: text)
    }

    @Test(
        "The service reads each operation as it was meant",
        arguments: [
            .addTags(["a", "b/c"], proofs: ["a": "p"]), .addTags(["a"]), .setTags(["a"]),
            .setTags([], proofs: ["x": "y"]),
            .deleteTags(["a"]), .cleanTags, .getTags, .checkTag("中"), .setAlias("tom"), .setAlias("tom", proof: "p"),
            .deleteAlias, .getAlias, .setBadge(7), .setMobile("+86-1"), .setMobile(nil),
            .setAttributes(["a": "b", "c": ""]), .setAttributes(["\"\\/\n": "\u{0}\u{1F}\u{7F}\u{2028}👍é"]),
            .setPush(true), .setPush(false), .getPush, .declineTopics(["news"]), .declineTopics([]), .getTopics,
        ] as [DeviceOperation]
    )
    func operations(_ operation: DeviceOperation) throws {
        guard case .request(7, let sequence, let request) = try Self.frame(.operation(number: 3, operation)) else {
            Issue.record("no request")
            return
        }
        #expect(sequence == (operation.isQuestion ? nil : 3))
        #expect(DeviceOperation(request) == operation)
    }

    @Test("The service reads registrations, tokens and receipts, with ids above 2^53")
    func others() throws {
        var values = ClientStage.values
        values.channel = "test"
        values.appVersion = "3.1"
        let registration = SDKRegistration(
            appKey: "key",
            bundleID: "com.example.app",
            channel: "test",
            environment: .production,
            system: "iOS 17.0",
            installation: "one",
            zone: "Europe/Berlin",
            appVersion: "3.1",
            language: values.language,
            permission: .bannersOff
        )
        values.permission = .bannersOff
        #expect(try Self.frame(.register(values)) == .register(registration))
        var wanted = values
        wanted.token = "aabb"
        wanted.voipToken = "cc"
        wanted.activityTokens = ["order": "dd"]
        wanted.activityStartTokens = ["Order": "ee"]
        var known = values
        known.activityTokens = ["gone": "ff"]
        var requests: [SDKRequest] = []
        while let next = wanted.nextToken(after: known) {
            guard case .request(_, nil, let request) = try Self.frame(.update(next, from: known)) else { break }
            requests.append(request)
            known = next
        }
        let expected: [SDKRequest] = [
            .token(DeviceToken(bytes: [0xAA, 0xBB]), .production), .voipToken(DeviceToken(bytes: [0xCC]), .production),
            .activityToken(id: "gone", nil), .activityToken(id: "order", DeviceToken(bytes: [0xDD])),
            .activityStartToken(type: "Order", DeviceToken(bytes: [0xEE])),
        ]
        #expect(requests == expected)
        #expect(known == wanted)
        let events: [Receipt.Event] = Receipt.Event.allCases
        let receipts = events.map { Receipt(messageID: Self.bigID, event: $0, time: 1_800_000_000) }
        guard case .request(_, nil, .receipts(let read)) = try Self.frame(.receipts(receipts)) else {
            Issue.record("no receipts")
            return
        }
        #expect(
            read.map(\.event) == [
                .received, .received, .opened, .opened, .received, .received, .received, .displayed, .clicked,
            ]
        )
        #expect(Set(read.map(\.messageID)) == [Self.bigID])
        let all = LinkWire.frame(
            of: .receipts(receipts),
            number: 7,
            bundleID: "",
            state: Self.state(),
            takesAllEvents: true
        )
        guard case .request(_, nil, .receipts(let whole)) = try SDKFrame(text: try #require(all)) else {
            Issue.record("no receipts")
            return
        }
        #expect(whole.map(\.event.rawValue) == events.map(\.rawValue))
        #expect(LinkWire.frame(of: .unregister, number: 1, bundleID: "", state: Self.state()) == nil)
    }

    @Test("The client reads the service's answers")
    func answers() throws {
        func outcome(_ call: ServiceCall, _ frame: SDKFrame) throws -> CallOutcome? {
            let object = try JSONSerialization.jsonObject(with: Data(frame.text.utf8)) as? [String: Any]
            return LinkWire.outcome(of: call, number: 7, object ?? [:])
        }
        let question = ServiceCall.operation(number: 1, .getTags)
        var reply = SDKReply(code: 0, tags: ["a"], alias: "tom", isBound: true, isOn: false)
        reply.topics = ["news": true]
        var answer = DeviceAnswer(tags: ["a"], alias: "tom", isBound: true, isOn: false)
        answer.topics = ["news": true]
        #expect(try outcome(question, .reply(number: 7, reply)) == .answered(answer))
        #expect(try outcome(question, .reply(number: 8, reply)) == nil, "A late reply.")
        #expect(try outcome(question, .loggedIn()) == nil)
        let refusal = SDKReply(code: 6027, message: "too many")
        #expect(
            try outcome(question, .reply(number: 7, refusal))
                == .refused(PosthornError(code: 6027, message: "too many"))
        )
        if case .failed? = try outcome(question, .reply(number: 7, SDKReply(code: 6011))) {
        } else {
            Issue.record("too often is for later")
        }
        let registered = SDKFrame.registered(registrationID: "id", secret: "s", userID: Self.bigID)
        let identity = Registration(id: "id", secret: "s", userID: Self.bigID)
        #expect(try outcome(.register(ClientStage.values), registered) == .registered(identity, hasToken: true))
    }

    @Test("The client reads the service's messages, with ids above 2^53 and nested extras")
    func messages() throws {
        let extras: JSONObject = ["n": .integer(Self.bigID), "b": true, "nested": ["list": [1, 2.5, "x", .null]]]
        let message = SDKMessage(
            position: Self.bigID,
            messageID: Self.bigID,
            content: "text",
            title: "T",
            contentType: "text",
            extras: extras,
            isInApp: true
        )
        let object = try JSONSerialization.jsonObject(with: Data(SDKFrame.message(message).text.utf8)) as? [String: Any]
        let read = try #require(customMessage(object ?? [:]))
        #expect(read.id == Self.bigID && read.position == Self.bigID && read.isInApp)
        #expect(read.content == "text" && read.title == "T" && read.contentType == "text")
        #expect(read.extras["n"] as? Int64 == Self.bigID)
        #expect(read.extras["b"] as? Bool == true)
        let list = (read.extras["nested"] as? [String: Any])?["list"] as? [Any]
        #expect(list?[0] as? Int == 1 && list?[1] as? Double == 2.5 && list?[2] as? String == "x")
    }

    // MARK: The rules of calls on a link

    @Test("A link without HTTPS is there for calls in the background, and closed after them")
    func background() {
        var stage = ClientStage(over: .link)
        stage.start()
        stage.run { $0.moved(toFront: false) }
        #expect(stage.client.socket.phase == .off)
        stage.sent = []
        stage.run { $0.request(.setBadge(7), caller: 1) }
        #expect(stage.sent.count == 2 && stage.service.devices["one"]?.badge == 7)
        #expect(stage.client.socket.phase == .off)
        #expect(stage.answers.count == 1)
    }

    @Test(
        "One call at a time is on the link; one whose caller has given up makes way, and its late reply counts for none"
    )
    func oneCall() {
        var stage = ClientStage(over: .link)
        stage.start()
        stage.mutes = true
        stage.sent = []
        stage.run { $0.request(.setAlias("a"), keeping: .whileAwaited, caller: 1) }
        stage.run { $0.request(.addTags(["t"]), caller: 2) }
        #expect(stage.sent.count == 1)
        stage.run { $0.rang(.patience(1)) }
        #expect(stage.sent.count == 2)
        let late = SDKFrame.reply(number: 2, SDKReply(code: 0)).text
        stage.run { $0.socketReceived(late, on: $0.socket.number) }
        #expect(stage.answers.map(\.callers) == [[1]])
        stage.mutes = false
        stage.run { $0.rang(.reply) }
        #expect(stage.answers.map(\.callers) == [[1], [2]], "A link without replies is given up for another one.")
        #expect(stage.service.devices["one"]?.tags == ["t"])
    }

    @Test("A refusal after the login belongs to the unanswered call; 6016 in a reply registers again")
    func refusals() {
        var stage = ClientStage(over: .link)
        stage.start()
        stage.mutes = true
        stage.run { $0.request(.setBadge(1), caller: 1) }
        let refused = SDKFrame.refused(code: 6017, message: "what?").text
        stage.run { $0.socketReceived(refused, on: $0.socket.number) }
        #expect(stage.answers.last?.result == .failure(PosthornError(code: 6017, message: "what?")))
        stage.mutes = false
        stage.service.devices = [:]
        stage.run { $0.request(.setBadge(2), caller: 2) }
        #expect(stage.client.saved.registration?.id == "id-2")
        #expect(stage.service.devices["one"]?.badge == 2)
    }

    @Test("An order to remove a notification comes over the link, with the answer of a start, or in a silent push")
    func takeBacks() throws {
        var stage = ClientStage(over: .link)
        stage.start()
        let frame = SDKFrame.takeBack([SDKTakeBack(id: 7, messageID: 5), SDKTakeBack(id: 8, messageID: 6)])
        stage.run { $0.socketReceived(frame.text, on: $0.socket.number) }
        #expect(stage.orders.map(\.id) == [7, 8] && stage.orders.map(\.messageID) == [5, 6])
        let order = try #require(TakeBack(["id": "7", "msg_id": "5"]))
        #expect(order == stage.orders[0])
        #expect(TakeBack(userInfo: ["_j_msgid": 7, "_j_undo": 5]) == order)
        #expect(TakeBack(userInfo: ["_j_msgid": 7]) == nil && TakeBack(userInfo: ["_j_undo": 7]) == nil)
        var other = ClientStage()
        other.start()
        other.faults = [.updated(hasToken: true, isPushOn: true, orders: [order])]
        other.run { $0.checkIn() }
        #expect(other.orders == [order])
        // Both answers of one order are told; the service knows which counts.
        stage.run { $0.report([Receipt(messageID: 7, event: .removed, time: 0)]) }
        #expect(stage.service.devices["one"]?.receipts == ["7 removed"])
    }

    @Test("The service hears of the token at each login, unless it says that it has one")
    func tokens() {
        var stage = ClientStage(over: .link)
        stage.service.tellsState = false
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        func tokens() -> Int { stage.sent.filter { $0.contains(#""type":"token""#) }.count }
        #expect(tokens() == 1)
        stage.run { $0.socketClosed($0.socket.number) }
        #expect(tokens() == 2)
        stage.mutes = true
        stage.run { $0.socketClosed($0.socket.number) }
        stage.run { $0.socketReceived(#"{"type":"logged-in","has-token":true}"#, on: $0.socket.number) }
        #expect(tokens() == 2)
        stage.run { $0.socketClosed($0.socket.number) }
        stage.run { $0.socketReceived(#"{"type":"logged-in","has-token":false}"#, on: $0.socket.number) }
        #expect(tokens() == 2 && stage.tokensWanted == 1)
    }

    @Test("An operation that was never sent goes above the last one of the service; one that was keeps its number")
    func sequences() throws {
        var stage = ClientStage(over: .link)
        stage.mutes = true
        stage.start()
        stage.run { $0.request(.setAlias("a"), caller: nil) }
        stage.run {
            $0.socketReceived(#"{"type":"registered","registration-id":"1","secret":"s"}"#, on: $0.socket.number)
        }
        stage.run {
            $0.socketReceived(#"{"type":"logged-in","has-token":false,"push":true,"sequence":7}"#, on: $0.socket.number)
        }
        func sent(_ type: String) throws -> [Int64?] {
            try stage.sent.compactMap { text in
                guard text.contains("\"type\":\"\(type)\""),
                    case .request(_, let sequence, _) = try SDKFrame(text: text)
                else { return nil }
                return .some(sequence)
            }
        }
        #expect(try sent("alias-set") == [8])
        // The link ends before the answer, and the service has carried it out.
        stage.run { $0.socketClosed($0.socket.number) }
        stage.run {
            $0.socketReceived(#"{"type":"logged-in","has-token":false,"push":true,"sequence":8}"#, on: $0.socket.number)
        }
        #expect(try sent("alias-set") == [8, 8])
    }
}
