/// About which devices `POST /v3/devices/status` asks.
public struct DeviceStatusQuery: Hashable, Sendable {
    /// As they were written, each once: no device may have them.
    public var registrationIDs: [String]

    /// Reads `{"registration_ids":[…]}`.
    ///
    /// - Throws: 7002 for the first thing that is wrong with it.
    public init(parsing body: [UInt8]) throws(JPushError) {
        let object = try DeviceBody(parsing: body).object
        registrationIDs = try DeviceBody.registrationIDs("registration_ids", in: object, at: "")
        guard !registrationIDs.isEmpty else {
            throw .badDeviceParameter("'registration_ids' is missing or empty; expected at least one registration id.")
        }
    }
}
