import Foundation

/// The identity and the values of the device, which outlive a process.
struct SavedState: Hashable, Sendable, Codable {
    /// The random name of this installation.
    var installation: String
    var appKey: String
    var registration: Registration?
    /// Whether the service may know this installation: a registration was sent, and no end of it confirmed.
    var mayBeRegistered = false
    /// The values as the app wants them to be.
    var wanted: DeviceValues?
    /// The values that the service has confirmed.
    var known: DeviceValues?
    /// Whether pushes are switched off.
    var isPushOff = false
    /// Whether the app has asked to unregister.
    var isLeaving = false

    init(installation: String, appKey: String) {
        self.installation = installation
        self.appKey = appKey
    }

    /// Reads the state of this version or another one: what is missing has its first value, so that an update of the app never
    /// costs the identity.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        installation = try values.decode(String.self, forKey: .installation)
        appKey = try values.decode(String.self, forKey: .appKey)
        registration = try values.given(.registration)
        mayBeRegistered = try values.given(.mayBeRegistered) ?? (registration != nil)
        wanted = try? values.given(.wanted)
        known = try? values.given(.known)
        isPushOff = try values.given(.isPushOff) ?? false
        isLeaving = try values.given(.isLeaving) ?? false
    }
}

/// A position, which is valid within one registration.
struct SavedPosition: Hashable, Sendable, Codable {
    /// Nil in the state of an older version, which has the registration beside it.
    var registrationID: String?
    var position: Int64?
}

extension KeyedDecodingContainer {
    /// The value of a key that an older version may not have written; nil without one.
    func given<Value: Decodable>(_ key: Key) throws -> Value? { try decodeIfPresent(Value.self, forKey: key) }
}
