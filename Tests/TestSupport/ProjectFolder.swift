package import Foundation

/// The folder of this package, for tests that compare the code with its sources and pages.
package enum ProjectFolder {
    package static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }

    /// The names of all files below a folder, as paths from there, in alphabetical order.
    package static func names(in folder: String, ending endings: [String] = ["swift"]) throws -> [String] {
        let place = url.appending(path: folder)
        guard let names = FileManager.default.enumerator(atPath: place.path) else { throw CocoaError(.fileNoSuchFile) }
        return names.compactMap { $0 as? String }.filter { endings.contains(URL(filePath: $0).pathExtension) }.sorted()
    }
}
