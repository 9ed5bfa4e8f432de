package import APNSTransport
package import Foundation
package import PushModel

/// Judges a request as APNs does: one pure function from the request and the known facts to a verdict.
///
/// The order of the checks is not published; this one is ours: headers that are repeated, path, method, missing token,
/// authentication, header syntax, size, topic permission, device token. So nobody can probe tokens without a credential.
/// Certificate authentication is left for later.
package struct Judge {
    /// Source: Apple, "Establishing a token-based connection to APNs", read October 2026.
    package static let tokenLifetime: TimeInterval = 3600
    /// How far a provider's clock may be ahead. Our choice.
    package static let tokenSkew: TimeInterval = 300

    /// Where a device token stands.
    package enum Standing: Hashable, Sendable {
        /// Never issued, or issued by the other environment.
        case unknown
        case active(topic: String)
        /// Dead since the date.
        case unregistered(topic: String, since: Date)
    }

    /// A push that is accepted.
    package struct Accepted: Hashable, Sendable {
        package var token: DeviceToken
        package var topic: String
        package var pushType: APNSPushType
        package var priority: Int
        package var expiration: Int64?
        package var collapseID: String?
    }

    package enum Verdict: Hashable, Sendable {
        case accept(Accepted)
        case reject(APNSReason, timestamp: Date? = nil)
    }

    private struct Rejection: Error {
        var reason: APNSReason
        var timestamp: Date?
    }

    let environment: APNSEnvironment
    let now: Date
    /// Who signed a provider token; nil if nobody known.
    let signer: (String) -> (claims: ProviderTokenClaims, key: GatewayKey)?
    /// Whether a team (first) owns a bundle id.
    let owns: (String, String) -> Bool
    let standing: (DeviceToken) -> Standing

    package func judge(_ request: APNSRequest, on connection: inout ConnectionRecord) -> Verdict {
        do {
            return .accept(try accept(request, on: &connection))
        } catch {
            return .reject(error.reason, timestamp: error.timestamp)
        }
    }

    private func accept(
        _ request: APNSRequest,
        on connection: inout ConnectionRecord
    ) throws(Rejection) -> Accepted {
        let headers = try Headers(request)
        let digits = try path(of: request)
        let key = try authenticate(headers.authorization, on: &connection)
        try messageID(headers.id)
        let type = try pushType(headers.pushType)
        let topic = try topic(headers.topic, type, key)
        let accepted = Accepted(
            token: DeviceToken(bytes: []),
            topic: topic,
            pushType: type ?? .alert,
            priority: try priority(headers.priority, type),
            expiration: try expiration(headers.expiration),
            collapseID: try collapseID(headers.collapseID)
        )
        try size(of: request, type)
        try permission(for: topic, type, key)
        return try deliverable(accepted, to: digits)
    }

    // MARK: - Request line

    /// - Returns: the digits of the device token.
    private func path(of request: APNSRequest) throws(Rejection) -> Substring {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), parts[0].isEmpty, parts[1] == "3", parts[2] == "device" else {
            throw Rejection(reason: .badPath)
        }
        guard request.method == "POST" else { throw Rejection(reason: .methodNotAllowed) }
        guard parts.count == 4, !parts[3].isEmpty else { throw Rejection(reason: .missingDeviceToken) }
        return parts[3]
    }

    // MARK: - Authentication

    private func authenticate(
        _ authorization: String?,
        on connection: inout ConnectionRecord
    ) throws(Rejection) -> GatewayKey {
        let words = (authorization ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw Rejection(reason: .missingProviderToken)
        }
        let token = String(words[1])
        guard let (claims, key) = signer(token) else { throw Rejection(reason: .invalidProviderToken) }
        guard !key.isRevoked else { throw Rejection(reason: .forbidden) }
        guard key.environments.contains(environment) else { throw Rejection(reason: .badEnvironmentKeyInToken) }
        let age = now.timeIntervalSince(claims.issuedAt)
        guard age >= -Self.tokenSkew else { throw Rejection(reason: .invalidProviderToken) }
        guard age <= Self.tokenLifetime else { throw Rejection(reason: .expiredProviderToken) }
        if let binding = connection.binding {
            guard binding.teamID == key.teamID else { throw Rejection(reason: .invalidProviderToken) }
            // Two keys of a team for all topics are related; a key for certain topics is related to itself alone.
            guard binding.keyID == key.id || (binding.scope == .team && key.scope == .team) else {
                throw Rejection(reason: .unrelatedKeyIdInToken)
            }
        }
        guard connection.admit(token, at: now) else { throw Rejection(reason: .tooManyProviderTokenUpdates) }
        if connection.binding == nil {
            connection.binding = .init(teamID: key.teamID, keyID: key.id, scope: key.scope)
        }
        return key
    }

    // MARK: - Header syntax

    private func messageID(_ text: String?) throws(Rejection) {
        guard let text else { return }
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups.allSatisfy({ $0.allSatisfy(\.isHexDigit) }) else {
            throw Rejection(reason: .badMessageId)
        }
    }

    private func pushType(_ text: String?) throws(Rejection) -> APNSPushType? {
        guard let text else { return nil }
        let type = APNSPushType(rawValue: text)
        guard type.topicSuffix != nil else { throw Rejection(reason: .invalidPushType) }
        return type
    }

    private func topic(_ text: String?, _ type: APNSPushType?, _ key: GatewayKey) throws(Rejection) -> String {
        guard let text, !text.isEmpty else { throw Rejection(reason: .missingTopic) }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain else { throw Rejection(reason: .badTopic) }
        guard let suffix = type?.topicSuffix else { return text }
        if suffix.isEmpty {
            // A topic of another push type, unless an app happens to be called so.
            let isOther = type != .mdm && Self.suffixes.contains { text.hasSuffix($0) }
            let isListed = if case .topics(let topics) = key.scope { topics.contains(text) } else { false }
            guard !isOther || isListed else { throw Rejection(reason: .badTopic) }
        } else {
            guard text.hasSuffix(suffix), text.count > suffix.count else { throw Rejection(reason: .badTopic) }
        }
        return text
    }

    private func priority(_ text: String?, _ type: APNSPushType?) throws(Rejection) -> Int {
        switch text {
        case nil: return type == .background ? 5 : 10
        case "10" where type != .background: return 10
        case "5": return 5
        case "1": return 1
        default: throw Rejection(reason: .badPriority)
        }
    }

    private func expiration(_ text: String?) throws(Rejection) -> Int64? {
        guard let text else { return nil }
        guard let seconds = Int64(text) else { throw Rejection(reason: .badExpirationDate) }
        return seconds
    }

    private func collapseID(_ text: String?) throws(Rejection) -> String? {
        guard let text else { return nil }
        guard text.utf8.count <= 64 else { throw Rejection(reason: .badCollapseId) }
        return text
    }

    // MARK: - Size, permission, token

    private func size(of request: APNSRequest, _ type: APNSPushType?) throws(Rejection) {
        guard request.bodyBytes > 0 else { throw Rejection(reason: .payloadEmpty) }
        guard request.bodyBytes <= (type ?? .alert).payloadLimit else { throw Rejection(reason: .payloadTooLarge) }
    }

    private func permission(for topic: String, _ type: APNSPushType?, _ key: GatewayKey) throws(Rejection) {
        let candidates = Self.bundleIDs(of: topic, type)
        if case .topics(let topics) = key.scope {
            guard topics.contains(topic) || candidates.contains(where: topics.contains) else {
                throw Rejection(reason: .topicDisallowed)
            }
        }
        guard candidates.contains(where: { owns(key.teamID, $0) }) else { throw Rejection(reason: .topicDisallowed) }
    }

    private func deliverable(_ accepted: Accepted, to digits: Substring) throws(Rejection) -> Accepted {
        guard let token = DeviceToken(digits) else { throw Rejection(reason: .badDeviceToken) }
        let issuedFor: String
        switch standing(token) {
        case .unknown: throw Rejection(reason: .badDeviceToken)
        case .active(let topic): issuedFor = topic
        case .unregistered(let topic, let since):
            guard Self.fits(accepted, topic) else { throw Rejection(reason: .deviceTokenNotForTopic) }
            throw Rejection(reason: .unregistered, timestamp: since)
        }
        guard Self.fits(accepted, issuedFor) else { throw Rejection(reason: .deviceTokenNotForTopic) }
        var accepted = accepted
        accepted.token = token
        return accepted
    }

    private static let suffixes: [String] = [
        APNSPushType.voip, .complication, .fileprovider, .location, .liveactivity, .pushtotalk, .widgets, .controls,
    ].compactMap(\.topicSuffix)

    /// The bundle ids that a topic may stand for: itself, and itself without a suffix.
    private static func bundleIDs(of topic: String, _ type: APNSPushType?) -> [String] {
        let possible = type.map { [$0.topicSuffix ?? ""] } ?? suffixes
        let stripped = possible.filter { !$0.isEmpty && topic.hasSuffix($0) }.map { String(topic.dropLast($0.count)) }
        return [topic] + stripped
    }

    private static func fits(_ accepted: Accepted, _ issuedFor: String) -> Bool {
        accepted.topic == issuedFor || suffixes.contains { accepted.topic == issuedFor + $0 }
    }
}

extension Judge {
    /// The headers that mean something, each at most once.
    private struct Headers {
        var authorization: String?
        var id: String?
        var topic: String?
        var pushType: String?
        var priority: String?
        var expiration: String?
        var collapseID: String?

        init(_ request: APNSRequest) throws(Rejection) {
            for (name, value) in request.headers {
                switch name {
                case "authorization": try Self.set(&authorization, value)
                case "apns-id": try Self.set(&id, value)
                case "apns-topic": try Self.set(&topic, value)
                case "apns-push-type": try Self.set(&pushType, value)
                case "apns-priority": try Self.set(&priority, value)
                case "apns-expiration": try Self.set(&expiration, value)
                case "apns-collapse-id": try Self.set(&collapseID, value)
                default: break
                }
            }
        }

        private static func set(_ field: inout String?, _ value: String) throws(Rejection) {
            guard field == nil else { throw Rejection(reason: .duplicateHeaders) }
            field = value
        }
    }
}
