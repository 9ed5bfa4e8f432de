/// An operation on the device's record at the service.
public enum DeviceOperation: Hashable, Sendable, Codable {
    /// Adds tags. `proofs` has the proof of each protected tag, from the app's backend.
    case addTags([String], proofs: [String: String]? = nil)
    /// Replaces all tags. `proofs` has the proof of each protected tag that the device does not have yet.
    case setTags([String], proofs: [String: String]? = nil)
    /// Removes tags.
    case deleteTags([String])
    /// Removes all tags.
    case cleanTags
    /// Asks for all tags.
    case getTags
    /// Asks whether the device has a tag.
    case checkTag(String)
    /// Sets the alias. An app whose operator asks for proofs gets `proof` from its backend, for this device's registration id.
    case setAlias(String, proof: String? = nil)
    /// Removes the alias.
    case deleteAlias
    /// Asks for the alias.
    case getAlias
    /// Sets the badge to which a push with `"+1"` adds: 0 to 99999.
    case setBadge(Int)
    /// Sets the mobile number; nil removes it.
    case setMobile(String?)
    /// Sets texts for the variables of alerts, by name; an empty one removes its attribute, and others stay.
    case setAttributes([String: String])
    /// Switches pushes to this device on or off.
    case setPush(Bool)
    /// Asks whether pushes are switched on.
    case getPush
    /// Replaces the topics whose notifications the user declines.
    case declineTopics([String])
    /// Asks for the topics of the app, and which of them the user declines.
    case getTopics
}

extension DeviceOperation {
    /// The value that this operation sets as a whole; a later one with the same supersedes it.
    var wholeValue: String? {
        switch self {
        case .setTags, .cleanTags: "tags"
        case .setAlias, .deleteAlias: "alias"
        case .setBadge: "badge"
        case .setMobile: "mobile"
        case .setPush: "push"
        case .declineTopics: "topics"
        case .addTags, .deleteTags, .getTags, .checkTag, .getAlias, .getPush, .getTopics, .setAttributes: nil
        }
    }

    /// Whether it is about tags, between which the order counts.
    var isAboutTags: Bool {
        switch self {
        case .addTags, .setTags, .deleteTags, .cleanTags: true
        default: false
        }
    }

    /// Whether it only reads: it is of no use once nobody waits for the answer.
    var isQuestion: Bool {
        switch self {
        case .getTags, .checkTag, .getAlias, .getPush, .getTopics: true
        default: false
        }
    }
}
