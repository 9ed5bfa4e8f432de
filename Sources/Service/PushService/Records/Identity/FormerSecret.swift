package import Foundation

/// A secret that was replaced and is still valid.
package struct FormerSecret: Hashable, Sendable {
    package var hash: SecretHash
    /// The time from which it is no longer valid.
    package var end: Date

    /// The maximum number of replaced secrets of one holder that are valid.
    package static let most = 5
    /// The greatest number of seconds for which a secret stays valid after it was replaced.
    package static let longestOverlap = 30 * 86_400

    package init(hash: SecretHash, end: Date) {
        self.hash = hash
        self.end = end
    }
}

/// One that authenticates itself by a secret: an app, a group or a developer.
package protocol SecretHolder: Sendable {
    var secretHash: SecretHash { get set }
    /// The secrets before the current one that were replaced with an overlap, oldest first; perhaps some whose end has passed.
    var formerSecrets: [FormerSecret] { get set }
}

extension SecretHolder {
    /// Returns the hash of a secret that is valid at a date; nil for any other secret. Compares in constant time.
    package func proof(by secret: String, at date: Date) -> SecretHash? {
        let hash = SecretHash(of: secret)
        if secretHash.matches(hash) { return hash }
        return formerSecrets(at: date).contains { $0.hash.matches(hash) } ? hash : nil
    }

    /// Returns whether a hash that ``proof(by:at:)`` has returned is still that of a valid secret.
    package func accepts(_ proof: SecretHash, at date: @autoclosure () -> Date) -> Bool {
        if secretHash == proof { return true }
        // Without an overlap there is no clock to read.
        guard !formerSecrets.isEmpty else { return false }
        return formerSecrets(at: date()).contains { $0.hash == proof }
    }

    /// Returns the secrets before the current one that are valid at a date, oldest first.
    package func formerSecrets(at date: Date) -> [FormerSecret] { formerSecrets.filter { date < $0.end } }

    /// Returns until when a secret before the current one is valid; nil if there is none.
    func formerSecretEnd(at date: Date) -> Date? { formerSecrets(at: date).map(\.end).max() }

    /// Replaces the secret. With an overlap, those before it keep their ends; without one they all end.
    ///
    /// - Throws: ``TooManySecrets``, and then nothing has changed.
    package mutating func replaceSecret(by replacement: SecretReplacement) throws(TooManySecrets) {
        var former: [FormerSecret] = []
        if let end = replacement.formerEnd {
            former = formerSecrets(at: replacement.date) + [FormerSecret(hash: secretHash, end: end)]
            guard former.count <= FormerSecret.most else { throw TooManySecrets() }
        }
        formerSecrets = former
        secretHash = replacement.hash
    }
}

/// A secret in the place of another.
package struct SecretReplacement: Sendable {
    package var hash: SecretHash
    package var date: Date
    /// The time until which the other stays valid; nil if it and those before it end at once.
    package var formerEnd: Date?

    package init(hash: SecretHash, at date: Date, formerEnd: Date? = nil) {
        self.hash = hash
        self.date = date
        self.formerEnd = formerEnd
    }
}

/// The refusal to replace a secret while ``FormerSecret/most`` others before it are valid.
package struct TooManySecrets: Error {
    package init() {}
}
