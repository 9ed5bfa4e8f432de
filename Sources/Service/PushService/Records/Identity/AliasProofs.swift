import Crypto
package import Foundation
package import PushModel

/// A name that an app's backend vouches for, of a device.
package enum ProvedName: Hashable, Sendable {
    case alias(String)
    case tag(String)

    /// The first line of what is authenticated: a proof of an alias is none of a tag.
    fileprivate var domain: String {
        switch self {
        case .alias: "posthorn-alias-v1"
        case .tag: "posthorn-tag-v1"
        }
    }

    fileprivate var text: String {
        switch self {
        case .alias(let text), .tag(let text): text
        }
    }
}

/// Proofs by which an app's backend vouches for the alias of a device, or for a protected tag.
///
/// A proof is HMAC-SHA256 as 64 lowercase hexadecimal digits. The key is the text of the alias key, which is not decoded. What is
/// authenticated is the UTF-8 of three lines, with U+000A between them and none at the end: `posthorn-alias-v1` or `posthorn-tag-v1`, the
/// registration id, the alias or the tag. A registration id has no U+000A, so no two names have the same lines.
///
/// Alias keys are not stored: each is derived from the service's secret, the app key and the number of the key.
package struct AliasProofs: Sendable {
    /// The length of a proof.
    package static let length = 64

    private let secret: SymmetricKey

    package init(_ keys: ServiceKeys) { secret = keys.aliasKeys }

    /// Returns the alias key of an app with a number: 64 lowercase hexadecimal digits.
    package func key(_ number: Int64, of app: AppKey) -> String { Self.code("\(app.text)\n\(number)", by: secret) }

    /// Returns the proof of a name of a device.
    package static func proof(of name: ProvedName, for id: RegistrationID, key: String) -> String {
        code("\(name.domain)\n\(id.text)\n\(name.text)", by: SymmetricKey(data: Array(key.utf8)))
    }

    /// Returns whether a proof is that of a name of a device, by a key of the app that is valid at a date.
    package func isValid(
        _ proof: String,
        of name: ProvedName,
        for id: RegistrationID,
        in app: App,
        at date: Date
    ) -> Bool {
        guard proof.utf8.count == Self.length else { return false }
        let given = Array(proof.utf8)
        return app.aliases.validKeys(at: date).contains { number in
            let proof = Self.proof(of: name, for: id, key: key(number, of: app.key))
            return Array(proof.utf8).isSameInConstantTime(as: given)
        }
    }

    private static func code(_ text: String, by key: SymmetricKey) -> String {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)).hexadecimal
    }
}
