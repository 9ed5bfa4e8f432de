// The bodies of requests about devices, tags or aliases. Unknown keys are ignored.
extension JSONObject {
    /// - Throws: 7002 for a body that is not a JSON object.
    init(ofDevices body: [UInt8]) throws(JPushError) { try self.init(body: body) { .badDeviceParameter($0) } }

    /// Returns the strings of an array; none if it is missing or null.
    func texts(_ key: String, at path: String) throws(JPushError) -> [String] {
        guard let value = self[key], value != .null else { return [] }
        guard let array = value.array else {
            throw .badDeviceParameter("'\(path)\(key)' is \(value.kind); expected an array of strings.")
        }
        var texts: [String] = []
        for member in array {
            guard let text = member.string, !text.isEmpty else {
                throw .badDeviceParameter("'\(path)\(key)' holds \(member.text); expected non-empty strings.")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the distinct registration ids of an array; they may not exist.
    func registrationIDs(_ key: String, at path: String) throws(JPushError) -> [String] {
        let texts = try texts(key, at: path)
        guard texts.count <= JPushLimits.registrationIDsPerCall else {
            throw .badDeviceParameter(
                "'\(path)\(key)' has \(texts.count) members; at most \(JPushLimits.registrationIDsPerCall) are allowed."
            )
        }
        var seen: Set<ExactText> = []
        return texts.filter { seen.insert(ExactText($0)).inserted }
    }
}

/// The devices in a request `POST /v3/devices/status`.
package struct DeviceStatusQuery: Hashable, Sendable {
    /// The distinct ids as sent; they may not exist.
    package var registrationIDs: [String]

    /// Parses `{"registration_ids":[…]}`.
    ///
    /// - Throws: 7002 for its first error.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let object = try JSONObject(ofDevices: body)
        registrationIDs = try object.registrationIDs("registration_ids", at: "")
        guard !registrationIDs.isEmpty else {
            throw .badDeviceParameter("'registration_ids' is missing or empty; expected at least one registration id.")
        }
    }
}

/// The devices to add to and remove from a tag or an alias.
///
/// Source: JPush REST API v3, "Device API", "Update a tag" and "Unbind devices from an alias".
package struct MembershipChange: Hashable, Sendable {
    /// The ids as sent; they may not exist.
    package var add: [String]
    package var remove: [String]

    /// Parses `{"registration_ids":{"add":[…],"remove":[…]}}`, the body of `POST /v3/tags/{tag}`.
    ///
    /// - Throws: 7002 for its first error.
    package init(ofTag body: [UInt8]) throws(JPushError) { try self.init(parsing: body, adds: true) }

    /// Parses `{"registration_ids":{"remove":[…]}}`, the body of `POST /v3/aliases/{alias}`.
    ///
    /// - Throws: 7002 for its first error, such as an `add`: a device's alias is set by a separate request.
    package init(ofAlias body: [UInt8]) throws(JPushError) { try self.init(parsing: body, adds: false) }

    private init(parsing body: [UInt8], adds: Bool) throws(JPushError) {
        let expected = adds ? "'add' or 'remove'" : "'remove'"
        let value = try JSONObject(ofDevices: body)["registration_ids"] ?? .null
        guard let members = value.object else {
            throw .badDeviceParameter("'registration_ids' is \(value.kind); expected an object with \(expected).")
        }
        let path = "registration_ids."
        add = try members.registrationIDs("add", at: path)
        remove = try members.registrationIDs("remove", at: path)
        guard adds || add.isEmpty else {
            throw .badDeviceParameter(
                "'registration_ids.add' is for tags; set a device's alias with POST /v3/devices/{registration_id}."
            )
        }
        guard !add.isEmpty || !remove.isEmpty else {
            throw .badDeviceParameter("'registration_ids' names no device; expected \(expected) with at least one.")
        }
    }
}
