import Foundation
import Testing

/// The fuzzing package links to parsers in `Sources`, and is compiled before a release alone.
@Suite("Links of the fuzzing package")
struct FuzzingLinkTests {
    @Test("Each link leads to a file or folder of Sources")
    func links() throws {
        let folder = SourceTree.root.appending(path: "Fuzzing/Sources").path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let sources = SourceTree.root.appending(path: "Sources").resolvingSymlinksInPath().path
        var count = 0
        for name in names {
            let path = "\(folder)/\(name)"
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil else { continue }
            count += 1
            #expect(
                FileManager.default.fileExists(atPath: path),
                "\(name) leads nowhere; link to where the file is now."
            )
            #expect(
                URL(filePath: path).resolvingSymlinksInPath().path.hasPrefix(sources),
                "\(name) leads out of Sources."
            )
        }
        #expect(count > 10, "Links are found.")
    }
}
