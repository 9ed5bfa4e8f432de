import Foundation
import TestSupport
import Testing

@Suite("The ledger of the frameworks")
struct LedgerTests {
    /// The tests that `Documentation/Compatibility/Frameworks.md` names as proof.
    private static func named() throws -> [String] {
        let text = try ProjectFolder.text(of: "Documentation/Compatibility/Frameworks.md")
        let cells = text.split(separator: "\n").compactMap { line -> Substring? in
            let cells = line.split(separator: "|")
            return cells.count >= 3 && cells[1] == " full " ? cells[2] : nil
        }
        let words = cells.flatMap { $0.split(separator: "`") }.map(String.init)
        return Set(words.filter { $0.wholeMatch(of: #/\w+(?:Tests|Rules)(?:\.\w+)?/#) != nil }).sorted()
    }

    /// The tests of the frameworks.
    private static let sources = Result {
        let targets = [
            "PushDeviceTests", "JPushTests", "SourceCompatibility", "CoreLocationTests", "SystemPortSocketTests",
        ]
        return try targets.flatMap { target in
            try ProjectFolder.names(in: "Tests/\(target)").map { try ProjectFolder.text(of: "Tests/\(target)/\($0)") }
        }
    }

    @Test("Each test that it names exists", arguments: try named())
    func exists(_ name: String) throws {
        let parts = name.split(separator: ".")
        let suite = try #require(parts.first)
        let source = try #require(Self.sources.get().first { $0.contains("struct \(suite) ") })
        if parts.count == 2 { #expect(source.contains("func \(parts[1])(")) }
    }

    @Test("It names many")
    func many() throws {
        #expect(try Self.named().count > 30)
    }
}
