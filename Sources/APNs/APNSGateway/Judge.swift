import APNSTransport
import DeviceLink
import Foundation
import NetworkSupport
import PushModel

/// Judges a request as APNs does, from the request and the known facts alone.
///
/// The order of the checks is not published; this one is ours: repeated headers, path, method, missing token,
/// authentication, header syntax, size, topic permission, device token. So nobody can probe tokens without a credential.
///
/// A client certificate takes precedence over a provider token, which is then ignored. Source: Apple, "Sending notification
/// requests to APNs", read October 2026, of the header authorization.
struct Judge {
    /// The lifetime of a provider token. Source: Apple, "Establishing a token-based connection to APNs", read October 2026.
    package static let tokenLifetime: TimeInterval = 3600
    /// The largest lead of a provider's clock. Our choice.
    package static let tokenSkew: TimeInterval = 300

    /// An accepted push. Not copyable, as it is passed on with each push.
    struct Accepted: ~Copyable, Sendable {
        /// The device token; nil if the digits cannot be those of one of our tokens.
        var token: TokenKey?
        var head: PushHead
        var expiration: Int64?
    }

    struct Rejection: Error, Hashable {
        var reason: APNSReason
        var timestamp: Date?

        init(_ reason: APNSReason, timestamp: Date? = nil) {
            self.reason = reason
            self.timestamp = timestamp
        }
    }

    let environment: APNSEnvironment
    let now: Date
    let credentials: CredentialRegistry

    /// Judges everything except the state of the token, which ``deliverable(_:to:deadSince:hasExpired:)`` judges.
    func judge(
        _ request: HTTP2Message,
        _ bytes: Span<UInt8>,
        on connection: inout ProviderConnectionState
    ) throws(Rejection) -> Accepted {
        guard !request.isRepeated(.single) else { throw Rejection(.duplicateHeaders) }
        let token = try token(of: request, bytes)
        let version = credentials.version
        if connection.permits(request, bytes, version: version, at: now), let limit = connection.permit?.payloadLimit,
            let permitted = connection.permit?.head
        {
            try checkID(of: request, bytes)
            let expiration = try expiration(request)
            let collapseID = try collapseID(request)
            try size(of: request, limit: limit)
            let head = collapseID == nil ? permitted : permitted.with(collapseID: collapseID)
            return Accepted(token: token, head: head, expiration: expiration)
        }
        connection.permit = nil
        let credential = try authenticate(request, on: &connection)
        try checkID(of: request, bytes)
        let given = try pushType(request.text(of: .pushType))
        let topic = try topic(request.text(of: .topic), of: given, credential: credential)
        let type = given ?? pushType(of: topic, credential)
        let priority = try priority(request.text(of: .priority), given)
        let expiration = try expiration(request)
        let collapseID = try collapseID(request)
        let head = PushHead(topic: topic, pushType: type, priority: priority, collapseID: collapseID)
        // Apple, "Generating a remote notification", read November 2026, has the limit of VoIP notifications, not of a header; the limit is
        // older than the header ("Local and Remote Notification Programming Guide").
        let limit = (type ?? .alert).payloadLimit
        try size(of: request, limit: limit)
        try permission(for: topic, type, credential)
        connection.permit = Permit(
            request,
            version: version,
            end: credential.end,
            head: head.with(collapseID: nil),
            payloadLimit: limit
        )
        return Accepted(token: token, head: head, expiration: expiration)
    }

    // MARK: - Request line

    static let prefixCount = 10

    /// Whether a path begins with `/3/device/`; its first eight octets are compared as one number.
    private func isDevice(_ path: Span<UInt8>) -> Bool {
        path.count >= Self.prefixCount && path.bigEndian64(at: 0) == 0x2F33_2F64_6576_6963
            && path[8] == UInt8(ascii: "e") && path[9] == UInt8(ascii: "/")
    }

    /// - Returns: the device token; nil if its digits cannot be those of one of our tokens.
    private func token(of request: HTTP2Message, _ bytes: Span<UInt8>) throws(Rejection) -> TokenKey? {
        let path = request.range(of: .path) ?? 0..<0
        let isDevice = isDevice(bytes.extracting(path))
        let digits = path.dropFirst(Self.prefixCount)
        if isDevice, let token = TokenKey(digits: bytes.extracting(digits)) {
            try method(of: request, bytes)
            return token
        }
        guard isDevice, !contains(bytes.extracting(digits), UInt8(ascii: "/")) else {
            let text = request.text(of: .path)
            guard text == "/3/device" else { throw Rejection(.badPath) }
            try method(of: request, bytes)
            throw Rejection(.missingDeviceToken)
        }
        try method(of: request, bytes)
        guard !digits.isEmpty else { throw Rejection(.missingDeviceToken) }
        guard digits.count <= 2 * Gateway.longestToken else { return nil }
        return DeviceToken(request.text(of: .path)?.dropFirst(Self.prefixCount) ?? "").map { TokenKey($0) }
    }

    private func contains(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
        for index in 0..<bytes.count where bytes[index] == byte { return true }
        return false
    }

    private func method(of request: HTTP2Message, _ bytes: Span<UInt8>) throws(Rejection) {
        guard let method = request.range(of: .method), isPost(bytes.extracting(method)) else {
            throw Rejection(.methodNotAllowed)
        }
    }

    private func isPost(_ method: Span<UInt8>) -> Bool {
        method.count == 4 && method[0] == UInt8(ascii: "P") && method[1] == UInt8(ascii: "O")
            && method[2] == UInt8(ascii: "S") && method[3] == UInt8(ascii: "T")
    }

    // MARK: - Authentication

    /// Identifies the credential; an outage is reported before that.
    func authenticate(
        _ request: HTTP2Message,
        on connection: inout ProviderConnectionState
    ) throws(Rejection) -> RequestCredential {
        if let outage = credentials.outage { throw Rejection(outage) }
        let credential: RequestCredential
        if let certificate = connection.certificate() {
            try check(certificate)
            credential = .certificate(certificate)
        } else {
            credential = try signer(request.text(of: .authorization), on: &connection)
        }
        connection.isAuthenticated = true
        return credential
    }

    /// Checks a certificate. One that is not valid yet is accepted, our choice: the gateway's clock may be a scenario's, and
    /// not the issuer's.
    private func check(_ certificate: ProviderCertificate) throws(Rejection) {
        guard certificate.isBelieved, !certificate.topics.isEmpty, now < certificate.notValidAfter,
            !credentials.isRevoked(certificate)
        else { throw Rejection(.badCertificate) }
        guard certificate.environments.contains(environment) else { throw Rejection(.badCertificateEnvironment) }
    }

    /// Returns the key that signed the provider token.
    private func signer(
        _ authorization: String?,
        on connection: inout ProviderConnectionState
    ) throws(Rejection) -> RequestCredential {
        guard let token = Authorization.bearerToken(in: authorization).map(String.init) else {
            throw Rejection(.missingProviderToken)
        }
        guard let (claims, key) = credentials.check(token) else { throw Rejection(.invalidProviderToken) }
        guard !key.isRevoked else { throw Rejection(.forbidden) }
        guard key.environments.contains(environment) else { throw Rejection(.badEnvironmentKeyInToken) }
        let age = now.timeIntervalSince(claims.issuedAt)
        guard age >= -Self.tokenSkew else { throw Rejection(.invalidProviderToken) }
        guard age <= Self.tokenLifetime else { throw Rejection(.expiredProviderToken) }
        if let binding = connection.binding {
            guard binding.teamID == key.teamID else { throw Rejection(.invalidProviderToken) }
            guard key.mayFollow(binding) else { throw Rejection(.unrelatedKeyIdInToken) }
        }
        let isAdmitted = connection.admit(token, of: key.id, at: now) {
            credentials.admit(token, of: key.id, environment, at: now)
        }
        guard isAdmitted else { throw Rejection(.tooManyProviderTokenUpdates) }
        if connection.binding == nil {
            connection.binding = .init(teamID: key.teamID, keyID: key.id, scope: key.scope)
        }
        return .key(key, until: claims.issuedAt.addingTimeInterval(Self.tokenLifetime))
    }

    // MARK: - Header syntax

    private func checkID(of request: HTTP2Message, _ bytes: Span<UInt8>) throws(Rejection) {
        guard let range = request.range(of: .apnsID) else { return }
        guard APNSID(bytes.extracting(range)) != nil else { throw Rejection(.badMessageId) }
    }

    private func pushType(_ text: String?) throws(Rejection) -> APNSPushType? {
        guard let text else { return nil }
        let type = APNSPushType(rawValue: text)
        guard type.topicSuffix != nil else { throw Rejection(.invalidPushType) }
        return type
    }

    /// Returns the push type that a topic stands for if the header is missing; nil for a topic that can be an app's own.
    ///
    /// Before `apns-push-type` was introduced the suffix alone made a push a call, and such pushes still arrive
    /// (Pr0Ger/PyAPNs2#87). Bundle ids may end in a suffix, too: `com.example.voip` (alexalok/dotAPNS#90).
    private func pushType(of topic: String, _ credential: RequestCredential) -> APNSPushType? {
        guard let type = APNSPushType(suffixOf: topic), let suffix = type.topicSuffix, !credential.lists(topic),
            !credentials.isBundleID(topic, ratherThan: String(topic.dropLast(suffix.count)))
        else { return nil }
        return type
    }

    /// Reads the topic, and checks that it is one of the push type.
    ///
    /// Apple, "Sending notification requests to APNs", read October 2026, has a suffix for each of the other types, so `.voip` is for calls
    /// alone. An app's own types with the topic of another type are `InvalidPushType`, as APNs answers for calls (Pr0Ger/PyAPNs2#87,
    /// ostinelli/apnotic#87, jchambers/pushy#719). Every other topic that is not of the type is `BadTopic`.
    private func topic(
        _ given: String?,
        of type: APNSPushType?,
        credential: RequestCredential
    ) throws(Rejection) -> String {
        guard let text = given.flatMap({ $0.isEmpty ? nil : $0 }) ?? credential.onlyTopic else {
            throw Rejection(.missingTopic)
        }
        guard text.isWrittenLikeTopic else { throw Rejection(.badTopic) }
        guard let suffix = type?.topicSuffix else { return text }
        if suffix.isEmpty {
            // Unless an app happens to have that name.
            let isOther = type != .mdm && pushType(of: text, credential) != nil
            guard !isOther else { throw Rejection(.invalidPushType) }
        } else {
            guard text.hasSuffix(suffix), text.count > suffix.count else { throw Rejection(.badTopic) }
        }
        return text
    }

    func priority(_ text: String?, _ type: APNSPushType?) throws(Rejection) -> Int {
        switch text {
        case nil: return type == .background ? 5 : 10
        case "10" where type != .background: return 10
        case "5": return 5
        case "1": return 1
        default: throw Rejection(.badPriority)
        }
    }

    func expiration(_ request: HTTP2Message) throws(Rejection) -> Int64? {
        guard let text = request.text(of: .expiration) else { return nil }
        guard let seconds = Int64(text) else { throw Rejection(.badExpirationDate) }
        return seconds
    }

    private func collapseID(_ request: HTTP2Message) throws(Rejection) -> String? {
        guard let text = request.text(of: .collapseID) else { return nil }
        guard text.utf8.count <= 64 else { throw Rejection(.badCollapseId) }
        return text
    }

    // MARK: - Size, permission, token

    func size(of request: HTTP2Message, limit: Int) throws(Rejection) {
        let count = request.bodyCount
        guard count > 0 else { throw Rejection(.payloadEmpty) }
        guard count <= limit else { throw Rejection(.payloadTooLarge) }
    }

    private func permission(
        for topic: String,
        _ type: APNSPushType?,
        _ credential: RequestCredential
    ) throws(Rejection) {
        switch credential {
        case .key(let key, _): try permission(for: topic, type, key)
        case .certificate(let certificate):
            let isPossible = type.map { !ProviderCertificate.tokenTypes.contains($0) } ?? true
            guard isPossible, certificate.topics.contains(topic) else { throw Rejection(.topicDisallowed) }
        }
    }

    private func permission(for topic: String, _ type: APNSPushType?, _ key: GatewayKey) throws(Rejection) {
        let candidates = Self.bundleIDs(of: topic, type)
        if case .topics(let topics) = key.scope {
            guard topics.contains(topic) || candidates.contains(where: topics.contains) else {
                throw Rejection(.topicDisallowed)
            }
        }
        guard candidates.contains(where: { credentials.owns(key.teamID, $0) }) else {
            throw Rejection(.topicDisallowed)
        }
    }

    /// Judges an accepted push by its token, which was issued for `topic` and may be dead.
    ///
    /// `hasExpired` is the token has died of old age, and not with its app.
    static func deliverable(
        _ head: PushHead,
        to topic: String,
        deadSince date: Date?,
        hasExpired: Bool = false
    ) throws(Rejection) {
        guard fits(head, topic) else { throw Rejection(.deviceTokenNotForTopic) }
        if let date { throw Rejection(hasExpired ? .expiredToken : .unregistered, timestamp: date) }
    }

    /// Returns the bundle ids that a topic may stand for: itself, and itself without a suffix.
    private static func bundleIDs(of topic: String, _ type: APNSPushType?) -> [String] {
        let possible = type.map { [$0.topicSuffix ?? ""] } ?? APNSPushType.suffixes
        let stripped = possible.filter { !$0.isEmpty && topic.hasSuffix($0) }.map { String(topic.dropLast($0.count)) }
        return [topic] + stripped
    }

    /// The suffixes of topics that an app's token for notifications also serves.
    ///
    /// PushKit has a token of its own for calls: APNs refuses one for notifications, as developers have observed
    /// (Pr0Ger/PyAPNs2 issue 134, react-native-voip-push-notification issue 90).
    private static let shared = APNSPushType.suffixes.filter { $0 != APNSPushType.voip.topicSuffix }

    private static func fits(_ head: PushHead, _ issuedFor: String) -> Bool {
        if head.topic == issuedFor || shared.contains(where: { head.topic == issuedFor + $0 }) { return true }
        // One of several tokens of a topic.
        return issuedFor.contains("/") && CourierTopic(text: issuedFor).topic == head.topic
    }
}
