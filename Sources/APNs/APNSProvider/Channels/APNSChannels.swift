import APNSTransport
public import Foundation
public import Logging
public import NIOCore
import NIOPosix
public import PushClock
public import PushModel

/// The broadcast channels of one app: creates, reads, lists and deletes them, and sends to all devices that listen to one.
///
/// ```swift
/// let channels = APNSChannels(app: "com.example.app", credential: .key(key), endpoints: .apple(.production))
/// let channel = try await channels.create(.mostRecentMessageStored)
/// try await channels.send(try APNSBroadcast(payload, to: channel, expiration: .at(end)))
/// await channels.shutdown()
/// ```
/// Each call is one request. A request that a lost connection leaves undecided is retried if that is harmless: reading,
/// listing and deleting. 429 and 5xx are left to the caller.
///
/// An app has at most 10,000 channels in each environment.
/// Source: Apple, "Sending channel management requests to APNs" and "Sending broadcast push notification requests to APNs",
/// read October 2026.
public struct APNSChannels: Sendable {
    /// The servers for channel management and for pushes to channels.
    public struct Endpoints: Sendable {
        /// The server that creates, reads, lists and deletes channels.
        public var management: APNSEndpoint
        /// The server that receives the pushes.
        public var broadcast: APNSEndpoint

        /// Creates a client for channels.
        public init(management: APNSEndpoint, broadcast: APNSEndpoint) {
            self.management = management
            self.broadcast = broadcast
        }

        /// Apple's service. Its pages name the ordinary hosts for broadcasts, while their examples show
        /// `api-broadcast.push.apple.com`; this returns the ordinary ones.
        public static func apple(_ environment: APNSEnvironment) -> Self {
            let management =
                switch environment {
                case .development: APNSEndpoint(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)
                case .production: APNSEndpoint(host: "api-manage-broadcast.push.apple.com", port: 2196)
                }
            return Self(management: management, broadcast: .apple(environment))
        }
    }

    private let bundleID: String
    private let management: RequestLine
    private let broadcast: RequestLine

    /// Creates a client. The first request opens a connection.
    ///
    /// `bundleID` is the app's, without a suffix. `answerTimeout` is the time to wait for an answer. `clock` is the
    /// clock for provider tokens and answer times. `group` is the event loops; the process's own by default.
    public init(
        app bundleID: String,
        credential: APNSCredential,
        endpoints: Endpoints,
        answerTimeout: Duration = .seconds(30),
        clock: any CivilClock = SystemClock(),
        group: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "posthorn.apns.channels")
    ) {
        self.bundleID = bundleID
        func line(_ endpoint: APNSEndpoint) -> RequestLine {
            RequestLine(
                endpoint: endpoint,
                credential: credential,
                answerTimeout: answerTimeout,
                clock: clock,
                group: group ?? MultiThreadedEventLoopGroup.singleton,
                logger: logger
            )
        }
        management = line(endpoints.management)
        broadcast = line(endpoints.broadcast)
    }

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - policy: the storage policy for its messages; cannot be changed later.
    ///   - requestID: the id of the request in Apple's logs.
    /// - Returns: the id of the channel, which the app needs to listen to it.
    /// - Throws: ``APNSChannelError``; `CannotCreateChannelConfig` if the app has 10,000 already. After
    ///   ``APNSChannelError/failed(_:)`` there may be a channel that nobody knows: ``list(requestID:)`` finds it.
    public func create(
        _ policy: APNSMessageStoragePolicy,
        requestID: UUID = UUID()
    ) async throws(APNSChannelError) -> APNSChannelID {
        let body = APNSChannelConfiguration(messageStoragePolicy: policy).bytes
        let answer = try await manage(
            "POST",
            at: "channels",
            requestID: requestID,
            body: body,
            expecting: 201,
            isRepeatable: false
        )
        guard let id = answer.header("apns-channel-id"), !id.isEmpty else {
            throw .failed("APNs has created a channel without reporting its id: there is no 'apns-channel-id'.")
        }
        return APNSChannelID(rawValue: id)
    }

    /// Returns the configuration of a channel.
    ///
    /// - Throws: ``APNSChannelError``; `ChannelNotRegistered` if there is none.
    public func configuration(
        of channel: APNSChannelID,
        requestID: UUID = UUID()
    ) async throws(APNSChannelError) -> APNSChannelConfiguration {
        let answer = try await manage("GET", at: "channels", of: channel, requestID: requestID, expecting: 200)
        guard let configuration = APNSChannelConfiguration(answer.body) else { throw .notUnderstood(answer) }
        return configuration
    }

    /// Deletes a channel permanently. Stored messages may still reach devices.
    ///
    /// - Throws: ``APNSChannelError``; `ChannelNotRegistered` if there is none, also if a lost answer had already confirmed
    ///   the deletion.
    public func delete(_ channel: APNSChannelID, requestID: UUID = UUID()) async throws(APNSChannelError) {
        _ = try await manage("DELETE", at: "channels", of: channel, requestID: requestID, expecting: 204)
    }

    /// Returns all channels of the app.
    public func list(requestID: UUID = UUID()) async throws(APNSChannelError) -> [APNSChannelID] {
        let answer = try await manage("GET", at: "all-channels", requestID: requestID, expecting: 200)
        guard let channels = (try? JSONValue(parsing: answer.body))?.object?["channels"]?.array else {
            throw .notUnderstood(answer)
        }
        return channels.compactMap { $0.string.map(APNSChannelID.init(rawValue:)) }
    }

    /// Sends to all devices that listen to a channel. Returns when APNs has accepted it.
    ///
    /// - Throws: ``APNSChannelError``. After ``APNSChannelError/failed(_:)`` the push may or may not have been sent.
    public func send(_ push: APNSBroadcast) async throws(APNSChannelError) {
        if let problem = push.problem ?? bundleProblem { throw .problem(problem) }
        var headers = [
            (name: "apns-channel-id", value: push.channel.rawValue),
            (name: "apns-push-type", value: APNSPushType.liveactivity.rawValue),
            (name: "apns-expiration", value: push.expiration.description),
        ]
        if let priority = push.priority { headers.append((name: "apns-priority", value: priority.description)) }
        headers.append(Self.header(push.requestID))
        let path = "/4/broadcasts/apps/\(bundleID)"
        let request = APNSRequest(method: "POST", path: path, headers: headers, body: push.payload)
        _ = try await Self.answer(to: request, over: broadcast, expecting: 200, isRepeatable: false)
    }

    /// Accepts no new requests and closes the connections.
    public func shutdown() async {
        await management.shutdown()
        await broadcast.shutdown()
    }

    private func manage(
        _ method: String,
        at place: String,
        of channel: APNSChannelID? = nil,
        requestID: UUID,
        body: [UInt8] = [],
        expecting status: Int,
        isRepeatable: Bool = true
    ) async throws(APNSChannelError) -> APNSAnswer {
        if let problem = channel?.problem ?? bundleProblem { throw .problem(problem) }
        var headers = [Self.header(requestID)]
        if let channel { headers.append((name: "apns-channel-id", value: channel.rawValue)) }
        let path = "/1/apps/\(bundleID)/\(place)"
        let request = APNSRequest(method: method, path: path, headers: headers, body: body)
        return try await Self.answer(to: request, over: management, expecting: status, isRepeatable: isRepeatable)
    }

    private static func answer(
        to request: APNSRequest,
        over line: RequestLine,
        expecting status: Int,
        isRepeatable: Bool
    ) async throws(APNSChannelError) -> APNSAnswer {
        let answer: APNSAnswer
        do { answer = try await line.answer(to: request, isRepeatable: isRepeatable) } catch {
            throw .failed(error.description)
        }
        if answer.status == status { return answer }
        let refusal = APNSRefusal(status: answer.status, body: answer.body)
        throw .refused(status: answer.status, refusal.reason, requestID: answer.header("apns-request-id"))
    }

    private var bundleProblem: APNSPushProblem? { APNSHeaders(topic: bundleID).problem }

    private static func header(_ requestID: UUID) -> (name: String, value: String) {
        (name: "apns-request-id", value: requestID.uuidString.lowercased())
    }
}

extension APNSChannelError {
    fileprivate static func notUnderstood(_ answer: APNSAnswer) -> Self {
        let body = String(decoding: answer.body.prefix(200), as: UTF8.self)
        return .failed("APNs answered \(answer.status) with '\(body)', which is not understood.")
    }
}

/// The reason why a channel request failed.
public enum APNSChannelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// APNs would refuse it, so nothing was sent.
    case problem(APNSPushProblem)
    /// APNs refused it. The id identifies the request in Apple's logs.
    case refused(status: Int, APNSReason, requestID: String?)
    /// There was no answer, or an unintelligible one. The text describes it for a person.
    case failed(String)

    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .refused(let status, let reason, let requestID):
            "APNs answered \(status) \(reason)" + (requestID.map { " to request \($0)." } ?? ".")
        case .failed(let text): text
        }
    }
}
