import Testing

@testable import PushModel

@Suite("Pushes to Live Activities")
struct LiveActivityPushTests {
    /// A push with these members of `live_activity.ios`.
    private static func body(
        _ ios: String = #""event":"update","content-state":{"a":1}"#,
        audience: String = #"{"live_activity_id":"order-7"}"#,
        platform: String = #"["ios"]"#,
        _ more: String = ""
    ) -> String {
        #"{"platform":\#(platform),"audience":\#(audience),"live_activity":{"ios":{\#(ios)}}\#(more)}"#
    }

    private func request(_ text: String) throws -> PushRequest { try PushRequest(parsing: Array(text.utf8)) }

    private static let start = #""event":"start","content-state":{"a":1},"attributes-type":"OrderAttributes""#

    @Test("An update has a state, an alert, dates, a score and a priority, and the id of its activity")
    func update() throws {
        let ios = """
            "event":"update","content-state":{"eta":12},"stale-date":1700003600,"relevance-score":80,"apns-priority":5,
            "alert":{"title":"T","body":"B","sound":"s.caf","alternate_title":"x"}
            """
        let request = try request(Self.body(ios))
        #expect(request.liveActivityID == "order-7")
        #expect(!request.hasNotification && request.message == nil)
        let push = try #require(request.liveActivity)
        #expect(push.priority == 5)
        #expect(
            push.aps(at: 1_700_000_000)
                == [
                    "timestamp": 1_700_000_000, "event": "update", "content-state": ["eta": 12],
                    "alert": ["title": "T", "body": "B", "sound": "s.caf"], "stale-date": 1_700_003_600,
                    "relevance-score": 80,
                ]
        )
    }

    @Test("A start has attributes and their type, and any audience; an end has a date of dismissal")
    func startAndEnd() throws {
        let started = try request(
            Self.body(Self.start + #","attributes":{"number":7}"#, audience: #"{"alias":["tom"]}"#)
        )
        #expect(started.liveActivityID == nil)
        #expect(started.liveActivity?.priority == 10)
        let aps = started.liveActivity?.aps(at: 1)
        #expect(aps?["attributes-type"] == "OrderAttributes" && aps?["attributes"] == ["number": 7])
        #expect(aps?["input-push-token"] == 1, "Since iOS 18 an activity gets no token without it.")
        let bare = try request(Self.body(Self.start, audience: "\"all\""))
        #expect(bare.liveActivity?.aps(at: 1)["attributes"] == [:], "ActivityKit requires the key.")
        let ended = try request(Self.body(#""event":"end","content-state":[],"dismissal-date":0"#))
        #expect(ended.liveActivity?.aps(at: 1)["dismissal-date"] == 0)
        #expect(ended.liveActivity?.contentState == [:], "PHP writes an empty object as an array.")
    }

    @Test(
        "Each mistake has its code, and the message names it",
        arguments: [
            (#"{"platform":"ios","audience":"all","live_activity":{}}"#, 1002, "live_activity.ios"),
            (body(#""content-state":{}"#), 1002, "event"), (body(#""event":"update""#), 1002, "content-state"),
            (body(#""event":"start","content-state":{}"#, audience: "\"all\""), 1002, "attributes-type"),
            (body(#""event":"stop","content-state":{}"#), 1003, "start, update or end"),
            (body(#""event":"update","content-state":7"#), 1003, "content-state"),
            (body(#""event":"update","content-state":{},"relevance-score":0"#), 1003, "1 to 100"),
            (body(#""event":"update","content-state":{},"apns-priority":7"#), 1003, "5 or 10"),
            (body(#""event":"update","content-state":{},"stale-date":"soon""#), 1003, "seconds since 1970"),
            (body(#""event":"update","content-state":{},"alert":{"title":1}"#), 1003, "alert.title"),
            (body(#""event":"update","content-state":{},"alert":"x""#), 1003, "alert"),
            (body(#""event":"update","content-state":{},"attributes-type":"""#), 1003, "attributes-type"),
            (body(#""event":"update","content-state":{},"attributes-type":"a\u0000b""#), 1003, "U+0000"),
            (body(audience: "\"all\""), 1003, "live_activity_id"),
            (body(audience: #"{"live_activity_id":"a","tag":["b"]}"#), 1003, "stands alone"),
            (body(audience: #"{"live_activity_id":7}"#), 1003, "live_activity_id"),
            (body(platform: #""android""#), 1003, "for iOS"),
            (body(#""event":"update","content-state":{}"#, #","notification":{"alert":"x"}"#), 1003, "notification"),
            (body(#""event":"update","content-state":{}"#, #","message":{"msg_content":"x"}"#), 1003, "message"),
            (body(#""event":"update","content-state":{},"content_state":1"#), 1009, "content-state"),
            (body(#""event":"update","content-state":{},"alert":{"subtitle":"x"}"#), 1009, "subtitle"),
            (
                #"{"platform":"ios","audience":{"live_activity_id":"l"},"notification":{"alert":"x"}}"#, 1003,
                "goes with 'live_activity'"
            ),
            (body(#""event":"update","content-state":{"x":"\#(String(repeating: "x", count: 3600))"}"#), 1005, "3584"),
        ] as [(String, Int, String)]
    )
    func mistakes(_ text: String, _ code: Int, _ word: String) throws {
        let error = try #require(throws: JPushError.self) { try request(text) }
        #expect(error.code == code, "\(error.message)")
        #expect(error.message.contains(word), "\(error.message)")
    }

    @Test("A batch has none: its pushes name no activity")
    func batch() throws {
        let entry = #"{"platform":"ios","target":"tom","live_activity":{"ios":{\#(Self.start)}}}"#
        let batch = try PushBatch(parsing: Array(#"{"pushlist":{"c":\#(entry)}}"#.utf8), to: .alias)
        let error = #expect(throws: JPushError.self) { try batch.entries[0].push.get() }
        #expect(error?.code == 1003)
    }
}
