import Foundation
public import PushModel

extension JSONValue {
    /// A value of the app's own type as JSON, such as the `ContentState` of a Live Activity.
    ///
    /// Encoded by a `JSONEncoder` with its default strategies, which are those that ActivityKit decodes with.
    /// - Throws: what the encoder throws.
    public init(encoding value: some Encodable) throws {
        try self.init(parsing: JSONEncoder().encode(value))
    }
}
