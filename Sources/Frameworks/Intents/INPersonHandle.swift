public import Foundation

/// The kind of address by which an app knows a person. Raw values: Apple, `INPersonHandleType`.
public enum INPersonHandleType: Int, Sendable {
    /// Neither of the others: the app's own identifier.
    case unknown
    case emailAddress
    case phoneNumber
}

/// The label of an address in the contacts. Raw values: Posthorn's own.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let home = Self("home")
    public static let work = Self("work")
    public static let iPhone = Self("iPhone")
    public static let mobile = Self("mobile")
    public static let main = Self("main")
    public static let homeFax = Self("homeFax")
    public static let workFax = Self("workFax")
    public static let pager = Self("pager")
    public static let other = Self("other")
    public static let school = Self("school")
}

/// The address by which an app knows a person. Source: Apple, `INPersonHandle`. `@unchecked Sendable`: it is immutable.
open class INPersonHandle: NSObject, NSCopying, @unchecked Sendable {
    open var value: String? { address }
    open var type: INPersonHandleType { kind }
    open var label: INPersonHandleLabel? { name }

    private let address: String?
    private let kind: INPersonHandleType
    private let name: INPersonHandleLabel?

    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        address = value
        kind = type
        name = label
    }

    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return address == other.address && kind == other.kind && name == other.name
    }

    open override var hash: Int { address.hashValue }
}
