import Foundation
import PushModel
import SystemPort

/// A push for a Live Activity, as the system parses it.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications", read November 2026.
struct ActivityPush: Sendable {
    enum Event: Sendable {
        /// The type and its attributes as JSON.
        case start(type: String, attributes: String)
        case update
        case end(LiveActivityDismissal)
    }

    /// A payload that the system cannot use.
    struct Problem: Error {
        var text: String
    }

    var event: Event
    /// The time of the state, in seconds since 1970.
    var timestamp: TimeInterval
    /// The content state as JSON; nil if the push leaves it as it is.
    var state: String?
    var staleDate: Date?
    var relevanceScore: Double?
    var alert: LiveActivityAlert?
    /// Whether a started activity gets a token for its updates: `input-push-token` is 1.
    var asksForToken = false
    /// The channel that a started activity listens to.
    var channel: String?

    /// Reads a payload, with the app's strings in the device's language.
    ///
    /// - Throws: a ``Problem`` that names the key, what was found and what was expected.
    init(_ bytes: [UInt8], strings: [String: String]) throws(Problem) {
        guard let object = (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.object else {
            throw Problem(text: "the payload is not a JSON object")
        }
        let aps = object["aps"]?.object ?? [:]
        guard let timestamp = aps["timestamp"]?.double else {
            throw Problem(text: "'timestamp' is \(Self.found(aps["timestamp"])); expected seconds since 1970")
        }
        self.timestamp = timestamp
        event = try Self.event(aps)
        state = aps["content-state"]?.text
        staleDate = aps["stale-date"]?.double.map { Date(timeIntervalSince1970: $0) }
        relevanceScore = aps["relevance-score"]?.double
        alert = LiveActivityAlert(aps["alert"], strings)
        asksForToken = aps["input-push-token"]?.isOn == true
        channel = aps["input-push-channel"]?.string
        if state == nil, !isEnd {
            throw Problem(text: "'content-state' is missing; expected a value of the app's ContentState")
        }
    }

    /// Whether it ends the activity.
    var isEnd: Bool { if case .end = event { true } else { false } }

    private static func event(_ aps: JSONObject) throws(Problem) -> Event {
        switch aps["event"]?.string {
        case "update": return .update
        case "end":
            // A date in the past removes it at once.
            let date = aps["dismissal-date"]?.double.map { Date(timeIntervalSince1970: $0) }
            return .end(date.map(LiveActivityDismissal.after) ?? .automatic)
        case "start":
            guard let type = aps["attributes-type"]?.string else {
                throw Problem(
                    text: "'attributes-type' is \(found(aps["attributes-type"])); expected the name of the app's type"
                )
            }
            guard let attributes = aps["attributes"] else {
                throw Problem(text: "'attributes' is missing; expected a value of '\(type)'")
            }
            return .start(type: type, attributes: attributes.text)
        default: throw Problem(text: "'event' is \(found(aps["event"])); expected start, update or end")
        }
    }

    private static func found(_ value: JSONValue?) -> String { value.map { "'\($0.string ?? $0.text)'" } ?? "missing" }
}

extension LiveActivityAlert {
    /// Reads the alert of a push. Title and body are texts, or objects with `loc-key` and `loc-args`; the sound is inside the alert.
    fileprivate init?(_ json: JSONValue?, _ strings: [String: String]) {
        guard let json else { return nil }
        let object = json.object ?? ["body": json]
        func text(_ key: String) -> String {
            guard let value = object[key] else { return "" }
            guard let localized = value.object, let name = localized["loc-key"]?.string else {
                return value.string ?? ""
            }
            return LocalizedText.fill(strings[name] ?? name, with: localized["loc-args"])
        }
        let name = object["sound"]?.string
        self.init(
            title: text("title"),
            body: text("body"),
            sound: name.map { SoundRecord(name: $0 == "default" ? nil : $0) }
        )
    }

    /// Title and body in one line.
    var line: String { [title, body].line }
}
