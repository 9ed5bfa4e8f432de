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
