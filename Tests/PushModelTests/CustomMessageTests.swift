import PushModel
import Testing

@Suite("The message of a push")
struct CustomMessageTests {
    private func request(_ message: String, notification: String? = nil) throws(JPushError) -> PushRequest {
        let notification = notification.map { ",\"notification\":\($0)" } ?? ""
        let body = "{\"platform\":\"all\",\"audience\":\"all\",\"message\":\(message)\(notification)}"
        return try PushRequest(parsing: Array(body.utf8))
    }

    private func code(_ message: String, notification: String? = nil) -> Int? {
        do {
            _ = try request(message, notification: notification)
            return nil
        } catch { return error.code }
    }

    @Test("Is read with all its members, alone or beside a notification")
    func read() throws {
        let text = """
            {"msg_content":"hi","title":"t","content_type":"text","extras":{"a":1},"alternate_title":"x",
            "alternate_content":"y"}
            """
        let alone = try request(text)
        #expect(alone.message == CustomMessage(content: "hi", title: "t", contentType: "text", extras: ["a": 1]))
        #expect(!alone.hasNotification)
        let both = try request("{\"msg_content\":\"\"}", notification: "{\"alert\":\"n\"}")
        #expect(both.message == CustomMessage(content: ""))
        #expect(both.hasNotification)
        #expect(both.notification.alert == "n")
        let php = try request("{\"msg_content\":\"x\",\"extras\":[]}")
        #expect(php.message?.extras == nil)
        let empty = try request("{}", notification: "{\"alert\":\"n\"}")
        #expect(empty.message == nil, "An empty one beside a notification stands for none.")
    }

    @Test(
        "Mistakes are reported in the order of the checks",
        arguments: [
            ("{}", 1002), ("{\"title\":\"x\"}", 1002), ("1", 1003), ("{\"msg_content\":1}", 1003),
            ("{\"msg_content\":\"x\",\"title\":1}", 1003), ("{\"msg_content\":\"x\",\"extras\":\"y\"}", 1003),
            ("{\"msg_content\":\"x\",\"content\":\"y\"}", 1009),
            ("{\"msg_content\":\"\(String(repeating: "x", count: 3982))\"}", nil),
            ("{\"msg_content\":\"\(String(repeating: "x", count: 3983))\"}", 1005),
        ] as [(String, Int?)]
    )
    func refusals(_ message: String, _ expected: Int?) {
        #expect(code(message) == expected)
    }
}
