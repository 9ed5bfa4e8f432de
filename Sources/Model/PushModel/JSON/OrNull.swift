/// A property that is null in JSON if it has no value.
@propertyWrapper
public struct OrNull<Value: Codable & Sendable>: Codable, Sendable {
    /// The property.
    public var wrappedValue: Value?

    /// Creates a property.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Reads a value or `null`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Writes the value or `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension OrNull: Equatable where Value: Equatable {}

extension OrNull: Hashable where Value: Hashable {}
