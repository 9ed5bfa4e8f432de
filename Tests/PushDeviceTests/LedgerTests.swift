import Foundation
import Testing

@Suite("The ledger of the frameworks")
struct LedgerTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The tests that `Documentation/Compatibility/Frameworks.md` names as proof.
    private static func named() throws -> [String] {
        let file = root.appendingPathComponent("Documentation/Compatibility/Frameworks.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let cells = text.split(separator: "\n").compactMap { line -> Substring? in
            let cells = line.split(separator: "|")
            return cells.count >= 3 && cells[1] == " full " ? cells[2] : nil
        }
        return Set(cells.flatMap { $0.split(separator: "`") }.map(String.init).filter { $0.contains("Tests") }).sorted()
    }

    /// The tests of the frameworks.
    private static let sources: [String] = {
        let folders = [
            "PushDeviceTests", "PushDeviceTests/Activities", "PushDeviceTests/Places", "PushDeviceTests/Views",
            "PushDeviceTests/Calls", "JPushTests", "SourceCompatibility", "SourceCompatibility/Calls",
            "CoreLocationTests", "SystemPortSocketTests",
        ]
        return folders.flatMap { folder in
            let files = try? FileManager.default.contentsOfDirectory(
                at: root.appendingPathComponent("Tests").appendingPathComponent(folder),
                includingPropertiesForKeys: nil
            )
            return (files ?? []).compactMap { try? String(contentsOf: $0, encoding: .utf8) }
        }
    }()

    @Test("Each test that it names exists", arguments: try named())
    func exists(_ name: String) throws {
        let parts = name.split(separator: ".")
        let suite = try #require(parts.first)
        let source = try #require(Self.sources.first { $0.contains("struct \(suite) ") })
        if parts.count == 2 { #expect(source.contains("func \(parts[1])(")) }
    }

    @Test("It names many")
    func many() throws {
        #expect(try Self.named().count > 30)
    }
}
