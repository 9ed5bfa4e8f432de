import Foundation
package import PushModel
package import SystemPort

/// A value in an app's `userInfo` that cannot be encoded.
package struct Uncodable: Error {
    package var type: String
}

extension InfoValue {
    /// - Throws: ``Uncodable`` for a value that does not adopt NSSecureCoding on Apple's systems.
    package init(_ value: Any) throws(Uncodable) {
        switch value {
        case let value as [AnyHashable: Any]:
            var members: [InfoValue: InfoValue] = [:]
            for (key, value) in value { members[try InfoValue(key.base)] = try InfoValue(value) }
            self = .dictionary(members)
        case let value as [Any]:
            var values: [InfoValue] = []
            for value in value { values.append(try InfoValue(value)) }
            self = .array(values)
        default:
            guard let leaf = Self.leaf(value) else { throw Uncodable(type: String(describing: type(of: value))) }
            self = leaf
        }
    }

    private static func leaf(_ value: Any) -> InfoValue? {
        switch value {
        case let value as NSNumber: number(value)
        case let value as String: .string(value)
        case let value as NSString: .string(String(describing: value))
        case let value as Date: .date(value)
        case let value as Data: .data(value)
        case let value as URL: .url(value)
        case let value as UUID: .uuid(value)
        case let value as Bool: .bool(value)
        case let value as any BinaryInteger: .integer(Int64(clamping: value))
        case let value as Double: .double(value)
        case let value as Float: .double(Double(value))
        case let value as AnyHashable where value.base is NSNull: .null
        case is NSNull: .null
        default: nil
        }
    }

    private static func number(_ value: NSNumber) -> InfoValue {
        // Reading the C string is safe: it is a constant of Foundation.
        switch unsafe String(cString: value.objCType) {
        // A Bool is a signed character to Foundation, and no other value in an app's dictionary is one.
        case "c", "B": .bool(value.boolValue)
        case "f", "d": .double(value.doubleValue)
        case "Q" where value.uint64Value > Int64.max: .double(value.doubleValue)
        default: .integer(value.int64Value)
        }
    }

    /// The value as Apple's frameworks return it.
    package var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .url(let value): value
        case .uuid(let value): value
        case .array(let values): values.map(\.foundation)
        case .dictionary: dictionary
        }
    }

    /// The dictionary; empty for any other value.
    package var dictionary: [AnyHashable: Any] {
        guard case .dictionary(let members) = self else { return [:] }
        var result: [AnyHashable: Any] = [:]
        for (key, value) in members {
            guard let key = key.foundation as? AnyHashable else { continue }
            result[key] = value.foundation
        }
        return result
    }
}

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
