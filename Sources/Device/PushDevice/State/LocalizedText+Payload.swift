import PushModel
import SystemPort

extension LocalizedText {
    /// Fills a format with the arguments of a payload, such as `loc-args`, as `%@` shows what JSON becomes on iOS: null is `<null>`
    /// (ZhukV/AppleApnPush#33), true is 1.
    static func fill(_ format: String, with arguments: JSONValue?) -> String {
        fill(format, with: (arguments?.array ?? []).map(\.shownByFormat))
    }
}

extension JSONValue {
    fileprivate var shownByFormat: String {
        switch self {
        case .string(let text): text
        case .null: "<null>"
        case .bool(let value): value ? "1" : "0"
        case .integer, .double, .decimal, .array, .object: text
        }
    }
}
