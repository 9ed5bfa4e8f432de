import Foundation
import TestSupport
import Testing

@Suite("The index of rules")
struct RuleIndexTests {
    /// The tests that `Documentation/Compatibility/NotificationRules.md` names, as `Suite.function`.
    private static func named() throws -> [String] {
        let text = try ProjectFolder.text(of: "Documentation/Compatibility/NotificationRules.md")
        let cells = text.split(separator: "\n").compactMap { $0.split(separator: "|").dropFirst().first }
        return cells.compactMap { cell -> String? in
            let parts = cell.split(separator: "`")
            return parts.count == 3 ? String(parts[1]) : nil
        }
    }

    /// The tests of all sources, as `Suite.function`; those without a name of their own included.
    private static func written() throws -> Set<String> {
        var found: Set<String> = []
        for name in try ProjectFolder.names(in: "Tests") {
            var suite = ""
            var isTest = false
            for line in try ProjectFolder.text(of: "Tests/\(name)").split(separator: "\n") {
                let words = line.split(separator: " ")
                if line.hasPrefix("struct "), words.count > 1 { suite = String(words[1]) }
                if words.first?.hasPrefix("@Test") == true { isTest = true }
                guard isTest, let place = words.firstIndex(of: "func"), place + 1 < words.count else { continue }
                found.insert("\(suite).\(words[place + 1].prefix { $0 != "(" })")
                isTest = false
            }
        }
        return found
    }

    @Test("Each test that it names exists")
    func exists() throws {
        let named = try Self.named()
        #expect(named.count > 200)
        #expect(Set(named).subtracting(try Self.written()) == [])
    }

    @Test("It leaves out no test of a suite of rules")
    func complete() throws {
        let rules = try Self.written().filter { $0.split(separator: ".")[0].hasSuffix("Rules") }
        #expect(rules.count > 100)
        #expect(rules.subtracting(try Self.named()) == [])
    }
}
