import PushModel
import PushService
import Testing

@testable import PosthornPortal

@Suite("The gateway's console")
struct ConsoleTests {
    @Test("Each of Apple's reasons is explained in each language, in English with the sentences of the service")
    func reasons() throws {
        for language in Language.allCases {
            let texts = try #require(try Catalogue(language, from: .embedded).sections["reasons"]?.object)
            #expect(texts.members.count == (APNSReason.documented + APNSReason.ofChannels).count * 2)
            for reason in APNSReason.documented + APNSReason.ofChannels {
                let meaning = try #require(texts["\(reason.rawValue)_meaning"]?.string, "\(reason)")
                let remedy = try #require(texts["\(reason.rawValue)_remedy"]?.string, "\(reason)")
                #expect((meaning == reason.advice.meaning) == (language == .english))
                #expect((remedy == reason.advice.remedy) == (language == .english))
            }
        }
    }

    @Test(
        "JSON is written with a line for each member, and its strings stay JSON",
        arguments: [
            (["a": 1, "b": [true, .null]], "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ]\n}"),
            ([:], "{}"), ([], "[]"), (["a": [], "b": [:]], "{\n  \"a\": [],\n  \"b\": {}\n}"),
            (["q\"": "line\n</pre>"], "{\n  \"q\\\"\": \"line\\n</pre>\"\n}"), ("text", "\"text\""),
        ] as [(JSONValue, String)]
    )
    func indented(_ value: JSONValue, _ text: String) throws {
        #expect(value.indented == text)
        #expect(try JSONValue(parsing: Array(value.indented.utf8)) == value)
    }

    @Test("A query is read as forms send it, without empty fields, and written so that it is read again")
    func query() {
        let query = ConsoleQuery("text=a+b%26%3D+&token=++00ff+&topic=&status&language=en&push=3")
        #expect(query["text"] == "a b&= ")
        // Copied text has spaces around it; a search for text may mean them.
        #expect(query["token"] == "00ff")
        #expect(query["topic"] == nil)
        #expect(query["status"] == nil)
        let link = query.link(["push": nil, "view": "faults"])
        #expect(link == "/console?text=a%20b%26%3D%20&token=00ff&view=faults")
        #expect(ConsoleQuery(String(link.dropFirst("/console?".count)))["text"] == "a b&= ")
        #expect(ConsoleQuery("push=3").link(["push": nil]) == "/console")
    }
}
