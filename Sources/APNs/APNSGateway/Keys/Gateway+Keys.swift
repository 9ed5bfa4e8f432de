import AppleDeveloper
import Crypto

/// Keys, as Apple's developer site makes and revokes them.
extension Gateway {
    /// Accepts a key, replacing the one with the same id.
    package func addKey(_ key: GatewayKey) { credentials.add(key) }

    /// Makes a key as Apple's developer site does, within its limits.
    ///
    /// - Returns: the key, and the text of its `.p8` file unless the order came with a public key. The gateway does not keep it.
    /// - Throws: ``KeyRefusal`` for a key that the site would not make; also if it cannot be written to disk.
    package func makeKey(_ order: KeyOrder) throws -> (key: GatewayKey, p8: String?) {
        let generated = order.publicKey == nil ? P256.Signing.PrivateKey() : nil
        guard let publicKey = order.publicKey ?? generated?.publicKey else {
            preconditionFailure("A key is either given or generated.")
        }
        let key = order.key(id: order.id ?? KeyOrder.randomID(), publicKey: publicKey)
        try credentials.make(key)
        return (key, generated.map { $0.pemRepresentation + "\n" })
    }

    /// Keeps the keys that are made from now on in a folder, and accepts those that it has.
    ///
    /// - Throws: ``PrivateFile/Problem`` if a file of the folder is not such a key; also if the folder cannot be created.
    package func keepKeys(in folder: String) throws { try credentials.keepKeys(in: MadeKeyFolder(folder)) }

    /// The accepted and the revoked keys.
    package var keys: [GatewayKey] { credentials.keys }

    /// Revokes a key: from now on it is answered with 403 `Forbidden`.
    ///
    /// - Throws: if that cannot be written to disk; the key is revoked all the same.
    package func revoke(_ keyID: String) throws { try credentials.revoke(keyID) }
}
