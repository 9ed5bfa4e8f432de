import PushModel
import Testing

@Suite("Names and keys are compared octet by octet")
struct ExactTextTests {
    /// 樂 as a compatibility ideograph and as the usual one: the same to `String`.
    private static let rare = "\u{F914}"
    private static let usual = "\u{6A02}"

    private func octets(_ texts: [String]?) -> [[UInt8]]? { texts.map { $0.map { Array($0.utf8) } } }

    @Test(
        "Texts that look the same are not the same",
        arguments: [
            ("\u{F914}", "\u{6A02}", false), ("caf\u{E9}", "cafe\u{301}", false), ("\u{212A}", "K", false),
            ("", "", true),
            ("a", "a", true), ("a", "b", false), ("\u{6A02}", "\u{6A02}", true), ("ab", "a", false),
            (String(repeating: "\u{F914}", count: 40), String(repeating: "\u{6A02}", count: 40), false),
        ]
    )
    func same(_ first: String, _ second: String, _ isSame: Bool) {
        #expect(first.isSame(as: second) == isSame)
        #expect((ExactText(first) == ExactText(second)) == isSame)
        #expect(Set(exactly: [first, second]).count == (isSame ? 1 : 2))
        #expect((ExactText(first) < ExactText(second)) != (ExactText(second) < ExactText(first)) || isSame)
        #expect((JSONValue.string(first) == .string(second)) == isSame)
        #expect((Exact(wrappedValue: Optional(first)) == Exact(wrappedValue: second)) == isSame)
        #expect((Exact(wrappedValue: [first]) == Exact(wrappedValue: [second])) == isSame)
    }

    @Test("openGenAI14_anObjectKeepsBothKeys", arguments: [0, 40])
    func object(_ others: Int) throws {
        let rest = (0..<others).map { ",\"k\($0)\":\($0)" }.joined()
        let text = "{\"caf\u{E9}\":1,\"cafe\u{301}\":2,\"\u{F914}\":3,\"\u{6A02}\":4\(rest)}"
        var object = try #require(try JSONValue(parsing: text).object)
        #expect(Array(JSONValue.object(object).text.utf8) == Array(text.utf8))
        #expect(object["caf\u{E9}"] == 1)
        #expect(object["cafe\u{301}"] == 2)
        let turned = JSONObject(object.members.reversed().map { ($0.key, $0.value) })
        #expect(turned == object)
        #expect(turned.hashValue == object.hashValue)
        object["\u{6A02}"] = nil
        #expect(object["\u{F914}"] == 3)
        #expect(object["\u{6A02}"] == nil)
        object["\u{6A02}"] = 3
        object["\u{F914}"] = 4
        #expect(turned != object)
    }

    @Test("bitchat214_anImportKeepsBothTags")
    func importedTags() throws {
        for tags in [JSONValue.string("\u{F914},\u{6A02},\u{6A02}"), ["\u{F914}", "\u{6A02}", "\u{6A02}"]] {
            let device = try DeviceImport(["token": "00", "tags": tags])
            #expect(octets(device.tags) == octets([Self.usual, Self.rare]))
            var written: [UInt8] = []
            device.write(to: &written)
            let again = try DeviceImport(try #require(try JSONValue(parsing: written).object))
            #expect(octets(again.tags) == octets(device.tags))
        }
    }

    @Test("A change adds and removes the tag that is written")
    func edits() throws {
        let added = try TagEdit.edit(remove: [], add: [Self.usual]).tags(after: [Self.rare])
        #expect(octets(added) == octets([Self.usual, Self.rare]))
        let removed = try TagEdit.edit(remove: [Self.rare], add: []).tags(after: added)
        #expect(octets(removed) == octets([Self.usual]))
    }

    @Test("Two entries of a batch with such keys are two")
    func batch() throws {
        let entry = #"{"platform":"all","target":"1a","notification":{"alert":"Hi"}}"#
        let body = "{\"pushlist\":{\"caf\u{E9}\":\(entry),\"cafe\u{301}\":\(entry)}}"
        #expect(try PushBatch(parsing: Array(body.utf8), to: .registrationID).entries.count == 2)
    }
}
