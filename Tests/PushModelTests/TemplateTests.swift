import PushModel
import Testing

@Suite("Push templates", .timeLimit(.minutes(1)))
struct TemplateTests {
    private static func template(_ alert: String) throws -> PushTemplate {
        let push: JSONValue = ["platform": "all", "notification": ["alert": .string(alert)]]
        return try PushTemplate(parsing: JSONValue.object(["name": "t", "push": push]).bytes)
    }

    private static func code(_ body: () throws(JPushError) -> Void) -> Int? {
        do { try body() } catch { return error.code }
        return nil
    }

    private static func names(_ count: Int) -> String { (0..<count).map { "{{v\($0)}}" }.joined() }

    private static func entry(_ keys: JSONObject) throws(JPushError) -> TemplatePush.Entry {
        let body: JSONValue = ["id": "0", "params": [["audience": "all", "keys": .object(keys)]]]
        return try TemplatePush(parsing: body.bytes, isScheduled: false).params[0]
    }

    @Test("A template has up to 100 variables, each counted once")
    func variables() throws {
        #expect(try Self.template(Self.names(100) + "{{v0}}").variables.count == JPushLimits.templateVariables)
        #expect(
            Self.code { () throws(JPushError) in _ = try PushTemplate(parsing: Self.body(Self.names(101))) } == 1003
        )
        #expect(
            Self.code { () throws(JPushError) in _ = try PushTemplate(parsing: Self.body(Self.names(2200))) } != nil
        )
    }

    private static func body(_ alert: String) -> [UInt8] {
        let push: JSONValue = ["platform": "all", "notification": ["alert": .string(alert)]]
        return JSONValue.object(["name": "t", "push": push]).bytes
    }

    @Test("A name ends at a space, a brace or a bar, however the scalars around it combine")
    func scalars() {
        func names(_ text: String) -> [String] { PushTemplate(name: "", push: ["x": .string(text)]).variables }
        #expect(names("{{name}}\u{200C}x {{\u{301}}} {{ a\u{301} }}") == ["name", "\u{301}", "a\u{301}"])
        #expect(names(String(repeating: "{", count: 16_000) + "{{a}}") == ["a"])
        #expect(names(String(repeating: "{{a", count: 5000)) == [])
        #expect(
            names("{{" + String(repeating: "n", count: 41) + "}}{{" + String(repeating: "n", count: 40) + "}}").count
                == 1
        )
        // Equal to people, different names.
        #expect(names("{{\u{E9}}}{{e\u{301}}}").count == 2)
    }

    @Test("The values of a push are limited in number and length")
    func values() {
        let long = JSONValue.string(String(repeating: "x", count: JPushLimits.templateValueBytes + 1))
        #expect(Self.code { () throws(JPushError) in _ = try Self.entry(["a": long]) } == 1003)
        let many = JSONObject((0..<101).map { ("k\($0)", "x") })
        #expect(Self.code { () throws(JPushError) in _ = try Self.entry(many) } == 1003)
        #expect(
            Self.code { () throws(JPushError) in
                _ = try Self.entry(JSONObject(many.members.dropLast().map { ($0.key, $0.value) }))
            } == nil
        )
    }

    @Test("A push that would be too large is refused by its length alone, which counts what JSON escapes")
    func length() throws {
        let template = try Self.template(String(repeating: "{{a}}", count: 300))
        for (value, bytes) in [("x", 1), ("\"", 2), ("\u{1}", 6), ("好", 3)] {
            let count = 500 / bytes
            let text = String(repeating: value, count: count)
            let entry = try Self.entry(["a": .string(text)])
            let whole = JSONValue.object(template.filled { _ in text }).bytes.count
            do throws(JPushError) {
                _ = try entry.push(from: template)
                Issue.record("\(whole) bytes are allowed")
            } catch {
                #expect(error.code == 1005)
                #expect(error.message.contains(" \(whole) bytes"), "\(error.message)")
            }
        }
        #expect(try Self.entry(["a": "好"]).push(from: template)["notification"]?.object?["alert"]?.string?.count == 300)
    }

    @Test("Options of a push that has very many are merged in one pass")
    func options() throws {
        let options = JSONObject((0..<100_000).map { ("o\($0)", .integer(Int64($0))) })
        let body: JSONValue = ["id": "0", "params": [["audience": "all", "options": .object(options)]]]
        let request = try TemplatePush(parsing: body.bytes, isScheduled: false)
        var template = PushTemplate(name: "", push: ["options": ["o7": 1, "z": 2]])
        let merged = try request.params[0].push(from: template)["options"]?.object
        #expect(merged?.members.count == 100_001)
        #expect(merged?.keys.prefix(3) == ["o7", "z", "o0"])
        #expect(merged?["o7"] == 7)
        template = PushTemplate(name: "", push: [:])
        #expect(try request.params[0].push(from: template)["options"]?.object?.members.count == 100_000)
    }

    @Test("A text that begins many variables and ends none costs its length once, in warnings and payloads")
    func manyBeginnings() throws {
        let text = String(repeating: "{{a|", count: 850)
        let body = Array(#"{"platform":"ios","audience":"all","notification":{"alert":"\#(text)"}}"#.utf8)
        let request = try PushRequest(parsing: body)
        for _ in 0..<300 {
            #expect(PushWarning.all(in: body[...]).isEmpty)
            let template = PayloadTemplate(request.notification, messageID: MessageID(1))
            #expect(!template.hasVariables)
        }
        let ended = "{{a|{{b|x}} {{c|}}{{d|y}"
        let other = Array(#"{"platform":"ios","audience":"all","notification":{"alert":"\#(ended)"}}"#.utf8)
        #expect(PushWarning.all(in: other[...]).isEmpty)
        let filled = PayloadTemplate(try PushRequest(parsing: other).notification, messageID: MessageID(1))
        var payload: [UInt8] = []
        filled.write(badge: nil, number: 0, values: ["a": "A", "c": "C"], to: &payload)
        #expect(String(decoding: payload, as: UTF8.self).contains(#""alert":"A C{{d|y}""#))
    }
}
