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
    open var spokenPhrase: String { phrase }
    /// The text spelled as it sounds; nil for none.
    open var pronunciationHint: String? { hint }
    /// The identifier in the app's vocabulary; nil for none.
    open var vocabularyIdentifier: String? { vocabulary }
    open var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    private let phrase: String
    private let hint: String?
    private let vocabulary: String?

    /// Creates a string of the app's vocabulary.
    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        phrase = spokenPhrase
        hint = pronunciationHint
        vocabulary = vocabularyIdentifier
    }

    /// Creates a string without an identifier.
    public init(spokenPhrase: String) {
        phrase = spokenPhrase
        hint = nil
        vocabulary = nil
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INSpeakableString else { return false }
        return phrase == other.phrase && hint == other.hint && vocabulary == other.vocabulary
    }

    open override var hash: Int { phrase.hashValue }
}
