package import Foundation

/// A folder for one suite, which is removed together with this object.
package final class TemporaryFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appending(path: "posthorn-test-\(UUID().uuidString)")

    package init() {
        // A failure shows in the first file that a test writes.
        try? FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file, in a folder of its own if `name` is a path with one, and returns its place.
    package func file(_ name: String, _ data: Data) throws -> URL {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }
}

/// Gives a folder to `body` and removes it afterwards.
package func withTemporaryFolder<Value>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (URL) async throws -> Value
) async throws -> Value {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.url)
}

/// Gives a folder to `body` and removes it afterwards.
package func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.url) }
}

/// Gives the path of a folder to `body` and removes the folder afterwards.
package func withTemporaryPath<Value>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (String) async throws -> Value
) async throws -> Value {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.url.path(percentEncoded: false))
}
