import Crypto
import Foundation

/// The `.p8` of the key that a gateway makes at its first start, as Apple hands them out.
package enum ProviderKeyFile {
    /// The key in the file at `path`, which `gateway` believes from then on; made if there is no such file.
    ///
    /// - Throws: ``PrivateFile/Problem`` when the file is there and holds no such key; it is never replaced. Also when it cannot be
    ///   written.
    package static func load(_ path: String, id: String, team: String, for gateway: Gateway) throws -> GeneratedKey {
        guard let kept = try PrivateFile.read(path) else {
            let key = gateway.generateKey(id: id, team: team)
            try PrivateFile.write(Data(key.p8.utf8), to: path)
            return key
        }
        let p8 = String(decoding: kept, as: UTF8.self)
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: p8) else {
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
