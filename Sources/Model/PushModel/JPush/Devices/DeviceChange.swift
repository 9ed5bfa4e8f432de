/// The changes of `POST /v3/devices/{registration_id}`; fields missing from the body stay unchanged.
///
/// Source: JPush REST API v3, "Device API", "Set a device's tags, alias and mobile".
package struct DeviceChange: Hashable, Sendable {
    /// Nil leaves the tags as they are.
    package var tags: TagEdit?
    package var alias = Setting.unchanged
    package var mobile = Setting.unchanged
    /// Nil leaves the attributes as they are.
    package var attributes: AttributeEdit?

    package enum Setting: Hashable, Sendable {
        case unchanged
        case cleared
        case set(String)

        /// Returns the value after the change; nil for none.
        package func text(after old: String?) -> String? {
            switch self {
            case .unchanged: old
            case .cleared: nil
            case .set(let text): text
            }
        }
    }

    /// Parses the body.
    ///
    /// - Throws: 7002 for its first error.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let object = try JSONObject(ofDevices: body)
        if let value = object["tags"], value != .null { tags = try TagEdit(value) }
        alias = try Self.alias(object["alias"])
        mobile = try Self.mobile(object["mobile"])
        if let value = object["attributes"], value != .null { attributes = try AttributeEdit(value) }
    }

    private static func alias(_ value: JSONValue?) throws(JPushError) -> Setting {
        guard let value, value != .null else { return .unchanged }
        guard let alias = value.string else { throw .badDeviceParameter("'alias' is \(value.kind), not a string.") }
        guard !alias.isEmpty else { return .cleared }
        return .set(try JPushLimits.deviceTag(alias, "alias"))
    }

    /// Reads a number as a string, or as a JSON number, which some libraries send.
    private static func mobile(_ value: JSONValue?) throws(JPushError) -> Setting {
        guard let value, value != .null else { return .unchanged }
        guard let mobile = value.string ?? value.jpushInteger.map({ String($0) }) else {
            throw .badDeviceParameter("'mobile' is \(value.kind), not a string.")
        }
        guard !mobile.isEmpty else { return .cleared }
        let digits = mobile.hasPrefix("+") ? mobile.dropFirst() : mobile[...]
        guard JPushLimits.mobileDigits.contains(digits.utf8.count),
            digits.utf8.allSatisfy(\.isDigit)
        else {
            let range = JPushLimits.mobileDigits
            throw .badDeviceParameter(
                "'mobile' is '\(mobile)'; expected \(range.lowerBound) to \(range.upperBound) digits, with or without '+'."
            )
        }
        return .set(mobile)
    }
}

extension JPushLimits {
    /// Returns `text` if it is a valid tag or alias.
    ///
    /// - Throws: 7002 otherwise.
    package static func deviceTag(_ text: String, _ path: String) throws(JPushError) -> String {
        guard isTag(text) else {
            throw .badDeviceParameter(
                """
                '\(path)' holds '\(text)'; expected 1 to \(tagBytes) bytes of letters, digits, '_', Chinese characters and \
                @!#$&*+=.|￥.
                """
            )
        }
        return text
    }
}
