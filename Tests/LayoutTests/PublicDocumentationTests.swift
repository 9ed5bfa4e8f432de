import Foundation
import Testing

/// The share of public declarations with a doc comment, in each module that others import and whose names are our own.
///
/// The frameworks are left out: their names are Apple's and JPush's, who document them.
@Suite("Public documentation")
struct PublicDocumentationTests {
    struct Declaration {
        var line: Int
        var text: Substring
        var isDocumented: Bool
    }

    /// The public declarations in a source text, without overrides and witnesses of standard protocols.
    static func declarations(in text: String) -> [Declaration] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let declaration =
            #/^ *(?:@\w+(?:\([^)]*\))? +)*(?:public|open) (?:\w+(?:\(\w+\))? )*?(?:func|var|let|init|struct|class|enum|protocol|typealias|subscript|actor|associatedtype)\b/#
        // Their documentation is that of the protocol.
        let witness =
            #/(?:var|let) (?:description|rawValue|now|minimumResolution|date)\b|init\((?:rawValue|from|\w+Literal)|func (?:hash\(into|encode\(to|sleep\(until|advanced\(by|duration\(to|<|==)|typealias (?:Instant|Duration)\b/#
        return lines.indices.compactMap { index in
            let line = lines[index]
            guard line.prefixMatch(of: declaration) != nil, !line.contains(" override "), !line.contains(" import "),
                !line.contains(witness)
            else { return nil }
            let before = lines[..<index].reversed().first { line in
                let text = line.drop { $0 == " " }
                return !text.hasPrefix("@") && !text.hasPrefix("#if")
            }
            let isDocumented = before?.drop { $0 == " " }.hasPrefix("///") ?? false
            return Declaration(line: index + 1, text: line.drop { $0 == " " }, isDocumented: isDocumented)
        }
    }

    @Test(
        "At least 90 % of the public declarations of a module are documented",
        arguments: [
            "APNs/APNSProvider", "App/AppInstallation", "App/PosthornPhone", "App/PosthornMatrix", "Device/PushDevice",
            "Device/SystemPort",
            "Link/DeviceLink", "Model/PushClock", "Model/PushModel",
        ]
    )
    func documented(_ module: String) throws {
        let folder = SourceTree.root.appending(path: "Sources/\(module)").path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var count = 0
        var missing: [String] = []
        for name in names.filter({ $0.hasSuffix(".swift") }).sorted() {
            let text = try #require(SourceTree.text(of: "Sources/\(module)/\(name)"))
            for found in Self.declarations(in: text) {
                count += 1
                if !found.isDocumented { missing.append("\(name):\(found.line): \(found.text)") }
            }
        }
        #expect(count > 10, "Public declarations are found.")
        #expect(missing.count * 10 <= count, "\(missing.count) of \(count): \(missing.joined(separator: "\n"))")
    }

    @Test("Declarations are found with their doc comments, beyond attributes")
    func finds() {
        let text = """
            public struct One {
                /// Documented.
                @discardableResult
                public func two() -> Int { 2 }
                public var description: String { "" }
                public private(set) var three = 3
                var hidden = 4
            }
            """
        let found = Self.declarations(in: text)
        #expect(found.map(\.line) == [1, 4, 6])
        #expect(found.map(\.isDocumented) == [false, true, false])
    }
}

/// A comment that sends its reader to a page that is not here helps nobody.
@Suite("Documents that sources name")
struct DocumentNameTests {
    /// Paths within the package, by the name at their end.
    private static let documents: [String: [String]] = {
        let found = FileManager.default.enumerator(atPath: SourceTree.root.path)?.compactMap { $0 as? String } ?? []
        let own = found.filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") }
        return Dictionary(grouping: own) { URL(filePath: $0).lastPathComponent }
    }()

    @Test("Every document that a source names is in the project", arguments: ["Sources", "Tests", "Examples"])
    func exist(_ folder: String) throws {
        let path = SourceTree.root.appending(path: folder).path
        let files = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
        var named = 0
        for file in files where file.hasSuffix(".swift") && !file.contains(".build/") {
            let text = try #require(SourceTree.text(of: "\(folder)/\(file)"))
            // Few lines have a name, and the pattern is slow where there is none.
            for line in text.split(separator: "\n") where line.contains(".md") {
                for match in line.matches(of: #/[\w\/-]+\.md\b/#) {
                    named += 1
                    let document = String(match.0)
                    let places = Self.documents[URL(filePath: document).lastPathComponent] ?? []
                    #expect(places.contains { $0.hasSuffix(document) }, "\(folder)/\(file) names \(document).")
                }
            }
        }
        #expect(folder != "Tests" || named > 0, "Names are found.")
    }
}
