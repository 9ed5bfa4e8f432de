import Foundation
import PosthornPhone
package import PushModel

/// A push as a provider sends it to APNs, read from a file.
package struct ExplainedPush: Sendable {
    /// The file's name, without its folder.
    package var name: String
    /// The request's headers, names in lower case.
    package var headers: [(name: String, value: String)]
    package var payload: [UInt8]
    /// Why a body of `POST /v3/push` sends nothing to APNs; nil if it does.
    package var refusal: String?
    /// Cautions about the file, which the payload does not show.
    var cautions: [String] = []
    /// The same, of what does not make the push wrong.
    var notes: [String] = []

    /// The bundle id for a push that names no app.
    private static let anyApp = "com.example.app"

    /// The type as sent, or that of the topic's suffix; nil for a push to an app's own topic without a type.
    package var type: APNSPushType? {
        header("apns-push-type").map(APNSPushType.init(rawValue:)) ?? APNSPushType(suffixOf: topic)
    }
    package var topic: String { header("apns-topic") ?? Self.anyApp }
    var expiration: APNSExpiration? {
        header("apns-expiration").flatMap { Int64($0) }.map(APNSExpiration.init(rawValue:))
    }
    package var bundleID: String { type?.bundleID(of: topic) ?? topic }

    /// Whether the app has a token for pushes of the type alone.
    var hasOwnToken: Bool { type == .voip || type == .liveactivity }

    /// The members of the payload; empty if it is not an object.
    var object: JSONObject { (try? JSONValue(parsing: payload))?.object ?? [:] }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

// MARK: Reading

extension ExplainedPush {
    /// Reads a push: `{"headers": …, "payload": …}`, with the headers as an object or, as a gateway records them, a list of pairs; a body of
    /// `POST /v3/push`; anything else is a payload, whose type follows from its members. JSON counts as it is without white space.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - name: its name.
    ///   - options: the phone's language and time, for a body.
    package init(reading bytes: [UInt8], named name: String, _ options: Explanation.Options) {
        let object = (try? JSONValue(parsing: bytes))?.object ?? [:]
        if let payload = object["payload"], let headers = object["headers"] {
            self.init(name: name, headers: Self.fields(headers), payload: payload.bytes)
            if header("apns-topic") == nil { setTopic(of: Self.anyApp) }
            cautions = Self.cautions(about: object, headers)
        } else if object["aps"] == nil, (object["message"]?.object ?? object)["apns"]?.object != nil {
            self.init(name: name, headers: [], payload: [], refusal: Self.firebase)
        } else if object["aps"] == nil,
            ["notification", "live_activity", "message"].contains(where: { object[$0] != nil })
        {
            do { self = try Self(PushRequest(parsing: bytes), from: bytes, named: name, options) } catch {
                self.init(name: name, headers: [], payload: [], refusal: error.message)
            }
        } else {
            let aps = object["aps"]?.object ?? [:]
            let type: APNSPushType =
                if object["mdm"] != nil, aps.isEmpty {
                    .mdm
                } else if aps["content-changed"] != nil {
                    .widgets
                } else if aps["content-state"] != nil {
                    .liveactivity
                } else {
                    JSONValue.object(object).isSilentPush ? .background : .alert
                }
            // The key by which Xcode's Simulator knows the app, and which no provider sends.
            let app = object[Self.simulatorKey]?.string
            var members = object
            members[Self.simulatorKey] = nil
            self.init(
                name: name,
                headers: [("apns-push-type", type.rawValue)],
                payload: object.isEmpty ? bytes : members.bytes
            )
            setTopic(of: app ?? Self.anyApp)
            if object["aps"] == nil, object["payload"]?.object != nil {
                cautions.append("'payload' stands alone; expected 'headers' beside it.")
            }
        }
        if let key = try? Self.repeatedKey(in: bytes) {
            cautions.append("'\(key)' occurs twice in an object; the last one counts.")
        }
    }

    private static let firebase =
        "It is a message for Firebase; expected the push that Firebase makes of it, {\"headers\": {…}, \"payload\": {…}}, as in 'apns'."

    /// Returns the first key that occurs twice in an object of a JSON text; nil if there is none.
    private static func repeatedKey(in text: [UInt8]) throws(JSONSyntaxError) -> String? {
        var parser = JSONParser(bytes: text)
        func repeated() throws(JSONSyntaxError) -> String? {
            if parser.isAtObject {
                guard try parser.enterObject() else { return nil }
                var keys: Set<String> = []
                repeat {
                    let key = try parser.key()
                    guard keys.insert(key).inserted else { return key }
                    if let key = try repeated() { return key }
                } while try parser.hasNextMember()
            } else if parser.isAtArray {
                guard try parser.enterArray() else { return nil }
                repeat { if let key = try repeated() { return key } } while try parser.hasNextElement()
            } else {
                _ = try parser.value()
            }
            return nil
        }
        try parser.start()
        return try repeated()
    }

    /// The fields that APNs reads, and those that any HTTP client sends, beside those of HTTP/2 such as `:path`.
    private static let knownHeaders: Set = [
        "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id",
        "apns-channel-id", "apns-request-id", "authorization", "content-type", "content-length", "user-agent", "accept",
    ]

    /// Cautions about a file with headers. In a list of pairs, as a gateway records them, other fields than APNs' may be of the provider.
    private static func cautions(about file: JSONObject, _ headers: JSONValue) -> [String] {
        guard let written = headers.object else {
            let isRecorded = headers.array?.allSatisfy { $0.array?.count == 2 } == true
            guard isRecorded else { return ["'headers' is \(headers.kind); expected an object."] }
            return fields(headers).filter { $0.name.hasPrefix("apns") }.compactMap { unknown($0.name) }
        }
        return written.keys.compactMap { unknown($0) }
            + file.keys.filter { !["headers", "payload"].contains($0) }.map {
                "'\($0)' stands beside 'headers' and 'payload', and is not sent."
            }
    }

    private static func unknown(_ header: String) -> String? {
        header.hasPrefix(":") || knownHeaders.contains(header.lowercased())
            ? nil : "'\(header)' is not a header that APNs reads."
    }

    private static let simulatorKey = "Simulator Target Bundle"

    private mutating func setTopic(of bundleID: String) {
        headers.append(("apns-topic", type?.topic(of: bundleID) ?? bundleID))
    }

    /// A provider token is not kept.
    private static func fields(_ headers: JSONValue) -> [(name: String, value: String)] {
        let pairs =
            headers.object?.members.map { ($0.key, $0.value) }
            ?? (headers.array ?? []).compactMap { pair in
                pair.array.flatMap { $0.count == 2 ? ($0[0].string ?? "", $0[1]) : nil }
            }
        return pairs.map { (name: $0.0.lowercased(), value: $0.1.string ?? $0.1.text) }
            .filter { $0.name != "authorization" }
    }

    /// The push that the service makes of a request for a device without values of variables, whose badge is 0.
    private init(
        _ given: PushRequest,
        from body: [UInt8],
        named name: String,
        _ options: Explanation.Options
    ) throws(JPushError) {
        guard given.isForAPNs else { throw .missing("The push has no notification, so nothing goes to APNs.") }
        guard given.platforms.contains(.ios) else {
            throw .badValue(
                "'platform' does not include 'ios', so the push reaches no device: the service answers 1011."
            )
        }
        var request = given
        let localized = given.notification.localized
        // The longest ids: no device has fewer bytes left.
        func payload(inLanguageAt place: Int?) -> [UInt8] {
            request.notification = place.map(given.notification.localized(at:)) ?? given.notification
            return PayloadTemplate(request, messageID: MessageID(.max), at: options.date)
                .payload(badge: given.notification.badge?.applied(to: 0), number: .max)
        }
        let own = APNSHeaders(request, bundleID: Self.anyApp)
        let seconds = given.options.timeToLive
        let end: APNSExpiration = seconds == 0 ? .oneAttempt : .at(options.date + TimeInterval(seconds))
        let fields: KeyValuePairs<String, String?> = [
            "apns-push-type": own.pushType.rawValue, "apns-topic": own.topic,
            "apns-priority": own.priority?.description, "apns-expiration": end.description,
            "apns-collapse-id": own.collapseID,
        ]
        let chosen = localized.place(for: options.language)
        self.init(
            name: name,
            headers: fields.compactMap { name, value in value.map { (name, $0) } },
            payload: payload(inLanguageAt: chosen)
        )
        func remarks(on payload: [UInt8]) -> [String] { PayloadReview.remarks(on: payload, of: own.pushType) }
        cautions = given.warnings(in: body).map(\.message)
        for (place, language) in localized.names.enumerated() where place != chosen {
            cautions += remarks(on: payload(inLanguageAt: place)).filter { !remarks(on: self.payload).contains($0) }
                .map { "The alert in '\(language)': \($0)" }
        }
        if given.hasVoIPBesideNotification {
            notes.append("'notification.voip' is sent as a push of its own, which is not explained.")
        }
    }
}
