import Foundation
import PushModel

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

    /// Returns in words why a value, given as JSON, does not fit a type, with the path from its key in the push; nil if it does, or
    /// for none.
    static func problem<Value: Decodable>(with text: String?, as type: Value.Type, at root: String) -> String? {
        guard let text else { return nil }
        do {
            _ = try value(type, from: text)
            return nil
        } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty,
                let misfit = misfit(in: text, as: type, at: root)
            {
                return misfit
            }
            return words(for: error, at: root)
        } catch {
            return "'\(root)' does not fit '\(type)': \(error)"
        }
    }

    /// Names the number that does not fit its property, such as 2.5 for an `Int`: the decoder's error has no path then.
    ///
    /// With a string in place of a number, the decoder says where it is, and which type it expects.
    private static func misfit<Value: Decodable>(in text: String, as type: Value.Type, at root: String) -> String? {
        func takes<Number: Decodable>(_ type: Number.Type, _ number: String) -> Bool {
            (try? value([Number].self, from: "[\(number)]")) != nil
        }
        for (number, marked) in (try? JSONValue(parsing: text))?.numbers ?? [] {
            do { _ = try value(type, from: marked.text) } catch DecodingError.typeMismatch(let expected, let context) {
                guard let expected = expected as? any Decodable.Type, !takes(expected, number) else { continue }
                return "'\(path(context, at: root))': \(number) does not fit in \(expected)"
            } catch {
                continue
            }
        }
        return nil
    }

    private static func path(
        _ context: DecodingError.Context,
        _ key: (any CodingKey)? = nil,
        at root: String
    ) -> String {
        let keys = context.codingPath + (key.map { [$0] } ?? [])
        return ([root] + keys.map { $0.intValue.map(String.init) ?? $0.stringValue }).joined(separator: ".")
    }

    private static func words(for error: DecodingError, at root: String) -> String {
        func sentence(_ context: DecodingError.Context) -> String {
            var text = context.debugDescription
            while text.last == "." { text.removeLast() }
            return text
        }
        switch error {
        case .keyNotFound(let key, let context): return "'\(path(context, key, at: root))' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "'\(path(context, at: root))': \(sentence(context))"
        @unknown default: return "'\(root)': \(error)"
        }
    }
}

extension JSONValue {
    /// Each number inside, and the value with a string in its place.
    fileprivate var numbers: [(number: String, marked: JSONValue)] {
        switch self {
        case .integer, .double, .decimal: return [(text, .string(text))]
        case .array(let values):
            return values.indices.flatMap { index in
                values[index].numbers.map { number, marked in
                    var copy = values
                    copy[index] = marked
                    return (number, .array(copy))
                }
            }
        case .object(let object):
            return object.members.flatMap { member in
                member.value.numbers.map { number, marked in
                    var copy = object
                    copy[member.key] = marked
                    return (number, .object(copy))
                }
            }
        case .string, .bool, .null: return []
        }
    }
}
