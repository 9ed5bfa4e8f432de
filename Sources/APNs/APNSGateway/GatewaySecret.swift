import Foundation

/// The secret from which device tokens are derived.
package enum GatewaySecret {
    /// 32 bytes from the file `token.secret` in `folder`, made at the first start; random for nil.
    ///
    /// - Throws: when the folder cannot be written.
    package static func load(folder: String?) throws -> [UInt8] {
        let path = folder.map { $0 + "/token.secret" }
        if let path, let kept = FileManager.default.contents(atPath: path), kept.count == 32 { return Array(kept) }
        var source = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }
        if let path { try PrivateFile.write(Data(secret), to: path) }
        return secret
    }
}
