import PushModel
import Testing

@Suite("Files as audiences")
struct FileAudienceTests {
    private func body(_ audience: String) -> [UInt8] {
        Array("{\"platform\":\"all\",\"audience\":\(audience),\"notification\":{\"alert\":\"hi\"}}".utf8)
    }

    private func code(_ audience: String, _ file: FileAudience) -> Int? {
        do { _ = try PushRequest(parsing: body(audience), file: file) } catch { return error.code }
        return nil
    }

    @Test("A push names a file where it may, and nobody until the file is read")
    func file() throws {
        let text = "{\"file\":{\"file_id\":\"k-u\"}}"
        for file in [FileAudience.required, .allowed] {
            let request = try PushRequest(parsing: body(text), file: file)
            #expect(request.fileID == "k-u")
            #expect(request.audience != .all)
            guard case .filter(let filter) = request.audience else { return }
            #expect(filter.segments == [""])
        }
        #expect(code(text, .refused) == 1003)
        for other in ["\"all\"", "{\"alias\":[\"bob\"]}"] {
            #expect(code(other, .required) == 1003)
            let request = try PushRequest(parsing: body(other), file: .allowed)
            #expect(request.fileID == nil)
        }
    }

    @Test(
        "Each mistake in a file as an audience has its code",
        arguments: [
            ("{\"file\":{\"file_id\":\"x\"},\"tag\":[\"a\"]}", 1003),
            ("{\"file\":{\"file_id\":\"x\"},\"tag\":[]}", 1003),
            ("{\"file\":\"x\"}", 1003), ("{\"file\":{\"file_id\":1}}", 1003), ("{\"file\":{}}", 1002),
            ("{\"file\":{\"file_id\":\"x\",\"name\":\"y\"}}", 1009),
        ]
    )
    func errors(_ audience: String, _ expected: Int) {
        for file in [FileAudience.required, .allowed] { #expect(code(audience, file) == expected) }
    }

    @Test("Names stand one on a line, whatever ends it")
    func names() throws {
        func list(_ text: String, _ kind: TargetKind) throws -> TargetList {
            try TargetList(parsing: Array(text.utf8)[...], as: kind)
        }
        for text in ["a\nb", "a\r\nb\r\n", "\u{FEFF}a\n\n  b\t\n", "\r\n a \r\nb"] {
            #expect(try list(text, .alias) == .aliases(["a", "b"]))
        }
        #expect(try list("家\n家", .alias) == .aliases(["家", "家"]))
        let id = try #require(RegistrationID("0f"))
        #expect(try list("0f\n", .registrationID) == .registrationIDs([id]))
    }

    @Test(
        "A wrong line is named",
        arguments: [
            ("a\nb c\n", TargetKind.alias, "Line 2"), ("a\n\n" + String(repeating: "x", count: 41), .alias, "Line 3"),
            ("0f\n-", .registrationID, "'-', which is no registration id"), ("", .alias, "no name"),
            (" \r\n\t", .registrationID, "no name"),
        ]
    )
    func wrongLines(_ text: String, _ kind: TargetKind, _ words: String) {
        let error = #expect(throws: JPushError.self) { try TargetList(parsing: Array(text.utf8)[...], as: kind) }
        #expect(error?.code == 1003)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("A line that is not UTF-8 is named")
    func notUTF8() {
        let error = #expect(throws: JPushError.self) { try TargetList(parsing: [0x61, 0x0A, 0xFF], as: .alias) }
        #expect(error?.message == "Line 2 of the file is not UTF-8.")
    }
}
