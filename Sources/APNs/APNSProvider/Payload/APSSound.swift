import PushModel

/// The sound of a notification: the value of `aps.sound`.
public struct APSSound: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A sound file in the app's bundle or in `Library/Sounds` of its container. A missing file is replaced by
    /// ``default``.
    public var name: String
    /// Whether it plays while the device is muted. The app needs an entitlement from Apple for it.
    public var critical: Bool
    /// The volume of a critical sound, from 0 to 1; nil leaves the key out.
    public var volume: Double?

    /// Creates a sound.
    public init(_ name: String, critical: Bool = false, volume: Double? = nil) {
        self.name = name
        self.critical = critical
        self.volume = volume
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// The system's sound.
    public static let `default` = Self("default")

    /// Returns a critical alert's sound; `volume` is from 0 to 1.
    public static func critical(_ name: String = "default", volume: Double = 1) -> Self {
        Self(name, critical: true, volume: volume)
    }
}

extension APSSound {
    var json: JSONValue {
        guard critical || volume != nil else { return .string(name) }
        var object: JSONObject = [:]
        if critical { object["critical"] = 1 }
        object["name"] = .string(name)
        object["volume"] = volume.map { .double($0) }
        return .object(object)
    }
}
