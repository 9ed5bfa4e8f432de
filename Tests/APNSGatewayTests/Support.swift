import APNSProvider
import APNSTransport
import Crypto
import DeviceLink
import Foundation
import NIOCore
import PushClock
import PushModel
import Synchronization
import Testing

@testable import APNSGateway

let team = "TEAM123456"
let keyID = "KEY1234567"
let bundleID = "com.example.app"

/// Collects what is reported.
final class RecordingSink: JourneySink {
    private let records = Mutex<[(event: JourneyEvent, apnsID: String)]>([])

    func record(_ event: JourneyEvent, of subject: JourneySubject) {
        guard case .push(let apnsID) = subject else { return }
        records.withLock { $0.append((event, apnsID)) }
    }

    func kinds(of apnsID: String) -> [JourneyEvent.Kind] {
        records.withLock { $0.filter { $0.apnsID == apnsID.lowercased() }.map(\.event.kind) }
    }

    var all: [(event: JourneyEvent, apnsID: String)] { records.withLock { $0 } }
}

/// A gateway with a team and a key, on a clock that stands still.
struct World {
    let clock: VirtualClock
    let sink = RecordingSink()
    let gateway: Gateway
    let key: APNSSigningKey
    /// One provider token for all requests, as APNs wants it.
    let bearer: String

    /// Makes a gateway that keeps its state in the folder `mail`, in segments of at least `smallestLimit` bytes; by default it keeps none.
    init(
        rules: GatewayRules = GatewayRules(),
        mail: String? = nil,
        clock: VirtualClock = VirtualClock(),
        smallestLimit: Int = GatewayRules().smallestLog
    ) throws {
        self.clock = clock
        let secret = [UInt8](repeating: 7, count: 32)
        if let mail {
            var rules = rules
            rules.smallestLog = smallestLimit
            gateway = try Gateway(secret: secret, mail: mail, clock: clock, sink: sink, rules: rules)
        } else {
            gateway = Gateway(secret: secret, clock: clock, sink: sink, rules: rules)
        }
        let generated = gateway.generateKey(id: keyID, team: team)
        gateway.setBundleIDs([bundleID], ofTeam: team)
        key = try APNSSigningKey(p8: generated.p8, keyID: keyID, teamID: team)
        bearer = "bearer " + (try key.token(issuedAt: clock.date))
    }

    /// A request that is accepted, with fields set, or taken out by nil.
    func request(to token: DeviceToken, _ fields: [String: String?] = [:], payload: String = "{}") -> APNSRequest {
        var headers: [String: String?] = [
            "authorization": bearer, "apns-topic": bundleID, "apns-push-type": "alert",
        ]
        headers.merge(fields) { $1 }
        return APNSRequest(
            method: "POST",
            path: "/3/device/" + token.hexadecimal,
            headers: headers.compactMap { name, value in value.map { (name: name, value: $0) } },
            body: Array(payload.utf8)
        )
    }

    /// The value of `authorization` with a token that a key has signed just now.
    func bearer(_ key: GeneratedKey, age: TimeInterval = 0) throws -> String {
        let signing = try APNSSigningKey(p8: key.p8, keyID: key.id, teamID: key.teamID)
        return "bearer " + (try signing.token(issuedAt: clock.date.addingTimeInterval(-age)))
    }

    func issueToken() -> DeviceToken { gateway.issueToken(topic: bundleID, environment: .development) }

    /// Answers a request on a connection; on a new one to the development environment by default.
    func respond(
        to request: APNSRequest,
        on connection: ProviderConnection = ProviderConnection(environment: .development)
    ) -> APNSAnswer {
        gateway.respond(to: request, on: connection)
    }

    func push(_ id: String = UUID().uuidString, to token: DeviceToken) -> APNSPush {
        APNSPush(id: id, token: token, topic: bundleID, payload: Array(#"{"aps":{"alert":"Hello"}}"#.utf8))
    }
}

extension Gateway {
    /// Generates a key and accepts it.
    func generateKey(
        id: String,
        team: String,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        scope: GatewayKey.Scope = .team,
        relatedTo: String? = nil
    ) -> GeneratedKey {
        let key = P256.Signing.PrivateKey()
        addKey(
            GatewayKey(
                id: id,
                teamID: team,
                publicKey: key.publicKey,
                environments: environments,
                scope: scope,
                relatedTo: relatedTo
            )
        )
        return GeneratedKey(id: id, teamID: team, p8: key.pemRepresentation + "\n")
    }

    /// The channels of an app in order of creation.
    func channels(ofApp bundleID: String, _ environment: APNSEnvironment) -> [String] {
        let app = ChannelRegistry.App(bundleID: bundleID, environment: environment)
        return state.withLock { $0.channels.list(of: app) }
    }

    /// The message that a channel stores for devices that connect later.
    func storedBroadcast(
        inChannel id: String,
        ofApp bundleID: String,
        _ environment: APNSEnvironment
    ) -> Broadcast? {
        let channel = CourierChannel(topic: bundleID, environment: environment, id: id)
        let now = clock.date
        return state.withLock { $0.channels.storedBroadcast(in: channel, at: now) }
    }

    /// Answers a request about channels as text.
    func manage(_ request: APNSRequest, on connection: ProviderConnection) -> APNSAnswer {
        let message = HTTP2Message(request)
        return APNSAnswer(manage(message, on: connection), to: message)
    }
}

extension APNSAnswer {
    var reason: String? { (try? JSONValue(parsing: body))?.object?["reason"]?.string }
}

/// A device without a socket: keeps the frames it is sent.
final class FakeDevice: LinkConnection {
    private struct State {
        var frames: [CourierFrame] = []
        var isClosed = false
        var handler: (@Sendable (LinkEvent) -> Void)?
    }

    let name: String
    private let state = Mutex(State())

    init(_ name: String, key: String? = nil, at gateway: Gateway) {
        self.name = name
        let handler = gateway.courier.accept(self)
        state.withLock { $0.handler = handler }
        say(.hello(device: name, key: key ?? courierKey(name)))
    }

    func send(_ text: String) {
        guard let frame = try? CourierFrame(text: text) else { return }
        state.withLock { $0.frames.append(frame) }
    }

    func close() { state.withLock { $0.isClosed = true } }

    func say(_ frame: CourierFrame) { state.withLock(\.handler)?(.received(frame.text)) }

    func disconnect() { state.withLock(\.handler)?(.closed("gone")) }

    /// Registers the app and returns its token.
    func register(_ topic: String = bundleID, _ environment: APNSEnvironment = .development) throws -> DeviceToken {
        say(.register(topic: topic, environment: environment))
        let tokens = frames.compactMap { frame -> DeviceToken? in
            if case .registered(topic, environment, let token) = frame { token } else { nil }
        }
        return try #require(tokens.last)
    }

    var frames: [CourierFrame] { state.withLock(\.frames) }
    /// Adds the frame by which a device says that it sleeps or wakes up.
    func sleep() { say(.awake(false)) }
    func wake() { say(.awake(true)) }

    var isClosed: Bool { state.withLock(\.isClosed) }
    var received: [CourierPush] { frames.compactMap { if case .push(let push) = $0 { push } else { nil } } }
    var pushes: [String] { received.map(\.apnsID) }
}

/// A device's key: the same for the same name.
func courierKey(_ name: String) -> String {
    let digits = Array(name.utf8).hexadecimal.prefix(64)
    return digits + String(repeating: "0", count: 64 - digits.count)
}

extension Mailbox.Effects: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Mailbox.Effect...) {
        self.init()
        append(contentsOf: elements)
    }

    var isEmpty: Bool { !contains { _ in true } }
}
