import Foundation
package import PushModel

extension JSONObject {
    /// The payload as Apple's frameworks return it: numbers and booleans are `NSNumber`, null is `NSNull`.
    package var foundation: [AnyHashable: Any] {
        Dictionary(members.map { (AnyHashable($0.key), $0.value.foundation) }) { _, last in last }
    }
}

extension JSONValue {
    fileprivate var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let text): UInt64(text).map { NSNumber(value: $0) } ?? NSNumber(value: Double(text) ?? .nan)
        case .string(let value): value
        case .array(let values): values.map(\.foundation)
        case .object(let object):
            Dictionary(object.members.map { ($0.key, $0.value.foundation) }) { _, last in last } as [String: Any]
        }
    }
}
