import PosthornStack
import PushLab
import PushModel
import Testing

@Suite("Text from elsewhere stays in a line of its own")
struct PrintedTests {
    private static let cases = [
        ("Grüße, 你好 👨‍👩‍👧", "Grüße, 你好 👨‍👩‍👧"), ("a\nb\r\nc", "a\\nb\\r\\nc"), ("\u{1B}[2J\u{7}", "\\u{1B}[2J\\u{07}"),
        ("\u{9B}2J\u{85}", "\\u{009B}2J\\u{0085}"), ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"), ("", ""),
    ]

    @Test("Nothing of it ends the line or orders the terminal about", arguments: cases)
    func printed(_ text: String, _ printed: String) { #expect(text.printed == printed) }

    @Test("Nor in the sample app's log, which keeps it as it came", arguments: cases)
    @MainActor
    func logged(_ text: String, _ printed: String) {
        let line = CallbackLog.Line(name: "download", state: "active", detail: "<\(text)>")
        #expect(line.description == "download [active] <\(printed)>")
        #expect(line.detail == "<\(text)>")
    }
}
