import PushModel

/// A text of an alert: literal, or looked up by the app in the user's language.
///
/// ```swift
/// APSAlert(title: "Lunch", body: .localized("LUNCH_AT_%@", ["noon"]))
/// ```
public enum APSText: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// A text that is shown unchanged: `title`, `subtitle`, `body`.
    case literal(String)
    /// The key of an entry in the app's `Localizable.strings` and the arguments for its `%@` in order: `title-loc-key` with
    /// `title-loc-args`, and similar.
    case localized(String, [String] = [])

    public init(stringLiteral value: String) { self = .literal(value) }
}

extension APSText {
    /// Adds it under Apple's keys for an ordinary alert; `prefix` is empty for the body.
    func add(to object: inout JSONObject, _ key: String, prefix: String) {
        switch self {
        case .literal(let text): object[key] = .string(text)
        case .localized(let name, let arguments):
            object[prefix + "loc-key"] = .string(name)
            if !arguments.isEmpty { object[prefix + "loc-args"] = .strings(arguments) }
        }
    }

    /// The text as a single value, as in the alert of a Live Activity.
    var value: JSONValue {
        switch self {
        case .literal(let text): return .string(text)
        case .localized(let name, let arguments):
            var object: JSONObject = ["loc-key": .string(name)]
            if !arguments.isEmpty { object["loc-args"] = .strings(arguments) }
            return .object(object)
        }
    }
}
