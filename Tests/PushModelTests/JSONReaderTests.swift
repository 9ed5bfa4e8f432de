import Foundation
import Testing

@testable import PushModel

@Suite("Members of a JSON object")
struct JSONReaderTests {
    private static let object: JSONObject = [
        "name": "a", "count": 3, "none": .null, "tags": ["x", "y"], "mixed": ["x", 1],
        "long": .string(String(repeating: "é", count: 40)),
    ]
    private static let reader = JSONReader(object, at: "list[1]")

    @Test("A member of the right form is returned")
    func values() throws {
        let reader = Self.reader
        #expect(try reader.need("name", .string) == "a")
        #expect(try reader.need("count", .integer(in: 1...3)) == 3)
        #expect(try reader.need("count", .number(in: 0...3.5)) == 3)
        #expect(try reader.need("tags", .strings) == ["x", "y"])
        #expect(try reader.optional("name", .text) == "a")
        #expect(reader["name"] == "a")
    }

    @Test("A missing or null member is nil if it is optional")
    func optional() throws {
        #expect(try Self.reader.optional("missing", .string) == nil)
        #expect(try Self.reader.optional("none", .integer) == nil)
    }

    @Test("A missing or invalid member is reported with its path, what was found and what was expected")
    func problems() {
        let reader = Self.reader
        let rows: [(path: String, found: String, expected: String, read: () throws -> Void)] = [
            ("list[1].missing", "missing", "a string", { _ = try reader.need("missing", .string) }),
            ("list[1].none", "null", "true or false", { _ = try reader.need("none", .bool) }),
            ("list[1].name", "'a'", "an integer", { _ = try reader.optional("name", .integer) }),
            ("list[1].count", "3", "an integer from 4 to 5", { _ = try reader.need("count", .integer(in: 4...5)) }),
            ("list[1].count", "3", "a number from 0 to 0.5", { _ = try reader.need("count", .number(in: 0...0.5)) }),
            ("list[1].long", "a string of 80 bytes", "an integer", { _ = try reader.optional("long", .integer) }),
            ("list[1].mixed", "an array", "an array of strings", { _ = try reader.need("mixed", .strings) }),
            (
                "list[1].name", "'a'", "one of 'development', 'production'",
                { _ = try reader.need("name", JSONForm<APNSEnvironment>.word) }
            ),
            (
                "list[1].name", "'a'", "one of 'one', 'two'",
                { _ = try reader.need("name", .word(of: [("one", 1), ("two", 2)])) }
            ),
            (
                "list[1].none", "not known here", "one of 'count', 'name'",
                { try reader.refuseKeys(besides: Self.known) }
            ),
        ]
        for row in rows {
            let problem = JSONProblem(
                path: row.path,
                found: row.found,
                expected: row.expected,
                isUnknownKey: row.found == "not known here"
            )
            #expect(throws: problem) { try row.read() }
            #expect(problem.description == "Key '\(row.path)' is \(row.found); expected \(row.expected).")
        }
    }

    private static let known = ["name", "count"]

    @Test("The strict reader refuses nulls, and keys that were not read")
    func strict() throws {
        var reader = try StrictJSONReader(["name": "a", "none": .null])
        #expect(try reader.need("name", .text) == "a")
        #expect(throws: JSONProblem(path: "other", found: "missing", expected: "a reason")) {
            _ = try reader.need("other", .text, orMissing: "a reason")
        }
        let unknown = JSONProblem(
            path: "none",
            found: "not known here",
            expected: "one of 'name', 'other'",
            isUnknownKey: true
        )
        #expect(throws: unknown) { try reader.finish() }
        #expect(throws: JSONProblem(path: "none", found: "null", expected: "a non-empty string")) {
            _ = try reader.optional("none", .text)
        }
        try reader.finish()
    }

    @Test("The whole document is reported without a path")
    func document() {
        let problem = #expect(throws: JSONProblem.self) { try StrictJSONReader([]) }
        #expect(problem?.description == "The document is an array; expected an object.")
    }
}

@Suite("JSON of values")
struct JSONCodingTests {
    private struct Item: Codable, Equatable {
        let bundleID: String
        @OrNull var lastAt: Date?
        var keyID: String?
    }

    private enum Request: Codable {
        enum CodingKeys: String, CodingKey { case list, show = "item.show" }
        case list
        case show(bundleID: String, limit: Int?)
    }

    @Test("Names are in snake case; nil is left out, or null; what a newer writer adds is ignored")
    func values() throws {
        let item = Item(bundleID: "a.b", lastAt: nil)
        #expect(JSONCoding.json(of: [item]).text == #"[{"bundle_id":"a.b","last_at":null}]"#)
        let newer: JSONValue = ["bundle_id": "a.b", "last_at": .null, "colour": "red"]
        #expect(try JSONCoding.read(Item.self, from: newer) == item)
        let error = #expect(throws: JSONProblem.self) { try JSONCoding.read([Item].self, from: [newer, [:]]) }
        #expect(error?.description == "Key '[1].bundle_id' is missing; expected a string.")
    }

    @Test("A case is a name and its values, of which no other may be given")
    func cases() throws {
        let (name, payload) = JSONCoding.namedCase(of: Request.show(bundleID: "a.b", limit: nil))
        #expect(name == "item.show" && payload == ["bundle_id": "a.b"])
        let more: JSONObject = ["bundle_id": "a.b", "colour": "red"]
        let error = #expect(throws: JSONProblem.self) { try JSONCoding.read(Request.self, named: name, from: more) }
        #expect(error?.isUnknownKey == true && error?.expected == "one of 'bundle_id', 'limit'")
    }
}
