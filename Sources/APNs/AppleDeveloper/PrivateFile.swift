package import Foundation
import PushModel

/// A file that only its owner may read.
package enum PrivateFile {
    package struct Problem: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    /// Returns the content of `path`; nil if there is no such file.
    ///
    /// - Throws: ``Problem`` if the file exists but cannot be read. Replacing it would lose everything that depends on it.
    package static func read(_ path: String) throws(Problem) -> Data? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do { return try Data(contentsOf: URL(filePath: path)) } catch {
            throw Problem(
                description: "'\(path)' cannot be read: \(FileWords.reason(of: error) ?? error.localizedDescription)"
            )
        }
    }

    /// Creates a folder that only its owner may use, and missing folders above it. One that is there stays as it is.
    package static func makeFolder(_ path: String) throws {
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: mode)
    }

    /// Writes `data` to `path` as an ``OutputFile``, with mode 0600 from the start; creates missing folders.
    ///
    /// - Throws: if a folder or the file cannot be written.
    package static func write(_ data: Data, to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try OutputFile.write(data, to: path, isPrivate: true)
    }
}

extension PrivateFile.Problem {
    /// Creates a problem from the last system error; `what` is what could not be done, such as `written`.
    package init(_ path: String, _ what: String) {
        let reason =
            POSIXErrorCode(rawValue: errno).flatMap { FileWords.reason(of: POSIXError($0)) } ?? "error \(errno)"
        self.init(description: "'\(path)' cannot be \(what): \(reason)")
    }
}
