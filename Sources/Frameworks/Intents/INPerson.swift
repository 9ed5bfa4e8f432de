public import Foundation

/// How a person relates to the user. Raw values: Posthorn's own.
public struct INPersonRelationship: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a relationship from its raw value.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A father.
    public static let father = Self("father")
    /// A mother.
    public static let mother = Self("mother")
    /// A parent.
    public static let parent = Self("parent")
    /// A brother.
    public static let brother = Self("brother")
    /// A sister.
    public static let sister = Self("sister")
    /// A child.
    public static let child = Self("child")
    /// A friend.
    public static let friend = Self("friend")
    /// A husband or wife.
    public static let spouse = Self("spouse")
    /// A partner.
    public static let partner = Self("partner")
    /// An assistant.
    public static let assistant = Self("assistant")
    /// A manager.
    public static let manager = Self("manager")
    /// A son.
    public static let son = Self("son")
    /// A daughter.
    public static let daughter = Self("daughter")
}

/// The kind of suggestion that a person's handle permits. Raw values: Apple, `INPersonSuggestionType`.
public enum INPersonSuggestionType: Int, Sendable {
    /// None, a profile in a social network, and an address for instant messages.
    case none, socialProfile, instantMessageAddress
}

/// A person that takes part in a conversation.
///
/// Source: Apple, `INPerson`; the names of the initialisers are those of iOS 10 to 26. `@unchecked Sendable`: it is immutable.
open class INPerson: NSObject, NSCopying, @unchecked Sendable {
    /// The address or number of the person; nil for none.
    open var personHandle: INPersonHandle? { fields.handle }
    /// The parts of the name; nil if only a display name was given.
    open var nameComponents: PersonNameComponents? { fields.components }
    /// The name to show: as given, else the name components', else the handle.
    open var displayName: String {
        if let name = fields.displayName, !name.isEmpty { return name }
        let name = fields.components.map(Self.name(of:)) ?? ""
        return name.isEmpty ? fields.handle?.value ?? "" : name
    }
    /// The picture, which a communication notification shows; nil for none.
    open var image: INImage? { fields.image }
    /// The identifier in the contacts; stored only, there are no contacts.
    open var contactIdentifier: String? { fields.contactIdentifier }
    /// The app's own identifier of the person.
    open var customIdentifier: String? { fields.customIdentifier }
    /// The relationship to the user; stored only.
    open var relationship: INPersonRelationship? { fields.relationship }
    /// Other addresses of the same person; stored only.
    open var aliases: [INPersonHandle]? { fields.aliases }
    /// The kind of address that the system may suggest; stored only.
    open var suggestionType: INPersonSuggestionType { fields.suggestionType }
    /// Whether the person is the user of the device.
    open var isMe: Bool { fields.isMe }
    /// Whether the person comes from the user's contacts; false here, unless the app has said otherwise.
    open var isContactSuggestion: Bool { fields.isContactSuggestion }
    /// The contacts that Siri found; nil, because the device has no contacts.
    open var siriMatches: [INPerson]? { nil }

    fileprivate struct Fields: Hashable {
        var handle: INPersonHandle?
        var components: PersonNameComponents?
        var displayName: String?
        var image: INImage?
        var contactIdentifier: String?
        var customIdentifier: String?
        var relationship: INPersonRelationship?
        var aliases: [INPersonHandle]?
        var suggestionType = INPersonSuggestionType.none
        var isMe = false
        var isContactSuggestion = false
    }

    private let fields: Fields

    fileprivate init(_ fields: Fields) { self.fields = fields }

    /// Linux has no `PersonNameComponentsFormatter`: the given name stands first, but in Han and Hangul the family name, without a space.
    private static func name(of components: PersonNameComponents) -> String {
        let given = components.givenName ?? ""
        let family = components.familyName ?? ""
        let isEastAsian = (given + family).unicodeScalars.contains {
            (0x3040...0x9FFF).contains($0.value) || (0xAC00...0xD7AF).contains($0.value)
        }
        if isEastAsian { return family + given }
        let names = [given, family].filter { !$0.isEmpty }
        return names.isEmpty ? components.nickname ?? "" : names.joined(separator: " ")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? INPerson)?.fields == fields }
    open override var hash: Int { fields.hashValue }
}

extension INPerson {
    /// A person of whom only the address or number is known.
    convenience init(_ handle: INPersonHandle) { self.init(Fields(handle: handle)) }

    /// A person by name and address; of iOS 10 and later.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?
    ) {
        self.init(
            Fields(
                handle: personHandle,
                components: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier
            )
        )
    }

    /// A person who may be the user; of iOS 12 and later.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        isMe: Bool
    ) {
        self.init(
            Fields(
                handle: personHandle,
                components: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                isMe: isMe
            )
        )
    }

    /// A person with a relationship to the user; of iOS 14 and later.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        relationship: INPersonRelationship?
    ) {
        self.init(
            Fields(
                handle: personHandle,
                components: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                relationship: relationship
            )
        )
    }

    /// A person of a message; of iOS 15 and later.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        isMe: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            Fields(
                handle: personHandle,
                components: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                suggestionType: suggestionType,
                isMe: isMe
            )
        )
    }

    /// A person whom the system suggests as a contact; of iOS 15 and later.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        isContactSuggestion: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            Fields(
                handle: personHandle,
                components: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                suggestionType: suggestionType,
                isContactSuggestion: isContactSuggestion
            )
        )
    }

    /// A person with more than one address; of iOS 10 and later.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        aliases: [INPersonHandle]?,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            Fields(
                handle: personHandle,
                components: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                aliases: aliases,
                suggestionType: suggestionType
            )
        )
    }
}
