import Foundation
import Testing

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
            for match in text.matches(of: #/[\w\/-]+\.md\b/#) {
                named += 1
                let document = String(match.0)
                let places = Self.documents[URL(filePath: document).lastPathComponent] ?? []
                #expect(places.contains { $0.hasSuffix(document) }, "\(folder)/\(file) names \(document).")
            }
        }
        #expect(folder != "Tests" || named > 0, "Names are found.")
    }
}
