import Foundation
import PushClock
import PushModel

// What apps, groups and developers have in common: their secrets, and the name that their deletion asks for.
extension OperatorController {
    /// Makes a secret in the place of another, which stays valid for `overlap` seconds.
    func newSecret(overlap: Int?) throws -> (secret: String, replacement: SecretReplacement) {
        let overlap = try Self.checked(overlap, "overlap", in: 0...FormerSecret.longestOverlap) ?? 0
        let secret = MintedKey<String> { $0 }.secret
        let now = clock.date
        let end = overlap == 0 ? nil : now.addingTimeInterval(TimeInterval(overlap))
        return (secret, SecretReplacement(hash: SecretHash(of: secret), at: now, formerEnd: end))
    }

    /// Refuses a deletion that does not name what it deletes.
    static func confirm(_ given: String, isNameOf key: String, _ name: String) throws {
        guard given.isSame(as: name) else {
            throw OperatorError(.conflict, Remark(.nameDiffers, ["given": given, "key": key]))
        }
    }
}

/// A secret that is shown only once.
package struct NewSecretAnswer: Codable, Sendable { package let masterSecret: String }
