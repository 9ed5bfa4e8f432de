import Foundation

/// The values of the port as texts on the bus.
enum PortJSON {
    static func text(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns nil for a text that is no such value.
    static func value<Value: Decodable>(_ text: String) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
