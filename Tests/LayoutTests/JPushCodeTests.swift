import Foundation
import Testing

/// The pages name each code with which the service refuses a call, so that a new code is not forgotten there.
@Suite("Codes of refusals")
struct JPushCodeTests {
    /// The numbers in the matches of a pattern.
    private static func codes(in text: String, after pattern: some RegexComponent) -> Set<Int> {
        var found: Set<Int> = []
        for match in text.matches(of: pattern) {
            let rest = text[match.range.upperBound...].prefix { $0 != "," && $0 != ")" && !$0.isNewline }
            found.formUnion(rest.matches(of: #/\b\d+\b/#).compactMap { Int($0.output) })
        }
        return found
    }

    /// The first cell and the others of each row of a page's tables.
    private static func rows(of page: String) throws -> [(first: Substring, rest: Substring)] {
        try #require(SourceTree.text(of: page)).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), let end = line.dropFirst(2).firstRange(of: " | ") else { return nil }
            return (line.dropFirst(2)[..<end.lowerBound], line[end.upperBound...])
        }
    }

    @Test(
        "Each code of the REST APIs is in the row of its family, in both languages",
        arguments: ["Documentation/Compatibility/PushAPI.md", "Documentation/Compatibility/zh-Hans/PushAPI.md"]
    )
    func rest(_ page: String) throws {
        var used: Set<Int> = []
        for name in ["JPushError", "JPushError+Families"] {
            let text = try #require(SourceTree.text(of: "Sources/Model/PushModel/JPush/\(name).swift"))
            used.formUnion(Self.codes(in: text, after: #/\bSelf\(\s*(?:status: )?\d+,\s*code: /#))
        }
        let families = try Self.rows(of: page).filter { $0.first.contains("codes of") || $0.first.hasSuffix(" code") }
        #expect(families.count == 5)
        var named: Set<Int> = []
        for row in families {
            named.formUnion(row.rest.matches(of: #/\d+/#).compactMap { Int($0.output) })
            for range in row.rest.matches(of: #/(\d+) (?:to|到) (\d+)/#) {
                let first = try #require(Int(range.output.1))
                let last = try #require(Int(range.output.2))
                named.formUnion(first...last)
            }
        }
        #expect(used.count > 30)
        #expect(used.subtracting(named).isEmpty)
    }

    @Test("Each code of the SDK link is in a table of the page about it")
    func link() throws {
        var used: Set<Int> = []
        for folder in ["Link", "Registrations"] {
            let path = "Sources/Service/PushService/Road/\(folder)"
            let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: path).path)
            for name in names where name.hasSuffix(".swift") {
                let text = try #require(SourceTree.text(of: "\(path)/\(name)"))
                used.formUnion(Self.codes(in: text, after: #/\b(?:SDKReply\(\s*|refuse\(session, )code: /#))
            }
        }
        let named = try Self.rows(of: "Documentation/LinkProtocol.md")
            .flatMap { $0.first.matches(of: #/\b\d{4}\b/#).compactMap { Int($0.output) } }
        #expect(used.count > 10)
        // 0 is success.
        #expect(used.subtracting(named + [0]).isEmpty)
    }
}
