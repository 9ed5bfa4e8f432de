package import APNSProvider
import APNSTransport
import Crypto
import Foundation
import NIOPosix
import NetworkSupport
import PushClock
import PushModel

/// One of the two servers of a comparison: sends it the requests of rows, and observes what it does.
package actor CalibratedServer: CalibratedSide {
    /// The values that differ from server to server.
    package struct Identity: Sendable {
        package var endpoint: APNSEndpoint
        package var credential: APNSCredential
        package var topic: String
        /// A device token that the server has issued for the topic.
        package var device: String?
        /// One that it has issued in its other environment.
        package var other: String?

        package init(
            endpoint: APNSEndpoint,
            credential: APNSCredential,
            topic: String,
            device: String? = nil,
            other: String? = nil
        ) {
            self.endpoint = endpoint
            self.credential = credential
            self.topic = topic
            self.device = device
            self.other = other
        }
    }

    /// The absence of an observation, with an explanation for a person.
    package struct Silence: Error, CustomStringConvertible {
        package var description: String
        /// The explanation without names and addresses.
        package var note: String
    }

    /// A connection, and what the server has done to it.
    private struct Line {
        let connection: APNSConnection
        let fate: APNSConnection.Fate
    }

    /// The time for an answer.
    private static let limit = Duration.seconds(20)

    private let identity: Identity
    private let pace: Duration
    private let idle: Duration
    private var line: Line?
    private var token: (text: String, made: Date)?
    private var next = ContinuousClock.now

    /// - Parameters:
    ///   - identity: the values of the server.
    ///   - pace: the shortest time between two requests.
    ///   - idle: the time without requests in rows about idle connections.
    package init(_ identity: Identity, pace: Duration, idle: Duration = .seconds(10)) {
        self.identity = identity
        self.pace = pace
        self.idle = idle
    }

    /// Sends a row's requests.
    ///
    /// - Throws: ``Silence`` if there is no connection, or no answer in time.
    package func observe(_ row: APNSCalibrationRow) async throws(Silence) -> APNSObservation {
        if row.connection != .shared { leave() }
        defer { if row.connection != .shared { leave() } }
        let values = try values()
        var seen = APNSObservation()
        for isSecond in [false, true] {
            let line = try await open()
            seen = APNSObservation()
            await describe(line, row.connection, before: true, in: &seen)
            if row.connection == .idle { try? await Task.sleep(for: idle) }
            for changes in row.before { _ = try await send(changes, values, over: line) }
            let (result, id) = try await send(row.changes, values, over: line)
            switch result {
            case .success(let answer): seen.read(answer, sent: id)
            case .failure(let failure):
                // The connection may have ended between two rows, or with the network. A device gets nothing twice.
                let isLost = failure.reset == nil && failure.fate != .refused
                if isLost, !isSecond, failure.fate == .notProcessed || row.needs != .token {
                    leave()
                    continue
                }
                seen.read(failure)
            }
            await describe(line, row.connection, before: false, in: &seen)
            return seen
        }
        return seen
    }

    /// Closes the connection, for the end.
    package func leave() {
        line?.connection.close()
        line = nil
    }

    // MARK: - Requests

    private func values() throws(Silence) -> [String: String] {
        let random = DeviceToken(bytes: (0..<32).map { _ in UInt8.random(in: 0...255) })
        var values = ["topic": identity.topic, "token": random.hexadecimal]
        values["device"] = identity.device
        values["DEVICE"] = identity.device?.uppercased()
        values["other"] = identity.other
        if case .key(let key) = identity.credential { values["jwt"] = try jwt(key) }
        return values
    }

    /// The provider token of correct pushes, which is renewed well before it expires.
    private func jwt(_ key: APNSSigningKey) throws(Silence) -> String {
        if let token, token.made.timeIntervalSinceNow > -2400 { return token.text }
        let text = try Self.signed(key, .init())
        token = (text, Date())
        return text
    }

    private static func signed(_ key: APNSSigningKey, _ jwt: APNSCalibrationRow.JWT) throws(Silence) -> String {
        do { return try jwt.text(signedWith: key, at: Date()) } catch {
            throw Silence(description: "No provider token could be signed: \(error).", note: "no provider token")
        }
    }

    /// Sends a push with deviations.
    ///
    /// - Returns: the answer, and the `apns-id` that was sent.
    private func send(
        _ changes: [APNSCalibrationRow.Change],
        _ values: [String: String],
        over line: Line
    ) async throws(Silence) -> (Result<APNSAnswer, APNSStreamFailure>, id: String?) {
        var request = APNSRequest(
            method: "POST",
            path: "/3/device/{token}",
            headers: [("apns-topic", "{topic}"), ("apns-push-type", "alert")],
            body: Array(#"{"aps":{"alert":"Posthorn calibrates"}}"#.utf8)
        )
        if values["jwt"] != nil { request.headers.insert(("authorization", "bearer {jwt}"), at: 0) }
        for change in changes {
            switch change {
            case .jwt(let jwt):
                guard case .key(let key) = identity.credential else { continue }
                request.set("authorization", "bearer " + (try Self.signed(key, jwt)))
            default: request.apply(change)
            }
        }
        request.path = request.path.filling(values)
        request.headers = request.headers.map { ($0.name, $0.value.filling(values)) }
        try? await Task.sleep(until: next, clock: .continuous)
        next = .now + pace
        let connection = line.connection
        let ready = request
        let result: Result<APNSAnswer, APNSStreamFailure>? = await limited {
            do throws(APNSStreamFailure) {
                return .success(try await connection.send(ready, id: connection.newID()))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            leave()
            throw Silence(description: "No answer within \(Self.limit).", note: "no answer in time")
        }
        return (result, request.headers.first { $0.name == "apns-id" }?.value)
    }

    // MARK: - Connections

    private func open() async throws(Silence) -> Line {
        if let line, !line.fate.isOver { return line }
        leave()
        let fate = APNSConnection.Fate()
        do {
            let certificate: APNSCertificate? =
                if case .certificate(let certificate) = identity.credential { certificate } else { nil }
            let connection = try await APNSConnection.connect(
                to: identity.endpoint.target(showing: certificate),
                group: MultiThreadedEventLoopGroup.singleton
            ) { fate.consider($0) }
            let opened = Line(connection: connection, fate: fate)
            line = opened
            return opened
        } catch {
            throw Silence(
                description:
                    "No connection to \(identity.endpoint.host):\(identity.endpoint.port): \(NetworkWords.reason(of: error)).",
                note: "no connection"
            )
        }
    }

    /// Asks the connection for its settings by a PING, the answer to which comes after all else that the server has done to it.
    private func describe(
        _ line: Line,
        _ kind: APNSCalibrationRow.Connection,
        before: Bool,
        in seen: inout APNSObservation
    ) async {
        guard !before || kind == .settings || kind == .streams else { return }
        let settings =
            await limited {
                await withTaskCancellationHandler {
                    await line.connection.settings()
                } onCancel: {
                    line.connection.close()
                }
            } ?? nil
        if let settings, kind == .settings, before { seen.read(settings) }
        if let settings, kind == .streams {
            seen[before ? .firstStreams : .streams] = settings.maxConcurrentStreams.map(String.init) ?? "unlimited"
        }
        guard !before else { return }
        if settings != nil, line.fate.goAway == nil {
            seen[.connection] = "open"
        } else {
            seen.read(line.fate.goAway)
            leave()
        }
    }

    /// Waits for work that ends when its task is cancelled; nil if the server takes too long.
    private func limited<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        (try? await withTimeout(Self.limit, work)) ?? nil
    }
}

extension APNSRequest {
    fileprivate mutating func set(_ name: String, _ value: String?) {
        headers.removeAll { $0.name == name }
        if let value { headers.append((name, value)) }
    }

    fileprivate mutating func apply(_ change: APNSCalibrationRow.Change) {
        switch change {
        case .method(let text): method = text
        case .path(let text): path = text
        case .field(let name, let value): set(name, value)
        case .again(let name, let value): headers.append((name, value))
        case .payload(let text): body = Array(text.utf8)
        case .bytes(let count):
            let frame = count < 30 ? ("{", "}") : (#"{"aps":{"alert":""#, #""}}"#)
            let fill = max(0, count - frame.0.utf8.count - frame.1.utf8.count)
            body = Array((frame.0 + String(repeating: count < 30 ? " " : "x", count: fill) + frame.1).utf8)
        case .jwt: break
        }
    }
}

extension APNSSigningKey {
    /// A key that nobody knows, with the ids of another.
    static func random(like key: APNSSigningKey) throws -> APNSSigningKey {
        let other = P256.Signing.PrivateKey()
        return try APNSSigningKey(p8: other.pemRepresentation, keyID: key.keyID, teamID: key.teamID)
    }
}
