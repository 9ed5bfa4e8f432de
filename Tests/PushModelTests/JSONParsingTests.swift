import Foundation
import TestSupport
import Testing

@testable import PushModel

@Suite("JSON parsing")
struct JSONParsingTests {
    @Test("Reads every kind of value, blanks and a byte order mark around it")
    func readsEveryKind() throws {
        let text = "\u{FEFF} \t\r\n{\"a\":[null,true,false,0,-1,1.5,\"x\"],\"b\":{}}\n"
        let value = try JSONValue(parsing: text)
        #expect(value == ["a": [.null, true, false, 0, -1, 1.5, "x"], "b": [:]])
    }

    @Test(
        "Says where the text stops being JSON",
        arguments: [
            ("{\"a\":1,}", 1, 8, "key in quotes"),
            ("{\n  \"a\": 1,\n}", 3, 1, "key in quotes"),
            ("[1,2,]", 1, 6, "a value was expected"),
            ("[1 2]", 1, 4, "',' or ']'"),
            ("{\"a\" 1}", 1, 6, "':' was expected"),
            ("{\"a\":1", 1, 7, "the end of the text"),
            ("{a:1}", 1, 2, "key in quotes"),
            ("", 1, 1, "empty"),
            ("  ", 1, 3, "empty"),
            ("{} x", 1, 4, "after the end"),
            ("nul", 1, 1, "a value was expected"),
            ("'a'", 1, 1, "a value was expected"),
            ("\"ab", 1, 4, "ends inside a string"),
        ]
    )
    func saysWhere(_ text: String, _ line: Int, _ column: Int, _ problem: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error.line == line && error.column == column, "\(error)")
        #expect(error.problem.contains(problem), "\(error)")
        #expect(error.description == "line \(line), column \(column): \(error.problem)")
    }

    @Test(
        "Refuses what other parsers let pass",
        arguments: [
            "01", "-", "-01", "1.", ".5", "1e", "1e+", "+1", "0x10", "1e400", "-1e400", "NaN", "Infinity", "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12G4\"", "\"\u{1}\"", "\"a\nb\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\ud800x\"",
            "// x\n1", "True", "[,]", "{,}", "[1,,2]", "{\"a\":}",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    }

    @Test(
        "Names the encoding of a text that is not in UTF-8",
        arguments: [
            (.utf16LittleEndian, [], "UTF-16"), (.utf16BigEndian, [], "UTF-16"),
            (.utf16LittleEndian, [0xFF, 0xFE], "UTF-16"), (.utf16BigEndian, [0xFE, 0xFF], "UTF-16"),
            (.utf32LittleEndian, [], "UTF-32"), (.utf32BigEndian, [], "UTF-32"),
            (.utf32LittleEndian, [0xFF, 0xFE, 0, 0], "UTF-32"), (.utf32BigEndian, [0, 0, 0xFE, 0xFF], "UTF-32"),
        ] as [(String.Encoding, [UInt8], String)]
    )
    func otherEncodings(_ encoding: String.Encoding, _ mark: [UInt8], _ name: String) throws {
        for text in ["{}", "{\"a\":\"中\"}", "[]", " {}", "\"樂\""] {
            let bytes = mark + Array(try #require(text.data(using: encoding)))
            let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
            #expect(error?.problem == "the text is in \(name); save or send it in UTF-8", "\(text)")
        }
    }

    @Test("Refuses a string that is not UTF-8")
    func refusesBrokenUTF8() {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test(
        "Keeps integers exact to the ends of 64 bits",
        arguments: [
            ("9007199254740993", JSONValue.integer(9_007_199_254_740_993)),
            ("0", .integer(0)), ("-0", .decimal("-0")), ("-12345678901234567", .integer(-12_345_678_901_234_567)),
            ("123456789012345678", .integer(123_456_789_012_345_678)),
            ("1234567890123456789", .integer(1_234_567_890_123_456_789)),
            ("38280619866253999", .integer(38_280_619_866_253_999)),
            ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .decimal("9223372036854775808")),
            ("0", .integer(0)),
            ("1.0", .double(1)),
            ("1e2", .decimal("1e2")),
            ("-2.5E-1", .decimal("-2.5E-1")),
            ("-0.25", .double(-0.25)),
        ]
    )
    func keepsIntegersExact(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "Numbers are written as they were read, digit by digit",
        arguments: [
            "18446744073709551615", "-9223372036854775809", "123456789012345678901234567890", "1.10", "0.1000", "1e5",
            "1E+2", "3.14159265358979323846", "-0", "-0.0", "1.0", "0", "5e-324", "9007199254740993.0",
        ]
    )
    func pushNotificationPR67_keepsEveryDigit(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.text == text)
        #expect(value.byteCount == text.utf8.count)
        #expect(value.double == Double(text))
    }

    @Test(
        "Counts the octets of a value as it would write them",
        arguments: [
            "null", "[true,false]", "[]", "{}", "[1,-20,3.5,1e300]", #"{"a":{"b":[1,2,3]},"é":"中"}"#,
            #"["\"\\/\b\f\n\r\t\u0001\u001f\u007f \ud83d\ude00"]"#, #"{"a\nb":"","":[[],{}]}"#,
        ]
    )
    func byteCount(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.byteCount == value.bytes.count)
        #expect(try JSONValue(parsing: value.bytes) == value)
    }

    @Test("Keeps 1, 1.0, \"1\" and true apart")
    func keepsKindsApart() throws {
        let values = try ["1", "1.0", "\"1\"", "true"].map { try JSONValue(parsing: $0) }
        #expect(Set(values).count == 4)
        #expect(values.map(\.integer) == [1, nil, nil, nil])
        #expect(values.map(\.bool) == [nil, nil, nil, true])
        #expect(values.map(\.string) == [nil, nil, "1", nil])
        #expect(values.map(\.double) == [1, 1, nil, nil])
    }

    @Test("A key that is written twice has its last value, in its first place")
    func lastOfDuplicatesCounts() throws {
        let object = try #require(try JSONValue(parsing: "{\"a\":1,\"b\":2,\"a\":3}").object)
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 3)
    }

    @Test("The same holds in an object of many members")
    func lastOfManyDuplicatesCounts() throws {
        let keys = (0..<40).map { "\"k\($0 % 30)\":\($0)" }
        let object = try #require(try JSONValue(parsing: "{\(keys.joined(separator: ","))}").object)
        #expect(object.keys == (0..<30).map { "k\($0)" })
        #expect(object["k0"] == 30 && object["k9"] == 39 && object["k10"] == 10)
    }

    /// 300,000 members: a look-up of each among all would take many minutes, a linear pass takes a second.
    private static let manyMembers = 300_000

    @Test("An object of many members is read without looking each up among all", .suiteLimit)
    func readsManyMembers() throws {
        let members = (0..<Self.manyMembers).map { "\"\($0)\":0" }
        let value = try JSONValue(parsing: "{\(members.joined(separator: ","))}")
        #expect(value.object?.members.count == members.count)
    }

    @Test("Objects of many members are compared without looking each up among all", .suiteLimit)
    func comparesManyMembers() {
        let members = (0..<Self.manyMembers).map { ("\($0)", JSONValue.integer(0)) }
        #expect(JSONValue.object(JSONObject(members)) == .object(JSONObject(members.reversed())))
    }

    @Test(
        "Understands every escape",
        arguments: [
            ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
            ("\"\\u0041\\u00e9\\u4E2D\"", "Aé中"),
            ("\"\\ud83d\\ude00\"", "😀"),
            ("\"\\uD83D\\uDE00x\"", "😀x"),
            ("\"\\u0000\"", "\0"),
            ("\"😀é中\"", "😀é中"),
        ]
    )
    func understandsEscapes(_ text: String, _ string: String) throws {
        #expect(try JSONValue(parsing: text).string == string)
    }

    @Test("Nests 128 levels deep and no deeper")
    func limitsNesting() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(128)) }
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(129)) }
        #expect(error.problem.contains("128"))
        #expect(throws: Never.self) {
            try JSONValue(parsing: "[" + Array(repeating: "[]", count: 500).joined(separator: ",") + "]")
        }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
    }
}

@Suite("JSON writing")
struct JSONWritingTests {
    @Test(
        "Writes compact JSON in the order of the members",
        arguments: [
            (["z": 1, "a": [true, .null, 1.5], "": ["k": "v"]], "{\"z\":1,\"a\":[true,null,1.5],\"\":{\"k\":\"v\"}}"),
            (.integer(.max), "9223372036854775807"),
            (.integer(.min), "-9223372036854775808"),
            ("\"\\/\n\r\t\u{1}\u{1F}😀中", "\"\\\"\\\\/\\n\\r\\t\\u0001\\u001f😀中\""),
            ([:], "{}"),
            ([], "[]"),
        ] as [(JSONValue, String)]
    )
    func writes(_ value: JSONValue, _ text: String) {
        #expect(value.text == text)
    }

    @Test(
        "A written value reads back as the same value",
        arguments: [
            [
                "a": [1, 1.0, -0.1, 1e300, .double(.leastNonzeroMagnitude), true, .null, "\u{0}\u{7F}\u{2028}😀"],
                "é": ["x": ["y": []]],
            ],
            .integer(9_007_199_254_740_993),
            .double(9_007_199_254_740_992),
            .string(""),
        ] as [JSONValue]
    )
    func roundTrip(_ value: JSONValue) throws {
        #expect(try JSONValue(parsing: value.bytes) == value)
    }

    @Test("Objects are equal whatever the order of their members, and hash alike")
    func equalityByKey() throws {
        let one = try JSONValue(parsing: "{\"a\":1,\"b\":2}")
        let other = try JSONValue(parsing: "{\"b\":2,\"a\":1}")
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": 2.0])
        #expect(one != ["a": 1])
    }

    @Test("Removing a member by nil leaves the others in place")
    func removes() {
        var object: JSONObject = ["a": 1, "b": 2, "c": 3]
        object["b"] = nil
        object["missing"] = nil
        #expect(object.keys == ["a", "c"])
        #expect(!object.isEmpty)
    }
}
