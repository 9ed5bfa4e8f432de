import PushModel
import Testing

@Suite("APNs payload of a message")
struct PayloadTemplateTests {
    private func payload(
        _ ios: String,
        badge: Int = 0,
        messageID: Int64 = 38_280_619_866_253_999,
        userID: Int64 = 29_847_243_158
    ) throws -> String {
        let body = "{\"platform\":\"ios\",\"audience\":\"all\",\"notification\":{\"ios\":\(ios)}}"
        let request = try PushRequest(parsing: Array(body.utf8))
        let template = PayloadTemplate(request.notification, messageID: MessageID(messageID))
        let changed = request.notification.badge.map { _ in badge }
        let text = String(decoding: template.payload(badge: changed, number: userID), as: UTF8.self)
        #expect(throws: Never.self) { try JSONValue(parsing: text) }
        return text
    }

    private static let tail = "\"_j_msgid\":38280619866253999,\"_j_uid\":29847243158,\"_j_business\":1}"

    @Test("Is the documented example, byte for byte")
    func documentedExample() throws {
        let text = try payload(
            "{\"alert\":\"hello\",\"sound\":\"sound.caf\",\"badge\":1,\"extras\":{\"news_id\":134}}",
            badge: 1
        )
        #expect(
            text == """
                {"aps":{"alert":"hello","sound":"sound.caf","badge":1},"news_id":134,"_j_msgid":38280619866253999,\
                "_j_uid":29847243158,"_j_business":1}
                """
        )
        let documented = """
            {"aps":{"alert":"hello","badge":1,"sound":"sound.caf"},
             "news_id":134,
             "_j_msgid":38280619866253999,
             "_j_uid":29847243158,
             "_j_business":1}
            """
        #expect(try JSONValue(parsing: text) == JSONValue(parsing: documented))
    }

    @Test(
        "Carries what was asked for and nothing else",
        arguments: [
            ("{\"alert\":\"x\"}", "{\"aps\":{\"alert\":\"x\"},"),
            (
                "{\"alert\":{\"title\":\"t\",\"loc-args\":[\"1\"],\"new-key\":1}}",
                "{\"aps\":{\"alert\":{\"title\":\"t\",\"loc-args\":[\"1\"],\"new-key\":1}},"
            ),
            ("{\"alert\":\"x\",\"sound\":\"\"}", "{\"aps\":{\"alert\":\"x\"},"),
            ("{\"alert\":\"\",\"sound\":\"default\"}", "{\"aps\":{\"sound\":\"default\"},"),
            ("{\"alert\":\"\"}", "{\"aps\":{},"),
            ("{\"alert\":\"\",\"badge\":\"\"}", "{\"aps\":{\"badge\":5},"),
            ("{\"content-available\":true}", "{\"aps\":{\"content-available\":1},"),
            (
                "{\"content-available\":1,\"mutable-content\":1}",
                "{\"aps\":{\"content-available\":1,\"mutable-content\":1},"
            ),
            ("{\"alert\":\"x\",\"content-available\":0,\"mutable-content\":false}", "{\"aps\":{\"alert\":\"x\"},"),
            (
                "{\"alert\":\"x\",\"sound\":{\"critical\":1,\"name\":\"s\",\"volume\":0.5}}",
                "{\"aps\":{\"alert\":\"x\",\"sound\":{\"critical\":1,\"name\":\"s\",\"volume\":0.5}},"
            ),
            (
                "{\"alert\":\"x\",\"thread-id\":\"t\",\"category\":\"c\",\"interruption-level\":\"passive\"}",
                "{\"aps\":{\"alert\":\"x\",\"category\":\"c\",\"thread-id\":\"t\",\"interruption-level\":\"passive\"},"
            ),
            (
                "{\"alert\":\"x\",\"relevance-score\":0.5,\"filter-criteria\":\"f\",\"target-content-id\":\"w\"}",
                "{\"aps\":{\"alert\":\"x\",\"relevance-score\":0.5,\"filter-criteria\":\"f\",\"target-content-id\":\"w\"},"
            ),
            ("{\"alert\":\"x\",\"extras\":[]}", "{\"aps\":{\"alert\":\"x\"},"),
            (
                "{\"alert\":\"x\",\"extras\":{\"a\":{\"b\":[1]},\"c\":null}}",
                "{\"aps\":{\"alert\":\"x\"},\"a\":{\"b\":[1]},\"c\":null,"
            ),
        ]
    )
    func carries(_ ios: String, _ head: String) throws {
        #expect(try payload(ios, badge: 5) == head + Self.tail)
    }

    @Test("Extras named aps or beginning with _j_ overwrite nothing")
    func extrasDoNotOverwrite() throws {
        let text = try payload("{\"alert\":\"x\",\"extras\":{\"aps\":1,\"_j_msgid\":2,\"_j_new\":3,\"_jx\":4}}")
        #expect(text == "{\"aps\":{\"alert\":\"x\"},\"_jx\":4," + Self.tail)
    }

    @Test("Message and user ids beyond 2^53 stay exact numbers")
    func idsStayExact() throws {
        let object = try JSONValue(parsing: payload("{\"alert\":\"x\"}", messageID: .max, userID: .max - 1)).object
        #expect(object?["_j_msgid"] == .integer(.max))
        #expect(object?["_j_uid"] == .integer(.max - 1))
    }

    @Test("The badge is the device's own")
    func badgeOfTheDevice() throws {
        for badge in [0, 12, 99_999] {
            let text = try payload("{\"alert\":\"x\",\"badge\":\"+1\"}", badge: badge)
            #expect(text == "{\"aps\":{\"alert\":\"x\",\"badge\":\(badge)}," + Self.tail)
        }
    }

    private func filled(_ ios: String, _ values: [String: String]) throws -> JSONObject? {
        try filled(ios, stored: JSONValue.strings(values).text)
    }

    private func filled(_ ios: String, stored object: String) throws -> JSONObject? {
        let body = "{\"platform\":\"ios\",\"audience\":\"all\",\"notification\":{\"ios\":\(ios)}}"
        let template = PayloadTemplate(try PushRequest(parsing: Array(body.utf8)).notification, messageID: MessageID(1))
        #expect(template.hasVariables)
        var bytes = Array("before".utf8)
        var values = AttributeValues(count: 3)
        values.set(#"{"first_name":"Otto","a":"a"}"#.utf8Span.span, at: 0)
        values.set(object.utf8Span.span, at: 2)
        template.write(badge: 3, number: 4, values: &values, at: 2, to: &bytes)
        #expect(bytes.starts(with: "before".utf8))
        let payload = try JSONValue(parsing: Array(bytes.dropFirst(6))).object
        #expect(payload?["aps"]?.object?["badge"] == 3)
        #expect(payload?["_j_uid"] == 4)
        return payload
    }

    @Test("Variables of the alert are filled with a device's attributes, escaped, or with their defaults")
    func variables() throws {
        let ios =
            #"{"alert":{"title":"Hi {{first_name|there}}!","body":"{{a|\"x\"}}{{b|}} {{first_name|y}}"},"extras":{"k":"{{a|b}}"}}"#
        let table: [([String: String], title: String, body: String)] = [
            ([:], "Hi there!", "\"x\" y"), (["first_name": "Ana"], "Hi Ana!", "\"x\" Ana"),
            (["first_name": "\"A\"\n中\\", "a": "{{b|c}}", "b": "2"], "Hi \"A\"\n中\\!", "{{b|c}}2 \"A\"\n中\\"),
            (["other": "x"], "Hi there!", "\"x\" y"),
        ]
        for (values, title, body) in table {
            let payload = try filled(ios, values)
            let alert = payload?["aps"]?.object?["alert"]?.object
            #expect(alert?["title"] == .string(title))
            #expect(alert?["body"] == .string(body))
            #expect(payload?["k"] == "{{a|b}}")
        }
    }

    @Test(
        "The text that the store has for a device may be any JSON; a damaged one has no attributes",
        arguments: [
            (#"{"a":"1","b":"2"}"#, "1 2 c"), (#"{"b":"2","a":"1","c":"3"}"#, "1 2 3"), ("{}", "a b c"), ("", "a b c"),
            (#" { "a" : "1" , "b" : "2" } "#, "1 2 c"), (#"{"a":"\u0031","b":"\\\"\/"}"#, #"1 \"/ c"#),
            (#"{"a":1,"b":"2","c":{"a":"3"}}"#, "a 2 c"), (#"{"a":"1","a":"2"}"#, "2 b c"), (#"{"aa":"1"}"#, "a b c"),
            (#"{"a":"1","b":"2""#, "a b c"), (#"{"a":"1","b":"2"}}"#, "a b c"), (#"{"a":"1","b"}"#, "a b c"),
            (#"{"a":"1","b":"2",}"#, "a b c"), (#"{"a":"\"#, "a b c"), ("{\"a\":\"\n\"}", "a b c"),
            (#"["a","1"]"#, "a b c"), (#"{"a":"1""#, "a b c"), (#"{"a":"#, "a b c"), (#"{"a""#, "a b c"),
            ("{", "a b c"), (#"{"a":"1" "b":"2"}"#, "a b c"), (#"{"a":"","b":"\n"}"#, " \n c"),
            (#"{"a":"中","b":"😀"}"#, "中 😀 c"),
        ]
    )
    func storedTexts(_ stored: String, _ body: String) throws {
        let payload = try filled(#"{"alert":"{{a|a}} {{b|b}} {{c|c}}"}"#, stored: stored)
        #expect(payload?["aps"]?.object?["alert"] == .string(body))
    }

    @Test("What is no variable stays", arguments: ["{{name}}", "{{a b|c}}", "{{|c}}", "{{a|b", "{{a|b}", "a|b}}"])
    func noVariable(_ text: String) throws {
        #expect(try payload("{\"alert\":\"\(text)\"}") == "{\"aps\":{\"alert\":\"\(text)\"}," + Self.tail)
    }

    @Test("A payload that the values would make too long has the defaults")
    func longValues() throws {
        let places = String(repeating: "{{a|b}}", count: 30)
        let long = String(repeating: "x", count: AttributeEdit.valueBytes)
        #expect(
            try filled("{\"alert\":\"\(places)\"}", ["a": long])?["aps"]?.object?["alert"]
                == .string(String(repeating: "b", count: 30))
        )
    }
}

extension AttributeValues {
    /// Creates the attributes of one device.
    init(_ attributes: [String: String]) {
        self.init(count: 1)
        set(JSONValue.strings(attributes).bytes.span, at: 0)
    }
}
