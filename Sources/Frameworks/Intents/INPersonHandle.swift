public import Foundation

/// The kind of address by which an app knows a person. Raw values: Apple, `INPersonHandleType`.
public enum INPersonHandleType: Int, Sendable {
    /// Neither of the others: the app's own identifier.
    case unknown
    /// An email address.
    case emailAddress
    /// A phone number.
    case phoneNumber
}

/// The label of an address in the contacts. Raw values: Posthorn's own.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a label from its raw value.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// At home.
    public static let home = Self("home")
    /// At work.
    public static let work = Self("work")
    /// An iPhone.
    public static let iPhone = Self("iPhone")
    /// A mobile phone.
    public static let mobile = Self("mobile")
    /// The main number.
    public static let main = Self("main")
    /// A fax at home.
    public static let homeFax = Self("homeFax")
    /// A fax at work.
    public static let workFax = Self("workFax")
    /// A pager.
    public static let pager = Self("pager")
    /// Any other.
    public static let other = Self("other")
    /// At school.
    public static let school = Self("school")
}

/// The address by which an app knows a person. Source: Apple, `INPersonHandle`. `@unchecked Sendable`: it is immutable.
open class INPersonHandle: NSObject, NSCopying, @unchecked Sendable {
    /// The address or number; nil if unknown.
    open private(set) var value: String?
    /// Whether ``value`` is an address or a number.
    open private(set) var type: INPersonHandleType
    /// The place of the address or number; nil for none.
    open private(set) var label: INPersonHandleLabel?

    /// Creates a handle with a label.
    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        self.value = value
        self.type = type
        self.label = label
    }

    /// Creates a handle without a label.
    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return value == other.value && type == other.type && label == other.label
    }

    open override var hash: Int { value.hashValue }
}
