import Testing

@testable import PushModel

@Suite("VoIP pushes")
struct VoIPPushTests {
    private func request(
        _ notification: String,
        platform: String = "\"all\"",
        _ more: String = ""
    ) throws -> PushRequest {
        let text = #"{"platform":\#(platform),"audience":"all","notification":\#(notification)\#(more)}"#
        return try PushRequest(parsing: Array(text.utf8))
    }

    @Test("Its members are free, and stay as they are, nulls included")
    func members() throws {
        let request = try request(#"{"voip":{"caller":"Ana","video":null,"aps":{},"n":[1,{"x":null}]}}"#)
        #expect(request.voip == ["caller": "Ana", "video": .null, "aps": [:], "n": [1, ["x": .null]]])
        #expect(!request.hasNotification && request.isForAPNs && !request.hasVoIPBesideNotification)
        let payload = PayloadTemplate(unchanged: request.voip ?? [:]).payload(badge: nil)
        #expect(
            String(decoding: payload, as: UTF8.self) == #"{"caller":"Ana","video":null,"aps":{},"n":[1,{"x":null}]}"#
        )
        #expect(try self.request(#"{"voip":[]}"#).voip == [:], "PHP writes an empty object as an array.")
    }

    @Test(
        "Beside a notification for iOS it is a push of its own",
        arguments: [
            #"{"alert":"hi","voip":{"a":1}}"#, #"{"ios":{"alert":"hi"},"voip":{"a":1}}"#,
            #"{"ios":{"content-available":true},"voip":{"a":1}}"#,
        ]
    )
    func beside(_ notification: String) throws {
        let push = try request(notification, #","message":{"msg_content":"m"},"options":{"time_to_live":60},"cid":"c""#)
        #expect(push.hasVoIPBesideNotification)
        let alone = push.voipAlone
        #expect(!alone.hasNotification && alone.message == nil && alone.cid == nil && alone.voip == ["a": 1])
        #expect(alone.options.timeToLive == 60)
        let body = try PushRequest.voipAlone(
            in: Array(
                #"{"platform":"all","audience":"all","notification":{"alert":"hi","voip":{"a":1}},"cid":"c","options":{"sendno":7}}"#
                    .utf8
            )
        )
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"platform":"all","audience":"all","options":{"sendno":7},"notification":{"voip":{"a":1}}}"#
        )
        #expect(try PushRequest(parsing: body).voip == ["a": 1])
    }

    @Test("Beside a notification for Android alone it is all that iOS gets")
    func android() throws {
        let push = try request(#"{"android":{"alert":"hi"},"voip":{"a":1}}"#)
        #expect(!push.hasNotification && push.voip == ["a": 1])
    }

    @Test("It has at most 5120 bytes")
    func size() throws {
        func notification(_ count: Int) -> String { #"{"voip":{"k":"\#(String(repeating: "x", count: count))"}}"# }
        // {"k":""} has 8 bytes.
        #expect(try request(notification(5112)).voip != nil)
        let error = #expect(throws: JPushError.self) { try request(notification(5113)) }
        #expect(error?.code == 1005 && error?.message.contains("5121 bytes; at most 5120") == true)
    }

    @Test(
        "Anything but an object, and an iOS part without an alert, is 1003",
        arguments: [
            #"{"voip":"call"}"#, #"{"voip":7}"#, #"{"voip":[1]}"#, #"{"ios":{},"voip":{"a":1}}"#,
        ]
    )
    func mistakes(_ notification: String) throws {
        let error = #expect(throws: JPushError.self) { try request(notification) }
        #expect(error?.code == 1003)
    }
}
