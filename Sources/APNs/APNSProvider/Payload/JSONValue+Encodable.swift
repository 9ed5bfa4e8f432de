import Foundation
public import PushModel

extension JSONValue {
    /// Encodes a value of the app's own type as JSON, such as the `ContentState` of a Live Activity.
    ///
    /// This uses a `JSONEncoder` with its default strategies, which are the ones that ActivityKit decodes with.
    /// - Throws: any error of the encoder.
    public init(encoding value: some Encodable) throws {
        try self.init(parsing: JSONEncoder().encode(value))
    }
}
