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
