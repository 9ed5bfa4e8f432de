import Foundation

/// A time of day during which devices are not disturbed.
///
/// The JSON form is `{"from":"22:00","to":"07:00"}`, with optional `zone` and `allow_time_sensitive`. An extension of Posthorn.
package struct QuietHours: Hashable, Sendable {
    package enum Zone: Hashable, Sendable {
        /// The zone of each device, as reported by its SDK; otherwise the service's zone.
        case device
        /// An IANA name.
        case named(String)
    }

    /// The start, in seconds since midnight.
    ///
    /// The hours end before ``to``, on the next day if that is earlier.
    package let from: Int
    /// The end, in seconds since midnight; never equal to ``from``.
    package let to: Int
    package var zone: Zone
    /// Whether pushes with the interruption levels `time-sensitive` and `critical` are sent anyway.
    package var allowsTimeSensitive: Bool

    /// Nil if both times are equal or one is outside a day.
    package init?(from: Int, to: Int, zone: Zone = .device, allowsTimeSensitive: Bool = false) {
        let day = 0..<86_400
        guard from != to, day.contains(from), day.contains(to) else { return nil }
        self.from = from
        self.to = to
        self.zone = zone
        self.allowsTimeSensitive = allowsTimeSensitive
    }
}

extension QuietHours: JSONFormed {
    private static let keys = ["from", "to", "zone", "allow_time_sensitive"]

    /// Parses the object, whose name in error messages is `path`.
    ///
    /// - Throws: 1003, or 1009 for an unknown key.
    package init(json: JSONValue, at path: String) throws(JPushError) {
        guard let object = json.object else {
            throw .badValue("'\(path)' is \(json.kind); expected an object with 'from' and 'to', or false.")
        }
        let from = try Self.time("from", in: object, at: path)
        let to = try Self.time("to", in: object, at: path)
        let zone = try Self.zone(object["zone"], at: path)
        var allows = false
        if let value = object["allow_time_sensitive"] {
            guard let flag = value.jpushBool else {
                throw .badValue("'\(path).allow_time_sensitive' is \(value.kind); expected true or false.")
            }
            allows = flag
        }
        for key in object.keys where !Self.keys.contains(key) {
            throw .unsupportedKey("'\(path).\(key)' is not known; expected \(Self.keys.joined(separator: ", ")).")
        }
        guard let hours = Self(from: from, to: to, zone: zone, allowsTimeSensitive: allows) else {
            throw .badValue(
                """
                '\(path)' is from \(Self.text(from)) to \(Self.text(to)); the two must differ. To send nothing at all, leave the \
                push out; to disable quiet hours, use false.
                """
            )
        }
        self = hours
    }

    package static var form: JSONForm<QuietHours> {
        JSONForm("quiet hours") { try? QuietHours(json: $0, at: "quiet_hours") }
    }

    /// The JSON form.
    package var json: JSONValue {
        let zone = if case .named(let name) = zone { name } else { "device" }
        return [
            "from": .string(Self.text(from)), "to": .string(Self.text(to)), "zone": .string(zone),
            "allow_time_sensitive": .bool(allowsTimeSensitive),
        ]
    }

    private static func time(_ key: String, in object: JSONObject, at path: String) throws(JPushError) -> Int {
        guard let value = object[key] else {
            throw .badValue("'\(path).\(key)' is missing; expected a time of day such as \"22:00\".")
        }
        guard let text = value.string, text.utf8.count == 5, let time = WallTime.secondOfDay(text + ":00") else {
            throw .badValue(
                "'\(path).\(key)' is \(value.text.prefix(40)); expected a time of day, \"00:00\" to \"23:59\"."
            )
        }
        return time
    }

    private static func zone(_ value: JSONValue?, at path: String) throws(JPushError) -> Zone {
        guard let value else { return .device }
        guard let name = value.string, name == "device" || TimeZone(iana: name) != nil else {
            let expected = TimeZone.expectedName(insteadOf: value.string)
            throw .badValue("'\(path).zone' is \(value.text.prefix(80)); expected \"device\", or \(expected).")
        }
        return name == "device" ? .device : .named(name)
    }

    /// Returns a time of day, such as `22:00`.
    package static func text(_ time: Int) -> String { String(WallTime.text(time).prefix(5)) }
}

extension QuietHours {
    /// The quiet hours option of a push (`options.x_quiet_hours`).
    package enum Choice: Hashable, Sendable {
        /// Not given: the app's quiet hours apply.
        case ofApp
        /// `false`: the push ignores quiet hours.
        case none
        case own(QuietHours)

        /// - Throws: the same errors as ``QuietHours/init(json:at:)``.
        init(json: JSONValue?, at path: String) throws(JPushError) {
            switch json {
            case nil: self = .ofApp
            case let value? where value.jpushBool == false: self = .none
            case let value?: self = .own(try QuietHours(json: value, at: path))
            }
        }

        /// Returns the quiet hours that apply to the push.
        package func hours(ofApp hours: QuietHours?) -> QuietHours? {
            switch self {
            case .ofApp: hours
            case .none: nil
            case .own(let hours): hours
            }
        }
    }
}
