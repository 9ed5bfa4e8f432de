package import Foundation

/// The rules of an app about the aliases and protected tags of its devices.
package struct AliasRules: Hashable, Sendable {
    /// The setter of aliases and protected tags.
    package enum Policy: String, Codable, Hashable, Sendable, CaseIterable {
        /// Each device its own, as in JPush. The app key, which is in every copy of the app, is enough.
        case anyone
        /// A device with a proof of its backend: see ``AliasProofs``.
        case proved
        /// The backend alone, by `POST /v3/devices`.
        case backend
    }

    package var policy = Policy.anyone
    /// The beginning of the tags that are protected like aliases; empty if none are.
    package var protectedTags = ""
    /// The number of the key by which the backend makes proofs, counted from 1; 0 if none was made.
    package var keyNumber: Int64 = 0
    /// The end of the validity of proofs by the key before; nil if they are not valid.
    package var formerKeyUntil: Date?

    package init() {}

    /// Whether a device needs a proof, or its backend, to get the tag.
    package func protects(tag: String) -> Bool {
        policy != .anyone && !protectedTags.isEmpty && tag.utf8.starts(with: protectedTags.utf8)
    }

    /// The numbers of the keys whose proofs are valid.
    package func validKeys(at date: Date) -> [Int64] {
        guard keyNumber > 0 else { return [] }
        guard let formerKeyUntil, date < formerKeyUntil, keyNumber > 1 else { return [keyNumber] }
        return [keyNumber, keyNumber - 1]
    }
}
