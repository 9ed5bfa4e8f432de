import AppleDeveloper
import Crypto
import Foundation
package import PushModel

/// The `.p8` file of a key that the gateway generates for itself, in Apple's format.
package enum ProviderKeyFile {
    /// Loads the key from the file at `path`, and makes `gateway` accept it; generates one if there is no such file.
    ///
    /// `environments`, `scope` and `relatedTo` are those of the key.
    /// - Throws: ``PrivateFile/Problem`` if the file exists but contains no such key; it is never replaced. Also if it cannot be
    ///   written.
    package static func load(
        _ path: String,
        id: String,
        team: String,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        scope: GatewayKey.Scope = .team,
        relatedTo: String? = nil,
        for gateway: Gateway
    ) throws -> GeneratedKey {
        let kept = try PrivateFile.read(path)
        let p8 = kept.map { String(decoding: $0, as: UTF8.self) } ?? GeneratedKey.newP8()
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: try SigningKeyText(p8).scalar) else {
            throw PrivateFile.Problem(
                description: "'\(path)' holds no P-256 key (\(kept?.count ?? 0) bytes); expected a .p8 file, which "
                    + "begins with '-----BEGIN PRIVATE KEY-----'. Restore it from a backup. To have a new key made, delete it: providers that "
                    + "use the old one are then answered with 403 InvalidProviderToken."
            )
        }
        if kept == nil { try PrivateFile.write(Data(p8.utf8), to: path) }
        gateway.addKey(
            GatewayKey(
                id: id,
                teamID: team,
                publicKey: key.publicKey,
                environments: environments,
                scope: scope,
                relatedTo: relatedTo
            )
        )
        return GeneratedKey(id: id, teamID: team, p8: p8)
    }
}
