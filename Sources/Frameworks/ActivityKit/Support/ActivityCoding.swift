import Foundation
import SystemPort

/// The JSON form of attributes and content states: that of `JSONEncoder` and `JSONDecoder` with their defaults.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications": the system decodes the content state with
/// default strategies, so that a date is a number of seconds since 2001.
enum ActivityCoding {
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// Returns why a value does not fit a type, with the path of the key; nil if it does.
    ///
    /// - Parameters:
    ///   - text: the value as JSON; nil fits.
    ///   - type: the type.
    ///   - root: the key of the value in the push.
    /// - Returns: the reason in words.
    static func problem<Value: Decodable>(with text: String?, as type: Value.Type, at root: String) -> String? {
        guard let text else { return nil }
        do {
            _ = try value(type, from: text)
            return nil
        } catch let error as DecodingError {
            return words(for: error, at: root)
        } catch {
            return "'\(root)' does not fit '\(type)': \(error)"
        }
    }

    private static func words(for error: DecodingError, at root: String) -> String {
        func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (key.map { [$0] } ?? [])
            return ([root] + keys.map { $0.intValue.map(String.init) ?? $0.stringValue }).joined(separator: ".")
        }
        func sentence(_ context: DecodingError.Context) -> String {
            var text = context.debugDescription
            while text.last == "." { text.removeLast() }
            return text
        }
        switch error {
        case .keyNotFound(let key, let context): return "'\(path(context, key))' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "'\(path(context))': \(sentence(context))"
        @unknown default: return "'\(root)': \(error)"
        }
    }
}

/// Examines whether values of a push fit a type of an app.
protocol ActivityExamining: Sendable {
    func problem(with values: LiveActivityValues) -> String?
}

struct ActivityExaminer<Attributes: ActivityAttributes>: ActivityExamining {
    func problem(with values: LiveActivityValues) -> String? {
        ActivityCoding.problem(with: values.attributes, as: Attributes.self, at: "attributes")
            ?? ActivityCoding.problem(with: values.state, as: Attributes.ContentState.self, at: "content-state")
    }
}
