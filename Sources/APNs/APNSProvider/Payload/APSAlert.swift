import PushModel

/// The visible content of a notification: the value of `aps.alert`.
///
/// A literal is an alert with a body only: `APS(alert: "Lunch is ready")`.
/// Source: Apple, "Generating a remote notification", read October 2026.
public struct APSAlert: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// `title`, or `title-loc-key` and `title-loc-args`.
    public var title: APSText?
    /// `subtitle`, or `subtitle-loc-key` and `subtitle-loc-args` (iOS 10).
    public var subtitle: APSText?
    /// `body`, or `loc-key` and `loc-args`.
    public var body: APSText?
    /// `launch-image`: a file of the app, shown while it starts.
    public var launchImage: String?
    /// `action-loc-key`: the button of alerts up to iOS 9.
    public var actionLocKey: String?
    /// `action`: the button of a website push in Safari.
    public var action: String?

    /// Creates an alert; the parameters are its properties.
    public init(
        title: APSText? = nil,
        subtitle: APSText? = nil,
        body: APSText? = nil,
        launchImage: String? = nil,
        actionLocKey: String? = nil,
        action: String? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.launchImage = launchImage
        self.actionLocKey = actionLocKey
        self.action = action
    }

    public init(stringLiteral value: String) { self.init(body: .literal(value)) }
}

extension APSAlert {
    /// The alert as JSON: a string if there is only a text, else an object.
    var json: JSONValue {
        if case .literal(let text) = body, self == APSAlert(body: body) { return .string(text) }
        var object: JSONObject = [:]
        title?.add(to: &object, "title", prefix: "title-")
        subtitle?.add(to: &object, "subtitle", prefix: "subtitle-")
        body?.add(to: &object, "body", prefix: "")
        addRest(to: &object)
        return .object(object)
    }

    /// The alert of a Live Activity, where titles and bodies may be objects, and the sound is part of the alert.
    func liveActivityJSON(sound: APSSound?) -> JSONValue {
        var object = JSONObject(present: ["title": title?.value, "subtitle": subtitle?.value, "body": body?.value])
        addRest(to: &object)
        object["sound"] = sound?.json
        return .object(object)
    }

    private func addRest(to object: inout JSONObject) {
        object.add(present: ["launch-image": launchImage, "action-loc-key": actionLocKey, "action": action])
    }
}

/// A text of an alert: literal, or looked up by the app in the user's language.
///
/// ```swift
/// APSAlert(title: "Lunch", body: .localized("LUNCH_AT_%@", ["noon"]))
/// ```
public enum APSText: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// A text that is shown unchanged: `title`, `subtitle`, `body`.
    case literal(String)
    /// The key of an entry in the app's `Localizable.strings` and the arguments for its `%@` in order: `title-loc-key` with
    /// `title-loc-args`, and similar.
    case localized(String, [String] = [])

    public init(stringLiteral value: String) { self = .literal(value) }
}

extension APSText {
    /// Adds it under Apple's keys for an ordinary alert; `prefix` is empty for the body.
    func add(to object: inout JSONObject, _ key: String, prefix: String) {
        switch self {
        case .literal(let text): object[key] = .string(text)
        case .localized(let name, let arguments):
            object.add(present: [prefix + "loc-key": name, prefix + "loc-args": arguments.isEmpty ? nil : arguments])
        }
    }

    /// The text as a single value, as in the alert of a Live Activity.
    var value: JSONValue {
        switch self {
        case .literal(let text): return .string(text)
        case .localized(let name, let arguments):
            return .object(JSONObject(present: ["loc-key": name, "loc-args": arguments.isEmpty ? nil : arguments]))
        }
    }
}

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
        return .object(JSONObject(present: ["critical": critical ? 1 : nil, "name": name, "volume": volume]))
    }
}
