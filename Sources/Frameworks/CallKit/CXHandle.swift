public import Foundation
import SystemPort

/// The address of a participant of a call.
open class CXHandle: NSObject, NSCopying {
    /// The form of an address.
    public enum HandleType: Int, Sendable {
        /// Any text that identifies the party, such as a user name.
        case generic = 1
        /// A phone number.
        case phoneNumber = 2
        /// An email address.
        case emailAddress = 3
    }

    /// The kind of ``value``.
    open private(set) var type: HandleType
    /// The number, address or name.
    open private(set) var value: String

    /// Creates a handle of a number, an address or a name, which is not checked.
    public init(type: HandleType, value: String) {
        self.type = type
        self.value = value
    }

    convenience init(_ record: CallHandleRecord) {
        self.init(type: HandleType(rawValue: record.type) ?? .generic, value: record.value)
    }

    var record: CallHandleRecord { CallHandleRecord(type: type.rawValue, value: value) }

    /// Returns the handle itself: it cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether type and value are the same.
    open func isEqual(to handle: CXHandle) -> Bool { record == handle.record }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CXHandle).map(isEqual(to:)) ?? false }
    open override var hash: Int { record.hashValue }
}
