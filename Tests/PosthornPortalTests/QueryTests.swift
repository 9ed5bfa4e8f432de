import HTTPTypes
import Hummingbird
import Testing

@testable import PosthornPortal

@Suite("Queries of the portal's addresses")
struct QueryTests {
    private func request(_ path: String) -> Request {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        return Request(head: head, body: RequestBody(buffer: .init()))
    }

    @Test("A query has only pairs with a value, and no letter that means something in it")
    func written() {
        #expect(Query(["a": nil, "b": ""]).text.isEmpty)
        #expect(Query(["tag": "a&b=c #+%", "limit": "5"]).text == "?tag=a%26b%3Dc%20%23%2B%25&limit=5")
        #expect(Query(["tag": "新"]).text == "?tag=%E6%96%B0")
    }

    @Test(
        "A query is read as it is written, and so is one from a form",
        arguments: [
            ("?text=nobody+%26+%3Cb%3E", "nobody & <b>"), ("?text=1%2B1", "1+1"), ("?by=tag&text=+x+", "x"),
            ("?text=", nil), ("?texts=a", nil), ("", nil), ("?text", nil), ("?text=%FF", nil),
        ] as [(String, String?)]
    )
    func read(_ query: String, _ text: String?) { #expect(request("/portal/devices\(query)").wish("text") == text) }

    @Test("Any text comes back", arguments: ["a b", "ä/ö?ü", "100 % & more", "'\"<>"])
    func back(_ text: String) { #expect(request("/portal\(Query(["text": text]).text)").wish("text") == text) }
}
