import Crypto

extension Credential {
    /// The problem with the private key, for the user who chose the file; nil if it is usable.
    package var problem: String? {
        if privateKey.contains("BEGIN CERTIFICATE") {
            return "this is a certificate; expected a private key (.p8) as downloaded from Apple"
        }
        if privateKey.contains("ENCRYPTED") {
            return "the key is encrypted; expected it as downloaded from Apple"
        }
        guard privateKey.contains("BEGIN PRIVATE KEY") || privateKey.contains("BEGIN EC PRIVATE KEY") else {
            return "no 'BEGIN PRIVATE KEY' found; expected a .p8 file as downloaded from Apple"
        }
        do {
            _ = try P256.Signing.PrivateKey(pemRepresentation: privateKey)
            return nil
        } catch {
            return "not an elliptic-curve key on P-256 (\(error)); expected a .p8 file as downloaded from Apple"
        }
    }
}
