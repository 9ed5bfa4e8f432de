import APNSTransport
import Foundation
import PushModel

/// Requests about broadcast channels. The reasons follow Apple's "Sending channel management requests to APNs" and "Sending
/// broadcast push notification requests to APNs", read October 2026; they give no order.
/// Our choice is the order of ``Judge``: path, method, authentication, permission for managing, headers, size, body.
extension Judge {
    /// The largest broadcast in octets; also, our choice, the largest request to create a channel.
    static let broadcastLimit = 5120
    // MARK: - Managing

    /// Judges a request to the channel management hosts, except for facts that only the channels know.
    func management(
        _ request: HTTP2Message,
        on connection: inout ProviderConnectionState
    ) throws(Rejection) -> (ChannelRequest, bundleID: String) {
        guard !request.isRepeated(.single) else { throw Rejection(.duplicateHeaders) }
        let (bundleID, isList) = try managementPath(request.text(of: .path) ?? "")
        let method = request.text(of: .method) ?? ""
        guard isList ? method == "GET" : ["POST", "GET", "DELETE"].contains(method) else {
            throw Rejection(.methodNotAllowed)
        }
        let credential = try authenticate(request, on: &connection)
        try requestID(request)
        try bundle(bundleID)
        guard covers(credential, bundleID) else { throw Rejection(.topicMismatch) }
        if isList { return (.list, bundleID) }
        switch method {
        case "GET": return (.read(try channelID(request)), bundleID)
        case "DELETE": return (.delete(try channelID(request)), bundleID)
        default: return (.create(try storage(request)), bundleID)
        }
    }

    private func managementPath(_ path: String) throws(Rejection) -> (bundleID: String, isList: Bool) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "1", parts[2] == "apps",
            parts[4] == "channels" || parts[4] == "all-channels"
        else { throw Rejection(.badPath) }
        return (String(parts[3]), parts[4] == "all-channels")
    }

    /// Reads `{"message-storage-policy":0,"push-type":"LiveActivity"}`.
    private func storage(_ request: HTTP2Message) throws(Rejection) -> ChannelStorage {
        try size(of: request, limit: Self.broadcastLimit)
        guard let object = (try? JSONValue(parsing: request.keptBody))?.object else {
            throw Rejection(.badRequestPayload)
        }
        guard let type = object["push-type"]?.string else { throw Rejection(.missingPushType) }
        guard type.lowercased() == APNSPushType.liveactivity.rawValue else { throw Rejection(.invalidPushType) }
        guard let storage = object["message-storage-policy"]?.integer.flatMap(ChannelStorage.init(rawValue:)) else {
            // Not in Apple's list; seen in the field.
            throw Rejection(APNSReason(rawValue: "MissingChannelQueueSize"))
        }
        return storage
    }

    // MARK: - Sending

    static let broadcastPrefix = "/4/broadcasts/apps/"

    /// A permitted and well-formed message to a channel.
    struct Publication: Hashable {
        var bundleID: String
        var channel: String
        /// The priority: 10, 5 or 1.
        var priority: Int
        /// The expiration in seconds since 1970; 0 for one attempt.
        var expiration: Int64
    }

    /// Judges a message to a channel, except for facts that only the channel knows.
    func broadcast(
        _ request: HTTP2Message,
        on connection: inout ProviderConnectionState
    ) throws(Rejection) -> Publication {
        let path = request.text(of: .path) ?? ""
        let bundleID = String(path.dropFirst(Self.broadcastPrefix.count))
        guard path.hasPrefix(Self.broadcastPrefix), !bundleID.contains("/") else { throw Rejection(.badPath) }
        guard request.text(of: .method) == "POST" else { throw Rejection(.methodNotAllowed) }
        let credential = try authenticate(request, on: &connection)
        try requestID(request)
        try bundle(bundleID)
        let channel = try channelID(request)
        // The pages about broadcasts write `Liveactivity` as well.
        guard let type = request.text(of: .pushType) else { throw Rejection(.missingPushType) }
        guard type.lowercased() == APNSPushType.liveactivity.rawValue else { throw Rejection(.invalidPushType) }
        let priority = try priority(request.text(of: .priority), .liveactivity)
        // One attempt by default, our choice.
        let expiration = try expiration(request) ?? 0
        try size(of: request, limit: Self.broadcastLimit)
        guard covers(credential, bundleID) else { throw Rejection(.topicDisallowed) }
        return Publication(bundleID: bundleID, channel: channel, priority: priority, expiration: expiration)
    }

    // MARK: - Both

    private func requestID(_ request: HTTP2Message) throws(Rejection) {
        for name in [FieldName.requestID, .apnsID] {
            guard let text = request.text(of: name) else { continue }
            guard APNSID(text) != nil else { throw Rejection(.badMessageId) }
        }
    }

    /// Rejects text that cannot be a bundle id as a bad parameter, our choice.
    private func bundle(_ bundleID: String) throws(Rejection) {
        guard !bundleID.isEmpty, bundleID.isWrittenLikeTopic else { throw Rejection(.badRequestParams) }
    }

    private func channelID(_ request: HTTP2Message) throws(Rejection) -> String {
        guard let id = request.text(of: .channelID), !id.isEmpty else { throw Rejection(.missingChannelId) }
        guard Data(base64Encoded: id) != nil else { throw Rejection(.badChannelId) }
        return id
    }

    private func covers(_ credential: RequestCredential, _ bundleID: String) -> Bool {
        switch credential {
        case .certificate(let certificate): certificate.topics.contains(bundleID)
        case .key(let key, _):
            switch key.scope {
            case .team: credentials.owns(key.teamID, bundleID)
            case .topics(let topics):
                topics.contains { $0 == bundleID || $0 == APNSPushType.liveactivity.topic(of: bundleID) }
                    && credentials.owns(key.teamID, bundleID)
            }
        }
    }
}

/// A request to manage broadcast channels that is permitted and well-formed.
enum ChannelRequest: Hashable {
    case create(ChannelStorage)
    case read(String)
    case delete(String)
    case list
}
