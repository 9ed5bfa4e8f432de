import SystemPort

/// The address of a participant of a conversation.
public struct Handle: Codable, Hashable, Sendable {
    /// The form of an address. Apple documents no raw values: those here are ours.
    public enum Kind: Int, Codable, Hashable, Sendable {
        /// Any text that identifies the participant, such as a user name.
        case generic
        /// A phone number.
        case phoneNumber
        /// An email address.
        case emailAddress
    }

    /// The form of ``value``.
    public var type: Kind
    /// The number, address or name.
    public var value: String
    /// The name that is shown.
    public var displayName: String

    /// Creates a handle; without a name, its value is shown, which is our decision.
    public init(type: Kind, value: String, displayName: String? = nil) {
        self.type = type
        self.value = value
        self.displayName = displayName ?? value
    }

    // CallKit's types begin with 1.

    init(_ record: CallHandleRecord) {
        self.init(type: Kind(rawValue: record.type - 1) ?? .generic, value: record.value, displayName: record.name)
    }

    var record: CallHandleRecord { CallHandleRecord(type: type.rawValue + 1, value: value, name: displayName) }
}
