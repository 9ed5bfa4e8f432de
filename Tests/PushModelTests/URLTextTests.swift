import PushModel
import Testing

@Suite("URLs in messages")
struct URLTextTests {
    @Test(
        "A URL loses its user and password, also where it is none",
        arguments: [
            ("https://user:secret@push.example.com/a?b=c@d", "https://push.example.com/a?b=c@d"),
            ("http://:secret@127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://secret@host", "http://host"),
            ("http://user:sec ret@host name", "http://host name"), ("http://user:se/cret@host", "http://host"),
            ("http://a@b:secret@host", "http://host"), ("http://host:8080", "http://host:8080"),
            ("http://host/path", "http://host/path"),
            ("http://host/a@b", "http://host/a@b"), ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
            ("not a URL", "not a URL"), ("", ""),
        ]
    )
    func user(_ text: String, _ shown: String) { #expect(text.withoutURLUser == shown) }
}
