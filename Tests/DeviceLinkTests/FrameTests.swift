import DeviceLink
import Foundation
import PushModel
import Testing

private let token = DeviceToken(bytes: [0x00, 0xAB, 0xFF])

@Suite("Frames of the courier link")
struct FrameCourierTests {
    private static let push = CourierPush(
        apnsID: "0f1e",
        topic: "com.example.app",
        environment: .production,
        pushType: .background,
        priority: 5,
        collapseID: "c",
        payload: Array("{\"aps\":{\"alert\":\"grüße \\\"😀\\\"\"}}".utf8)
    )
    private static var pushOfBytes: CourierPush {
        var push = push
        push.collapseID = nil
        push.channel = "dHN0LXNyY2gtY2hubA=="
        push.pushType = APNSPushType(rawValue: "yet-to-come")
        push.payload = [0xFF, 0x00, 0xC3, 0x28]
        return push
    }
    private static var untyped: CourierPush {
        var push = push
        push.pushType = nil
        return push
    }
    private static let event = CourierEvent(
        number: .max,
        apnsID: "0f1e",
        event: JourneyEvent(date: Date(timeIntervalSince1970: 1_767_254_400.5), station: .device, kind: .replied(3))
    )

    @Test(
        "Read back as they were written",
        arguments: [
            .hello(device: "d \"1\"\n", key: "0f"), .refused(message: "no"),
            .register(topic: "t", environment: .development),
            .unregister(topic: "t", environment: .production),
            .registered(topic: "t", environment: .production, token: token),
            .push(push), .push(pushOfBytes), .push(untyped), .ack(apnsID: "0f1e"), .events([]),
            .events([event, event]),
            .eventsAck(through: 9_007_199_254_740_993), .awake(true), .awake(false),
            .subscribe(topic: "t", environment: .development, channel: "c=="),
            .unsubscribe(topic: "t", environment: .production, channel: "c=="),
        ] as [CourierFrame]
    )
    func roundTrip(_ frame: CourierFrame) throws {
        #expect(try CourierFrame(text: frame.text) == frame)
    }

    @Test("An empty payload stays empty")
    func emptyPayload() throws {
        var push = Self.push
        push.payload = []
        #expect(try CourierFrame(text: CourierFrame.push(push).text) == .push(push))
    }

    @Test("Unknown members are passed over, so that a newer end may say more")
    func unknownMembers() throws {
        #expect(try CourierFrame(text: "{\"type\":\"ack\",\"apns-id\":\"a\",\"new\":1}") == .ack(apnsID: "a"))
    }

    @Test(
        "A frame that should not have been sent is named",
        arguments: [
            ("", "not JSON"), ("{\"type\":\"hello\",}", "line 1, column 17"), ("[]", "object with a 'type'"),
            ("{}", "object with a 'type'"), ("{\"type\":1}", "object with a 'type'"),
            ("{\"type\":\"fly\"}", "'fly' are not known"),
            ("{\"type\":\"hello\"}", "'hello' frame needs 'device', a string"),
            ("{\"type\":\"hello\",\"device\":1}", "needs 'device', a string"),
            (
                "{\"type\":\"register\",\"topic\":\"t\",\"environment\":\"sandbox\"}",
                "needs 'environment', one of 'development', 'production'"
            ),
            (
                "{\"type\":\"registered\",\"topic\":\"t\",\"environment\":\"production\",\"token\":\"xyz\"}",
                "hexadecimal digits"
            ),
            ("{\"type\":\"events\",\"events\":{}}", "an array of events"),
            ("{\"type\":\"events\",\"events\":[{}]}", "an array of events"),
            ("{\"type\":\"events-ack\",\"through\":\"1\"}", "needs 'through', an integer"),
            ("{\"type\":\"events-ack\",\"through\":1.5}", "needs 'through', an integer"),
            ("{\"type\":\"push\",\"apns-id\":\"a\"}", "needs 'payload'"),
            ("{\"type\":\"push\",\"payload-base64\":\"?\"}", "base64"), ("{\"type\":\"ack\"}", "needs 'apns-id'"),
            ("{\"type\":\"login\"}", "'login' are not known"),
        ]
    )
    func refuses(_ text: String, _ words: String) throws {
        let error = try #require(throws: LinkFrameError.self) { try CourierFrame(text: text) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test("A priority that is no small number is refused rather than trapped on")
    func hugePriority() {
        let text = """
            {"type":"push","apns-id":"a","topic":"t","environment":"production","push-type":"alert",\
            "priority":1e30,"payload":"{}"}
            """
        #expect(throws: LinkFrameError.self) { try CourierFrame(text: text) }
    }
}

@Suite("Frames of the SDK link")
struct FrameSDKTests {
    private static func registration(channel: String?) -> SDKRegistration {
        SDKRegistration(
            appKey: "k",
            bundleID: "b",
            channel: channel,
            environment: .development,
            system: "iOS 17.0",
            installation: "i"
        )
    }

    private static let frames: [SDKFrame] = [
        .register(registration(channel: nil)), .register(registration(channel: "store")),
        .login(appKey: "k", registrationID: "r", secret: "s", position: nil),
        .login(appKey: "k", registrationID: "r", secret: "s", position: 7),
        .login(appKey: "k", registrationID: "r", secret: "s", position: nil, takesMessages: false),
        .login(appKey: "k", registrationID: "r", secret: "s", zone: "Asia/Shanghai"),
        .registered(registrationID: "r", secret: "s", userID: 9_007_199_254_740_993), .loggedIn(),
        .loggedIn(SDKDeviceState(hasToken: true, isOn: false, tokenDigest: "0f", sequence: 9_007_199_254_740_991)),
        .request(number: 1, sequence: 7, .cleanTags),
        .login(appKey: "k", registrationID: "r", secret: "s", language: "zh-Hans", permission: .bannersOff),
        .refused(code: 1005, message: "m"), .request(number: 0, .token(token, .production)),
        .request(number: 1, .addTags(["a", "中"])), .request(number: 2, .setTags([])),
        .request(number: 3, .deleteTags(["a"])), .request(number: 4, .cleanTags), .request(number: 5, .getAllTags),
        .request(number: 6, .setAlias("a")), .request(number: 6, .setAlias("a", proof: "0f")),
        .request(number: 1, .addTags(["a", "中"], proofs: ["中": "0f"])),
        .request(number: 2, .setTags(["a"], proofs: [:])), .request(number: 7, .deleteAlias),
        .request(number: 8, .getAlias),
        .request(number: .max, .badge(99_999)), .reply(number: 1, SDKReply(code: 0)),
        .reply(number: 2, SDKReply(code: 6027, message: "full")),
        .reply(number: 3, SDKReply(code: 0, tags: [], alias: "a")),
        .reply(number: 4, SDKReply(code: 0, isBound: true)), .reply(number: 5, SDKReply(code: 0, isOn: false)),
        .request(number: 9, .checkTag("a")), .request(number: 10, .mobile("+86-1")),
        .request(number: 11, .attributes(["a": "1", "b": ""])), .request(number: 11, .mobile(nil)),
        .request(number: 11, .topics(declined: nil)), .request(number: 11, .topics(declined: ["a"])),
        .request(number: 12, .pushSwitch(false)),
        .request(number: 13, .pushStatus), .request(number: 14, .receipts([])),
        .request(
            number: 15,
            .receipts([
                SDKReceipt(messageID: .max, event: .received, time: 0),
                SDKReceipt(messageID: 1, event: .opened, time: 1_767_254_400),
                SDKReceipt(messageID: 1, event: .shown, time: 0), SDKReceipt(messageID: 1, event: .action, time: 0),
                SDKReceipt(messageID: 1, event: .dismissed, time: 0),
            ])
        ), .request(number: 16, .voipToken(token, .development)),
        .request(number: 17, .activityToken(id: "order", token)),
        .request(number: 18, .activityToken(id: "order", nil)),
        .request(number: 19, .activityStartToken(type: "Order", token)), .acknowledge(position: .max),
        .message(SDKMessage(position: 1, messageID: .max, content: "")),
        .message(
            SDKMessage(
                position: 2,
                messageID: 3,
                content: "grüße \"😀\"",
                title: "t",
                contentType: "text",
                extras: ["a": .array([.integer(1), .null])]
            )
        ),
    ]

    @Test("Read back as they were written", arguments: frames)
    func roundTrip(_ frame: SDKFrame) throws {
        #expect(try SDKFrame(text: frame.text) == frame)
    }

    @Test(
        "A message that is written for one device is the frame that any other way of writing it gives",
        arguments: [
            CustomMessage(content: ""),
            CustomMessage(content: "grüße \"😀\"", title: "t/", contentType: "text", extras: ["b": [1], "a": [:]]),
        ]
    )
    func message(_ content: CustomMessage) {
        let message = SDKMessage(
            position: 42,
            messageID: .max,
            content: content.content,
            title: content.title,
            contentType: content.contentType,
            extras: content.extras
        )
        let octets = SDKMessage.utf8(position: 42, messageID: .max, content)
        #expect(String(decoding: octets, as: UTF8.self) == SDKFrame.message(message).text)
    }

    @Test(
        "A plain acknowledgement is known without reading JSON; all else is read",
        arguments: [
            (SDKFrame.acknowledge(position: 0).text, 0), (SDKFrame.acknowledge(position: 42).text, 42),
            (SDKFrame.acknowledge(position: 999_999_999_999_999_999).text, 999_999_999_999_999_999),
            (SDKFrame.acknowledge(position: .max).text, nil), (SDKFrame.acknowledge(position: -1).text, nil),
            (#"{"type":"ack","position":007}"#, nil), (#"{"type":"ack","position":}"#, nil),
            (#"{"type":"ack","position":1.5}"#, nil), (#"{"type":"ack","position":1]"#, nil),
            (#"{"type":"ack", "position":1}"#, nil), (#"{"position":1,"type":"ack"}"#, nil), ("", nil), ("}", nil),
        ] as [(String, Int64?)]
    )
    func acknowledgement(_ text: String, _ position: Int64?) {
        #expect(SDKFrame.plainAcknowledgement(text) == position)
    }

    @Test(
        "A frame that should not have been sent is named",
        arguments: [
            ("{\"type\":\"fly\",\"number\":1}", "'fly' are not known"),
            ("{\"type\":\"tags-get\"}", "'tags-get' frame needs 'number'"),
            ("{\"type\":\"mobile\",\"number\":1,\"mobile\":1}", "needs 'mobile', a string"),
            ("{\"type\":\"push-switch\",\"number\":1}", "needs 'on', true or false"),
            ("{\"type\":\"receipts\",\"number\":1,\"receipts\":[{\"id\":1}]}", "an array of receipts"),
            ("{\"type\":\"ack\"}", "needs 'position', an integer"),
            ("{\"type\":\"message\",\"position\":1,\"id\":1}", "needs 'content', a string"),
            ("{\"type\":\"tags-add\",\"number\":1}", "needs 'tags', an array of strings"),
            ("{\"type\":\"tags-add\",\"number\":1,\"tags\":[\"a\",1]}", "an array of strings"),
            ("{\"type\":\"token\",\"number\":1,\"token\":\"\",\"environment\":\"production\"}", "hexadecimal digits"),
            ("{\"type\":\"alias-set\",\"number\":1,\"alias\":null}", "needs 'alias', a string"),
            ("{\"type\":\"badge\",\"number\":1,\"badge\":\"1\"}", "needs 'badge', an integer"),
            ("{\"type\":\"register\",\"app-key\":\"k\"}", "needs 'bundle-id'"),
            ("{\"type\":\"login\",\"app-key\":\"k\",\"registration-id\":\"r\"}", "needs 'secret'"),
            ("{\"type\":\"reply\",\"number\":1}", "needs 'code'"), ("nonsense", "not JSON"),
        ]
    )
    func refuses(_ text: String, _ words: String) throws {
        let error = try #require(throws: LinkFrameError.self) { try SDKFrame(text: text) }
        #expect(error.description.contains(words), "\(error)")
    }
}
