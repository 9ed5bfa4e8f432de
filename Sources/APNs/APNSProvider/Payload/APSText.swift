import PushModel

/// A text of an alert: written out, or looked up by the app in the language of its user.
///
/// ```swift
/// APSAlert(title: "Lunch", body: .localized("LUNCH_AT_%@", ["noon"]))
/// ```
public enum APSText: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Shown as it is: `title`, `subtitle`, `body`.
    case literal(String)
    /// The name of an entry in the app's `Localizable.strings` and what fills its `%@` in order: `title-loc-key` with
    /// `title-loc-args`, and their like.
    case localized(String, [String] = [])

    public init(stringLiteral value: String) { self = .literal(value) }
}

extension APSText {
    /// Writes it under Apple's keys for an ordinary alert; `prefix` is empty for the body.
    func add(to object: inout JSONObject, _ key: String, prefix: String) {
        switch self {
        case .literal(let text): object[key] = .string(text)
        case .localized(let name, let arguments):
            object[prefix + "loc-key"] = .string(name)
            if !arguments.isEmpty { object[prefix + "loc-args"] = .array(arguments.map { .string($0) }) }
        }
    }

    /// As one value, the way the alert of a Live Activity has it.
    var value: JSONValue {
        switch self {
        case .literal(let text): return .string(text)
        case .localized(let name, let arguments):
            var object: JSONObject = ["loc-key": .string(name)]
            if !arguments.isEmpty { object["loc-args"] = .array(arguments.map { .string($0) }) }
            return .object(object)
        }
    }
}
