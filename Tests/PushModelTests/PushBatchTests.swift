import PushModel
import Testing

@Suite("Batches of pushes")
struct PushBatchTests {
    private static let notification = "\"notification\":{\"alert\":\"hi\"}"

    private static func entry(_ target: String = "\"bob\"", _ more: String = notification) -> String {
        "{\"platform\":\"all\",\"target\":\(target),\(more)}"
    }

    private static func batch(_ entry: String, to kind: TargetKind = .alias) throws -> PushBatch {
        try PushBatch(parsing: Array("{\"pushlist\":{\"c\":\(entry)}}".utf8), to: kind)
    }

    private static func push(_ entry: String, to kind: TargetKind = .alias) throws -> BatchPush {
        let batch = try batch(entry, to: kind)
        let head = try #require(batch.entries.first).push.get()
        let push = try batch.push(at: 0)
        #expect(push.target == head.target)
        #expect(push.request.options == head.options)
        #expect(push.request.platforms.contains(.ios) == head.isForIOS)
        #expect(push.request.hasNotification == head.hasNotification)
        #expect(push.request.message == head.message)
        return push
    }

    @Test("An entry becomes the push that it stands for, target and all")
    func entryIsAPush() throws {
        let push = try Self.push(
            Self.entry("\"家\"", "\"notification\":{\"ios\":{\"alert\":\"é\"}},\"options\":{\"time_to_live\":60}")
        )
        #expect(push.target == .alias("家"))
        #expect(push.request.cid == "c")
        #expect(push.request.options.timeToLive == 60)
        #expect(push.request.notification.alert == "é")
        let expected = """
            {"platform":"all","audience":{"alias":["家"]},"notification":{"ios":{"alert":"é"}},"options":{"time_to_live":60}}
            """
        #expect(String(decoding: push.body, as: UTF8.self) == expected)
        // What is on disk says the same.
        var again = try PushRequest(parsing: push.body)
        again.cid = "c"
        #expect(again == push.request)
        let byID = try Self.push(Self.entry("\"0f1e\""), to: .registrationID)
        let id = try #require(RegistrationID("0f1e"))
        #expect(byID.target == .registrationID(id))
        #expect(String(decoding: byID.body, as: UTF8.self).contains("\"audience\":{\"registration_id\":[\"0f1e\"]}"))
    }

    @Test(
        "Each entry knows where it is written; where keys are written twice, the last one's place",
        arguments: [
            #"{"pushlist":{"a": \#(entry("\"x\"")) ,"b":\#(entry("\"y\""))}}"#,
            #"{"pushlist":{"c":{"d":{}}},"other":{"e":{"f":1}},"pushlist":{"a":\#(entry("\"x\"")),"b":\#(entry("\"y\""))}}"#,
            #"{"pushlist":{"a":\#(entry("\"z\"")),"b":\#(entry("\"y\"")),"a":\#(entry("\"x\""))},"last":{"g":{}}}"#,
            #"{"pushlist":{"a":{},"b":\#(entry("\"y\"")),"\u0061":\#(entry("\"x\""))}}"#,
        ]
    )
    func places(_ body: String) throws {
        let batch = try PushBatch(parsing: Array(body.utf8), to: .alias)
        #expect(batch.entries.map(\.cid) == ["a", "b"])
        for (place, alias) in ["x", "y"].enumerated() {
            #expect(try batch.entries[place].push.get().target == .alias(alias))
            #expect(try batch.push(at: place).target == .alias(alias))
        }
    }

    @Test(
        "A body that is not a batch is refused as a whole",
        arguments: [
            ("", 1002), ("{", 1002), ("[]", 1002), ("{}", 1002), ("{\"pushlist\":{}}", 1003),
            ("{\"pushlist\":[]}", 1003), ("{\"pushlist\":{\"c\":{},}}", 1002),
        ]
    )
    func noBatch(_ body: String, _ code: Int) {
        let error = #expect(throws: JPushError.self) { try PushBatch(parsing: Array(body.utf8), to: .alias) }
        #expect(error?.code == code)
    }

    @Test("A thousand entries are taken, one more is not; a cid that comes twice counts once")
    func size() throws {
        func body(_ count: Int, _ cid: (Int) -> String) -> [UInt8] {
            let entries = (0..<count).map { "\"\(cid($0))\":\(Self.entry())" }
            return Array("{\"pushlist\":{\(entries.joined(separator: ","))}}".utf8)
        }
        #expect(try PushBatch(parsing: body(1000) { "c\($0)" }, to: .alias).entries.count == 1000)
        let error = #expect(throws: JPushError.self) { try PushBatch(parsing: body(1001) { "c\($0)" }, to: .alias) }
        #expect(error?.code == 1003)
        #expect(error?.message.contains("1001") == true)
        #expect(try PushBatch(parsing: body(3) { _ in "c" }, to: .alias).entries.count == 1)
    }

    @Test(
        "A mistake in an entry concerns this entry alone",
        arguments: [
            ("1", 1002), ("{}", 1002), ("{\"platform\":\"all\",\(notification)}", 1002),
            ("{\"target\":\"bob\",\(notification)}", 1002), (entry("\"bob\"", "\"options\":{}"), 1002),
            (entry("1"), 1003), (entry("\"\""), 1003), (entry("\"a b\""), 1003), (entry("[\"bob\"]"), 1003),
            (entry("\"bob\"", "\(notification),\"options\":{\"time_to_live\":-1}"), 1003),
            (entry("\"bob\"", "\(notification),\"audience\":\"all\""), 1009),
            (entry("\"bob\"", "\(notification),\"cid\":\"c\""), 1009),
            (entry("\"bob\"", "\(notification),\"what\":1"), 1009),
            (entry("\"bob\"", "\(notification),\"callback\":{\"url\":\"ftp://x\"}"), 1003),
            (
                entry(
                    "\"bob\"",
                    "\"notification\":{\"alert\":\"\(String(repeating: "x", count: JPushLimits.iosBytes))\"}"
                ), 1005
            ),
        ]
    )
    func entryErrors(_ entry: String, _ code: Int) throws {
        let error = #expect(throws: JPushError.self) { try Self.push(entry) }
        #expect(error?.code == code, "\(entry.prefix(80))")
    }

    @Test(
        "A registration id that none can be is named",
        arguments: ["", "a-b", "a b", String(repeating: "a", count: 65)]
    )
    func illegalID(_ id: String) throws {
        let error = #expect(throws: JPushError.self) { try Self.push(Self.entry("\"\(id)\""), to: .registrationID) }
        #expect(error?.code == 1003)
        #expect(error?.illegalRegistrationIDs == [id])
    }
}
