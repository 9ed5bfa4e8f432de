import CPortalFiles
import Crypto
import Foundation
import PushModel

/// The templates, scripts, styles and texts of the portal.
struct PortalFiles: Sendable {
    /// The contents by path, such as `Pages/layout.mustache`.
    let contents: [String: [UInt8]]
    /// A hash of all contents, part of the addresses of scripts and styles, which browsers may therefore keep.
    let version: String

    init(contents: [String: [UInt8]]) {
        self.contents = contents
        var hash = SHA256()
        for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array(path.utf8))
            hash.update(data: bytes)
        }
        version = Array(hash.finalize().prefix(8)).hexadecimal
    }

    /// The files in the binary.
    static let embedded = PortalFiles(
        contents: Dictionary(
            uniqueKeysWithValues: (0..<portal_file_count()).map { index in
                let file = unsafe portal_file(index)
                // The bytes are constants of the binary.
                let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
                return (unsafe String(cString: file.path), bytes)
            }
        )
    )

    /// Returns the files below a folder by their path in it, such as `layout.mustache` for `Pages`.
    func files(in folder: String) -> [String: [UInt8]] {
        let prefix = folder + "/"
        return Dictionary(
            uniqueKeysWithValues: contents.filter { $0.key.hasPrefix(prefix) }.map {
                (String($0.key.dropFirst(prefix.count)), $0.value)
            }
        )
    }
}
