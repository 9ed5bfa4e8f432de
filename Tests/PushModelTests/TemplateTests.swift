import Testing

@testable import PushModel

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

    @Test("The values of a push are limited in number, length and kind; what is wrong is told by its name")
    func values() throws {
        let template = try Self.template("{{a}}")
        func sentence(_ keys: JSONObject) throws -> String {
            let entry = try Self.entry(keys)
            let error = try #require(throws: JPushError.self) { try entry.push(from: template) }
            #expect(error.code == 1003)
            return error.message
        }
        let long = JSONValue.string(String(repeating: "x", count: JPushLimits.templateValueBytes + 1))
        #expect(try sentence(["a": long]) == "Key 'params[0].keys.a' is 1001 bytes long; expected at most 1000.")
        let bad: [JSONValue] = [true, ["x"], [:]]
        for value in bad {
            #expect(try sentence(["a": value]).hasSuffix("expected a string or a number."))
        }
        #expect(try sentence(["a": true]).hasPrefix("Key 'params[0].keys.a' is true"))
        let many = JSONObject([("a", "x")] + (0..<100).map { ("k\($0)", "x") })
        #expect(try sentence(many) == "Key 'params[0].keys' is an object of 101 members; expected at most 100.")
        let few = JSONObject(many.members.dropLast().map { ($0.key, $0.value) })
        _ = try Self.entry(few).push(from: template)
    }

    @Test(
        "What comes from values is text, whatever it looks like: no attribute of a device is put into it",
        arguments: [
            ("Hi {{name}}", ["name": "{{first_name|x}}"], "Hi {{first_name|x}}"),
            ("{{a}}{first_name|x}{{b}}", ["a": "{", "b": "}"], "{{first_name|x}}"),
            ("{{a}}{{b}}", ["a": "{", "b": "{first_name|x}}"], "{{first_name|x}}"),
            ("{{a}}first_name|x}}", ["a": "{{"], "{{first_name|x}}"),
            ("{ {{a}} }", ["a": "{{first_name|x}}"], "{ {{first_name|x}} }"),
            ("{{a}}", ["a": "{{|{}}"], "{{|{}}"), ("{{a}}", ["a": "{{{{|}}"], "{{{{|}}"),
            ("{{first_name|x}} and {{a}}", ["a": "{{first_name|x}}\u{301}"], "Ana and {{first_name|x}}\u{301}"),
            ("{{none|{{a}}}}!", ["a": "x}} {{first_name|y}}"], "x}} {{first_name|y}}!"),
            ("{{none|{{a}}}}!", ["a": "\"}\\"], "\"}\\!"), ("{{{none|{{a}}}}}!", ["a": "{b}"], "{b}!"),
        ] as [(String, [String: String], String)]
    )
    func valuesAreText(_ text: String, _ keys: [String: String], _ shown: String) throws {
        for isString in [true, false] {
            let alert: JSONValue = isString ? .string(text) : ["title": "t", "body": .string(text)]
            let push: JSONObject = ["platform": "all", "notification": ["ios": ["alert": alert]]]
            let template = PushTemplate(name: "t", push: push)
            let entry = try Self.entry(JSONObject(keys.map { ($0.key, .string($0.value)) }))
            let body = JSONValue.object(try entry.push(from: template))
            #expect(
                template.filledBytes(template.variables.map { keys[$0] ?? "" })
                    == JSONValue.object(template.filled { keys[$0] }).byteCount
            )
            #expect(PushWarning.all(in: body.bytes[...]) == [])
            let payload = PayloadTemplate(try PushRequest(parsing: body.bytes).notification, messageID: MessageID(1))
            var bytes: [UInt8] = []
            var values = AttributeValues(["first_name": "Ana"])
            payload.write(badge: nil, number: 0, values: &values, at: 0, to: &bytes)
            let aps = try JSONValue(parsing: bytes).object?["aps"]?.object?["alert"]
            #expect((aps?.object?["body"] ?? aps)?.string == shown)
        }
        let message = PushTemplate(name: "t", push: ["message": ["msg_content": "{{a}}"]])
        #expect(message.filled { _ in "{{b}}" }["message"] == ["msg_content": "{{b}}"])
    }

    @Test(
        "A variable may have more than two braces, and a mark after it changes nothing",
        arguments: [
            ("Hi {{{name}}}!", "Hi Ann!"), ("{{{{ name }}}}", "Ann"), ("{{{name}}", "{Ann"), ("{{name}}}", "Ann}"),
            ("A {{name}}\u{200C}جان", "A Ann\u{200C}جان"), ("A {{name}}\u{FE0F}", "A Ann\u{FE0F}"),
            ("A {{name}}\u{FF9E}", "A Ann\u{FF9E}"), ("A {{name}}\u{200D}", "A Ann\u{200D}"),
        ]
    )
    func braces(_ text: String, _ filled: String) throws {
        let template = try Self.template(text)
        #expect(template.variables == ["name"])
        let alert = template.filled { _ in "Ann" }["notification"]?.object?["alert"]?.string
        #expect(alert.map(ExactText.init) == ExactText(filled))
        #expect(template.warnings == [])
    }

    @Test(
        "What looks like a variable and is none has a warning",
        arguments: [
            ("Hi {{name | upcase}}", "{{name | upcase}}"), ("Hi {{user name}}", "{{user name}}"),
            ("Hi {{name|there}}{{ city | default: 'x' }}", "{{ city | default: 'x' }}"),
            ("{{a}} <%= name %>", "<%= name %>"), ("{{user {{a}}}}", "{{user 0}}"),
        ]
    )
    func remaining(_ text: String, _ found: String) throws {
        let warning = PushWarning(kind: .placeholder, path: "notification.alert", found: found)
        #expect(try Self.template(text).warnings == [warning])
    }

    @Test("A variable of an alert may have more than two braces")
    func bracesOfAttributes() throws {
        for (text, shown) in [
            ("Hi {{{first_name|there}}}!", "Hi there!"), ("{{{{a|b}}}} {c}", "b {c}"), ("{{{a|b}}", "{b"),
            ("{{|{}}{{a|b}}{{|}}}", "{b}"), ("{a{{|{}}", "{a{"),
        ] {
            let body = Array(#"{"platform":"ios","audience":"all","notification":{"alert":"\#(text)"}}"#.utf8)
            let payload = PayloadTemplate(try PushRequest(parsing: body).notification, messageID: MessageID(1))
            let bytes = payload.payload(badge: nil)
            #expect(try JSONValue(parsing: bytes).object?["aps"]?.object?["alert"]?.string == shown)
        }
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
        var values = AttributeValues(["a": "A", "c": "C"])
        filled.write(badge: nil, number: 0, values: &values, at: 0, to: &payload)
        #expect(String(decoding: payload, as: UTF8.self).contains(#""alert":"A C{{d|y}""#))
    }
}
