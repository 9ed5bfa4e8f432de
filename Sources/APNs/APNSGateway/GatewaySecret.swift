import AppleDeveloper
import Foundation

/// The secret from which device tokens are derived.
package enum GatewaySecret {
    private static let size = 32

    /// Loads 32 bytes from the file `token.secret` in `folder`, which is created at the first start; random if nil.
    ///
    /// - Throws: ``PrivateFile/Problem`` if the file exists but is not such a secret; it is never replaced. Also if the folder
    ///   cannot be written.
    package static func load(folder: String?) throws -> [UInt8] {
        let path = folder.map { $0 + "/token.secret" }
        if let path, let kept = try PrivateFile.read(path) {
            guard kept.count == size else {
                throw PrivateFile.Problem(
                    description: "'\(path)' has \(kept.count) bytes; expected \(size). Restore it from a backup. To "
                        + "start with a new secret, delete it: apps then get other device tokens when they register."
                )
            }
            return Array(kept)
        }
        let secret = (0..<size).map { _ in UInt8.random(in: .min ... .max) }
        if let path { try PrivateFile.write(Data(secret), to: path) }
        return secret
    }
}
