import AppleDeveloper
package import Crypto
import Foundation
package import PushModel

/// A signing key as the gateway knows it.
package struct GatewayKey: Sendable {
    package enum Scope: Hashable, Sendable {
        /// Every topic of the team.
        case team
        /// These topics only.
        case topics(Set<String>)
    }

    package var id: String
    package var teamID: String
    package var publicKey: P256.Signing.PublicKey
    package var environments = Set(APNSEnvironment.allCases)
    package var scope = Scope.team
    package var isRevoked = false
}

/// A key that the gateway has generated: the one-time download of Apple's site.
package struct GeneratedKey: Sendable {
    package var id: String
    package var teamID: String
    /// The text of a `.p8` file.
    package var p8: String
}

/// The `.p8` file of the key that a gateway generates at its first start, in Apple's format.
package enum ProviderKeyFile {
    /// Loads the key from the file at `path`, and makes `gateway` accept it; generates one if there is no such file.
    ///
    /// - Throws: ``PrivateFile/Problem`` if the file exists but contains no such key; it is never replaced. Also if it cannot be
    ///   written.
    package static func load(_ path: String, id: String, team: String, for gateway: Gateway) throws -> GeneratedKey {
        guard let kept = try PrivateFile.read(path) else {
            let key = gateway.generateKey(id: id, team: team)
            try PrivateFile.write(Data(key.p8.utf8), to: path)
            return key
        }
        let p8 = String(decoding: kept, as: UTF8.self)
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: try SigningKeyText(p8).scalar) else {
            throw PrivateFile.Problem(
                description: "'\(path)' holds no P-256 key (\(kept.count) bytes); expected a .p8 file, which begins "
                    + "with '-----BEGIN PRIVATE KEY-----'. Restore it from a backup. To have a new key made, delete it: providers that "
                    + "use the old one are then answered with 403 InvalidProviderToken."
            )
        }
        gateway.addKey(GatewayKey(id: id, teamID: team, publicKey: key.publicKey))
        return GeneratedKey(id: id, teamID: team, p8: p8)
    }
}

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
        var source = SystemRandomNumberGenerator()
        let secret = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &source) }
        if let path { try PrivateFile.write(Data(secret), to: path) }
        return secret
    }
}
