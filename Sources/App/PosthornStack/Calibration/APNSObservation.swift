package import APNSTransport
import Foundation
import PushModel

/// The behaviour of a server in one row, in words that can be published.
///
/// Each value comes from a closed vocabulary: text of the server's own is reduced to what it is an example of, so that nothing that the
/// server repeats gets in.
package struct APNSObservation: Hashable, Sendable {
    package enum Aspect: String, Sendable {
        case status, reason, timestamp, body, connection, settings
        case id = "apns-id"
        case uniqueID = "apns-unique-id"
        case contentType = "content-type"
        case fields = "other fields"
        case firstStreams = "streams at first"
        case streams
    }

    package var aspects: [String: String] = [:]

    package subscript(aspect: Aspect) -> String? {
        get { aspects[aspect.rawValue] }
        set { aspects[aspect.rawValue] = newValue }
    }

    package init() {}

    // MARK: - Answers

    /// Reads an answer to a request, of which `sent` was the `apns-id`.
    package mutating func read(_ answer: APNSAnswer, sent: String?) {
        let object = (try? JSONValue(parsing: answer.body))?.object
        self[.status] = "\(answer.status)"
        self[.reason] = object?["reason"]?.string.map(Self.reason)
        self[.timestamp] = object?["timestamp"].map { $0.integer == nil ? "no number" : "number" }
        self[.body] = Self.kind(of: answer.body, object)
        self[.id] = Self.id(answer.header("apns-id"), sent: sent)
        self[.uniqueID] = answer.header("apns-unique-id").map { UUID(uuidString: $0) == nil ? "no UUID" : "UUID" }
        self[.contentType] = answer.header("content-type").map { $0 == "application/json" ? $0 : "other" }
        let named = Set([Aspect.id, .uniqueID, .contentType].map(\.rawValue))
        let others = Set(answer.headers.map(\.name)).subtracting(named).map(Self.field)
        if !others.isEmpty { self[.fields] = Set(others).sorted().joined(separator: ", ") }
    }

    private static func kind(of body: [UInt8], _ object: JSONObject?) -> String {
        if body.isEmpty { return "empty" }
        return object == nil ? "other" : "JSON"
    }

    /// Reads the end of a stream without an answer.
    package mutating func read(_ failure: APNSStreamFailure) {
        self[.status] = failure.reset.map { "reset, \($0)" } ?? (failure.fate == .refused ? "refused" : "none")
    }

    /// A reason as APNs writes them: capitalised words. Ids, topics, tokens and addresses have another form.
    private static func reason(_ text: String) -> String {
        let isReason =
            text.utf8.count <= 40 && text.wholeMatch(of: #/([A-Z][a-z]+){2,}|Forbidden|Shutdown|Unregistered/#) != nil
        return isReason ? text : "other text"
    }

    private static func id(_ text: String?, sent: String?) -> String {
        guard let text else { return "none" }
        if let sent {
            if text == sent { return "echoed" }
            if text.lowercased() == sent.lowercased() { return "echoed in another case" }
        }
        guard UUID(uuidString: text) != nil else { return "no UUID" }
        switch text {
        case text.lowercased(): return "new, lower case"
        case text.uppercased(): return "new, upper case"
        default: return "new"
        }
    }

    private static let knownFields: Set<String> = [
        "date", "server", "retry-after", "content-length", "content-encoding", "cache-control", "via", "vary",
        "apns-channel-id", "apns-request-id", "apns-collapse-id", "apns-topic", "strict-transport-security",
    ]

    private static func field(_ name: String) -> String { knownFields.contains(name) ? name : "a further field" }

    // MARK: - Connections

    /// Reads the settings of a connection.
    package mutating func read(_ settings: PeerSettings) {
        self[.settings] =
            "header list \(settings.maxHeaderListSize.map(String.init) ?? "unlimited"), "
            + "frame \(settings.maxFrameSize), header table \(settings.headerTableSize), "
            + "window \(settings.initialWindowSize)"
    }

    /// Reads the end of a connection; one without GOAWAY was simply closed.
    package mutating func read(_ goAway: APNSGoAway?) {
        let reason = goAway.flatMap { (try? JSONValue(parsing: $0.debugData))?.object?["reason"]?.string }
        let words =
            goAway.map { ["GOAWAY", "\(HTTP2ErrorCode(rawValue: UInt32(clamping: $0.errorCode)))"] } ?? ["closed"]
        self[.connection] = (words + [reason.map(Self.reason)].compactMap(\.self)).joined(separator: " ")
    }

    // MARK: - Verdicts

    /// Compares two servers in a row. An answer that says that the service is busy decides nothing.
    static func compare(_ row: String, theirs: Self, ours: Self) -> CalibrationReport.Row {
        let status = theirs[.status].flatMap(Int.init) ?? 0
        guard theirs[.status] == ours[.status] || status != 429 && status < 500 else {
            return .init(undecided: row, because: "the answer was \(status) \(theirs[.reason] ?? "")")
        }
        return .init(row, theirs: theirs.aspects, ours: ours.aspects)
    }

    /// The obstacle to a comparison that the answer to a correct push shows; nil if there is none.
    var obstacle: String? {
        guard self[.id] != "none", self[.reason] != nil || self[.status] == "200" else {
            return
                "This is no APNs: it answered \(self[.status] ?? "none") to a push, without a reason or without apns-id."
        }
        guard self[.reason] != APNSReason.invalidPushType.rawValue else {
            return
                "The topic is refused: InvalidPushType. It is one of another push type; expected the app's bundle id, without a suffix."
        }
        guard self[.status] != "403", !["TopicDisallowed", "BadTopic", "MissingTopic"].contains(self[.reason]) else {
            let reason = self[.reason].map { APNSReason(rawValue: $0) }
            let advice = reason?.advice(status: 403)
            return "The credential is refused: \(reason?.rawValue ?? "no reason"). "
                + [advice?.meaning, advice?.remedy].compactMap(\.self).joined(separator: " ")
        }
        return nil
    }
}
