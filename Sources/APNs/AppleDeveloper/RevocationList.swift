package import Foundation
import PushModel

/// The revoked certificates of a gateway's authority: one file each in its data folder.
///
/// Each query reads the folder, so a running gateway needs no restart.
package struct RevocationList: Sendable {
    private let folder: URL

    /// `folder` is the gateway's data folder.
    package init(folder: String) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "developer/revoked")
    }

    /// Whether the certificate with this serial number is revoked. The serial number is given as octets, as in the certificate;
    /// leading zeros are ignored.
    package func isRevoked(_ serial: some Sequence<UInt8>) -> Bool {
        FileManager.default.fileExists(atPath: file(of: serial).path(percentEncoded: false))
    }

    /// Returns the date of revocation of the certificate with this serial number; nil if it is not revoked.
    package func date(of serial: some Sequence<UInt8>) -> Date? {
        guard let text = try? String(contentsOf: file(of: serial), encoding: .utf8) else { return nil }
        return try? Date(text.trimmingCharacters(in: .whitespacesAndNewlines), strategy: .iso8601)
    }

    /// Revokes a certificate permanently. A certificate that is already revoked keeps its first date.
    ///
    /// - Throws: if the folder cannot be written.
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
