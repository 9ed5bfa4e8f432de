import Crypto
import PushModel

/// The p8 key with which an app authenticates to APNs, valid in both environments.
package struct Credential: Hashable, Sendable {
    /// Ten characters.
    package var keyID: String
    /// Ten characters.
    package var teamID: String
    /// PKCS#8 in PEM, as issued by Apple.
    package var privateKey: String

    package init(keyID: String, teamID: String, privateKey: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.privateKey = privateKey
    }
}

extension Credential {
    /// The problem with the private key, for the user who chose the file; nil if it is usable.
    package var problem: String? {
        do {
            _ = try P256.Signing.PrivateKey(rawRepresentation: try SigningKeyText(privateKey).scalar)
            return nil
        } catch let problem as SigningKeyText.Problem {
            return "\(problem); expected a private key (.p8) as downloaded from Apple"
        } catch {
            return
                "the key is damaged: its number is not one of P-256; expected a private key (.p8) as downloaded from Apple"
        }
    }
}
