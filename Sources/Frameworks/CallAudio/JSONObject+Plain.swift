import Foundation
package import PushModel
import SystemPort
import UserNotifications

extension JSONObject {
    /// Creates the payload of a dictionary; values that JSON cannot hold are left out.
    package init(plain dictionary: [AnyHashable: Any]) {
        let members = dictionary.compactMap { key, value -> (String, JSONValue)? in
            guard let name = key.base as? String, let info = try? InfoValue(value) else { return nil }
            return info.json.map { (name, $0) }
        }
        self.init(members.sorted { $0.0 < $1.0 })
    }
}

extension InfoValue {
    fileprivate var json: JSONValue? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .double(let value): value.isFinite ? .double(value) : nil
        case .string(let value): .string(value)
        case .array(let values): .array(values.compactMap(\.json))
        case .dictionary: .object(JSONObject(plain: dictionary))
        case .data, .date, .url, .uuid: nil
        }
    }
}
