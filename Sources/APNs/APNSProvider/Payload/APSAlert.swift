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
        var object: JSONObject = [:]
        object["title"] = title?.value
        object["subtitle"] = subtitle?.value
        object["body"] = body?.value
        addRest(to: &object)
        object["sound"] = sound?.json
        return .object(object)
    }

    private func addRest(to object: inout JSONObject) {
        object["launch-image"] = launchImage.map { .string($0) }
        object["action-loc-key"] = actionLocKey.map { .string($0) }
        object["action"] = action.map { .string($0) }
    }
}
