import Foundation

/// The identity and the values of the device, which outlive a process.
struct SavedState: Hashable, Sendable, Decodable {
    /// The random name of this installation.
    var installation: String
    var appKey: String
    var registration: Registration?
    /// The identity that a restored backup has brought, of another phone: the registration says that this phone uses it no longer.
    var former: Registration?
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

    private enum CodingKeys: CodingKey {
        case installation, appKey, registration, former, mayBeRegistered, wanted, known, isPushOff, isLeaving
    }

    init(installation: String, appKey: String) {
        self.installation = installation
        self.appKey = appKey
    }

    /// The stored form.
    var json: String {
        var text = JSONText()
        text.add("installation", installation)
        text.add("appKey", appKey)
        text.add("mayBeRegistered", isOn: mayBeRegistered)
        text.add("isPushOff", isOn: isPushOff)
        text.add("isLeaving", isOn: isLeaving)
        text.add("registration", value: registration?.json)
        text.add("former", value: former?.json)
        text.add("wanted", value: wanted?.json)
        text.add("known", value: known?.json)
        return text.ended
    }

    /// Reads the state of this version or another one: what is missing has its first value, so that an update of the app never
    /// costs the identity.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        installation = try values.decode(String.self, forKey: .installation)
        appKey = try values.decode(String.self, forKey: .appKey)
        registration = try values.given(.registration)
        former = try? values.given(.former)
        mayBeRegistered = try values.given(.mayBeRegistered) ?? (registration != nil)
        wanted = try? values.given(.wanted)
        known = try? values.given(.known)
        isPushOff = try values.given(.isPushOff) ?? false
        isLeaving = try values.given(.isLeaving) ?? false
    }
}

/// A position, which is valid within one registration.
struct SavedPosition: Hashable, Sendable, Decodable {
    /// Nil in the state of an older version, which has the registration beside it.
    var registrationID: String?
    var position: Int64?

    /// The stored form.
    var json: String {
        var text = JSONText()
        text.add("registrationID", registrationID)
        text.add("position", value: position?.description)
        return text.ended
    }
}

extension Registration {
    fileprivate var json: String {
        var text = JSONText()
        text.add("id", id)
        text.add("secret", secret)
        text.add("userID", value: userID?.description)
        return text.ended
    }
}

extension DeviceValues {
    fileprivate var json: String {
        var text = JSONText()
        text.add("environment", environment.rawValue)
        text.add("system", system)
        text.add("appVersion", appVersion)
        text.add("zone", zone)
        text.add("language", language)
        text.add("channel", channel)
        text.add("permission", permission?.rawValue)
        text.add("token", token)
        text.add("voipToken", voipToken)
        if !activityTokens.isEmpty { text.add("activityTokens", value: LinkWire.text(activityTokens)) }
        if !activityStartTokens.isEmpty { text.add("activityStartTokens", value: LinkWire.text(activityStartTokens)) }
        return text.ended
    }
}

/// An object of JSON in the making.
private struct JSONText {
    private var text = "{"

    /// The whole object.
    var ended: String { text + "}" }

    /// Adds a member, unless it is nil.
    ///
    /// - Parameters:
    ///   - name: the member's, which needs no escapes.
    ///   - value: the value as JSON.
    mutating func add(_ name: StaticString, value: String?) {
        guard let value else { return }
        begin(name)
        text += value
    }

    mutating func add(_ name: StaticString, isOn: Bool) { add(name, value: isOn ? "true" : "false") }

    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        text.append(quoted: value)
    }

    private mutating func begin(_ name: StaticString) {
        text += text.utf8.count > 1 ? ",\"" : "\""
        text += name.description
        text += "\":"
    }
}

extension KeyedDecodingContainer {
    /// The value of a key that an older version may not have written; nil without one.
    func given<Value: Decodable>(_ key: Key) throws -> Value? { try decodeIfPresent(Value.self, forKey: key) }
}
