import Crypto

extension ProviderTokenClaims {
    /// Whether the token was signed with the private half of a key.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        let ecdsa =
            signature.count == 64
            ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            : try? P256.Signing.ECDSASignature(derRepresentation: signature)
        return ecdsa.map { key.isValidSignature($0, for: signed) } ?? false
    }
}
