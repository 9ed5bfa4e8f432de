import Testing

@testable import PushModel

@Suite("Callbacks of pushes")
struct PushCallbackTests {
    private func request(_ callback: String) throws -> PushRequest {
        let text = #"{"platform":"all","audience":"all","notification":{"alert":"x"},"callback":\#(callback)}"#
        return try PushRequest(parsing: Array(text.utf8))
    }

    @Test("An address, the caller's own data, and a sum of events, by default all")
    func members() throws {
        let callback = try #require(
            try request(#"{"url":"https://example.com:8443/a?b=c","params":{"n":null},"type":5}"#).callback
        )
        #expect(callback.url == "https://example.com:8443/a?b=c" && callback.params == ["n": .null])
        #expect(callback.kinds == [.delivered, .notDelivered])
        let bare = try #require(try request(#"{"url":"http://10.0.0.7","params":[]}"#).callback)
        #expect(bare.kinds == .all && bare.params == [:])
    }

    @Test(
        "Each mistake has its code, and the message names it",
        arguments: [
            (#""https://example.com""#, 1003, "callback"), ("{}", 1002, "callback.url"),
            (#"{"params":{}}"#, 1002, "callback.url"), (#"{"url":7}"#, 1003, "callback.url"),
            (#"{"url":"ftp://example.com"}"#, 1003, "http"), (#"{"url":"https://"}"#, 1003, "host"),
            (#"{"url":"https://:80/"}"#, 1003, "host"), (#"{"url":"https://a@example.com"}"#, 1003, "user"),
            (#"{"url":"https://example.com#f"}"#, 1003, "fragment"), (#"{"url":"https://example.com:0"}"#, 1003, "URL"),
            (#"{"url":"https://example.com\r\nX: y"}"#, 1003, "URL"), (#"{"url":"https://例.com"}"#, 1003, "URL"),
            (#"{"url":"https://[::1]x"}"#, 1003, "URL"),
            (#"{"url":"http://a%3a80%20HTTP%2f1.1%0d%0aX/"}"#, 1003, "has the host 'a%3a80%20http%2f1.1%0d%0ax'"),
            (#"{"url":"http://127.0.0.1%00/"}"#, 1003, "host"), (#"{"url":"http://1.2.3.4.5/"}"#, 1003, "host"),
            (#"{"url":"http://[fe80::1%25eth0]/"}"#, 1003, "host"), (#"{"url":"http://a,b/"}"#, 1003, "host"),
            (#"{"url":"https://example.com/回调"}"#, 1003, "has the character '回'"),
            (#"{"url":"https://example.com/回调"}"#, 1003, "%E5%9B%9E"), (#"{"url":"https://例.com"}"#, 1003, "xn--"),
            (#"{"url":"https://example.com/a b"}"#, 1003, "U+0020"),
            (#"{"url":"https://example.com","type":0}"#, 1003, "callback.type"),
            (#"{"url":"https://example.com","type":16}"#, 1003, "callback.type"),
            (#"{"url":"https://example.com","type":"x"}"#, 1003, "callback.type"),
            (#"{"url":"https://example.com","params":"p"}"#, 1003, "callback.params"),
            (#"{"url":"https://example.com","secret":"p"}"#, 1009, "callback.secret"),
            (#"{"url":"https://example.com","params":{"k":"\#(String(repeating: "x", count: 2048))"}}"#, 1005, "2048"),
        ] as [(String, Int, String)]
    )
    func mistakes(_ text: String, _ code: Int, _ word: String) throws {
        let error = try #require(throws: JPushError.self) { try request(text) }
        #expect(error.code == code, "\(error.message)")
        #expect(error.message.contains(word), "\(error.message)")
    }
}
