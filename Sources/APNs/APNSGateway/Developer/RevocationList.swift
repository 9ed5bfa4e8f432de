package import Foundation
import PushModel

/// The certificates of a gateway's authority that are not to be believed any more: one file each in its data folder.
///
/// It is read anew at each question, so a running gateway need not be started again.
package struct RevocationList: Sendable {
    private let folder: URL

    /// * `folder`: the gateway's data folder.
    package init(folder: String) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "developer/revoked")
    }

    /// Whether the certificate with this serial number is revoked. It is asked about by the number's octets, as a
    /// certificate has them; zeros in front make no difference.
    package func isRevoked(_ serial: some Sequence<UInt8>) -> Bool {
        FileManager.default.fileExists(atPath: file(of: serial).path(percentEncoded: false))
    }

    /// When the certificate with this serial number was revoked; nil if it was not.
    package func date(of serial: some Sequence<UInt8>) -> Date? {
        guard let text = try? String(contentsOf: file(of: serial), encoding: .utf8) else { return nil }
        return try? Date(text.trimmingCharacters(in: .whitespacesAndNewlines), strategy: .iso8601)
    }

    /// Revokes it for good; who is revoked already keeps the first date.
    ///
    /// - Throws: when the folder cannot be written.
    package func revoke(_ serial: some Sequence<UInt8>, at now: Date) throws {
        guard !isRevoked(serial) else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data((now.formatted(.iso8601) + "\n").utf8).write(to: file(of: serial), options: .atomic)
    }

    private func file(of serial: some Sequence<UInt8>) -> URL {
        let digits = Array(serial).drop { $0 == 0 }.hexadecimal
        return folder.appending(path: digits.isEmpty ? "00" : digits)
    }
}
