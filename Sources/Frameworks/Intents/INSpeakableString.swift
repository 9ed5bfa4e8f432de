public import Foundation

/// A string that Siri can speak, such as the name of a conversation. Source: Apple, `INSpeakable`.
public protocol INSpeakable: NSObjectProtocol {
    /// The text as it is spoken.
    var spokenPhrase: String { get }
    /// The text spelled as it sounds; nil for none.
    var pronunciationHint: String? { get }
    /// The identifier in the app's vocabulary; nil for none.
    var vocabularyIdentifier: String? { get }
    /// The other strings that Siri considered; nil, because there is no Siri.
    var alternativeSpeakableMatches: [any INSpeakable]? { get }
}

/// A string that Siri can speak. Source: Apple, `INSpeakableString`. `@unchecked Sendable`: it is immutable.
open class INSpeakableString: NSObject, INSpeakable, NSCopying, @unchecked Sendable {
    /// The text as it is spoken.
    open private(set) var spokenPhrase: String
    /// The text spelled as it sounds; nil for none.
    open private(set) var pronunciationHint: String?
    /// The identifier in the app's vocabulary; nil for none.
    open private(set) var vocabularyIdentifier: String?
    open var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    /// Creates a string of the app's vocabulary.
    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.spokenPhrase = spokenPhrase
        self.pronunciationHint = pronunciationHint
        self.vocabularyIdentifier = vocabularyIdentifier
    }

    /// Creates a string without an identifier.
    public init(spokenPhrase: String) { self.spokenPhrase = spokenPhrase }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INSpeakableString else { return false }
        return spokenPhrase == other.spokenPhrase && pronunciationHint == other.pronunciationHint
            && vocabularyIdentifier == other.vocabularyIdentifier
    }

    open override var hash: Int { spokenPhrase.hashValue }
}
