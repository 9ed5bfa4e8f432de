import APNSGateway
import APNSProvider
import APNSTransport
import Crypto
import Foundation
import NIOPosix
import NIOSSL
import PushClock
import PushModel
import Synchronization
import Testing

@Suite("Provider client against the gateway", .timeLimit(.minutes(5)))
struct ProviderGatewayTests {
    private func withClient(_ body: (World, APNSClient) async throws -> Void) async throws {
        try await withFolder { folder in
            let world = try World()
            let authority = try GatewayAuthority(folder: folder)
            let server = try await GatewayServer.start(world.gateway, authority: authority)
            let port = try #require(server.port(for: .development))
            let trust = APNSEndpoint.Trust.file(try #require(authority.path))
            let endpoint = APNSEndpoint(host: "localhost", port: port, trust: trust)
            let client = APNSClient(credential: .key(world.key), endpoint: endpoint, clock: world.clock)
            try await body(world, client)
            await client.shutdown()
            await server.close()
        }
    }

    @Test("aswift156_theGatewayIsRealHTTP2OverTLS: pushes reach a device")
    func sends() async throws {
        try await withClient { world, client in
            let device = FakeDevice("phone", at: world.gateway)
            let token = try device.register()
            let pushes = (0..<200).map { _ in world.push(to: token) }
            let outcomes = await send(pushes, by: client)
            #expect(outcomes.allSatisfy { $0 == .accepted })
            await eventually { device.pushes.count == pushes.count }
            #expect(Set(device.pushes) == Set(pushes.map { $0.id.lowercased() }))
        }
    }

    @Test("A refusal carries status, reason and the date of 410")
    func refusals() async throws {
        try await withClient { world, client in
            let token = world.gateway.issueToken(topic: bundleID, environment: .development)
            world.gateway.unregisterToken(token)
            let dead = await client.send(world.push(to: token))
            #expect(dead == .refused(status: 410, .unregistered, timestamp: world.clock.date))
            let unknown = await client.send(world.push(to: DeviceToken(bytes: [1])))
            #expect(unknown == .refused(status: 400, .badDeviceToken, timestamp: nil))
            world.gateway.revoke(keyID)
            let forbidden = await client.send(world.push(to: token))
            #expect(forbidden == .refused(status: 403, .forbidden, timestamp: nil))
        }
    }

    @Test("A new provider token after 50 minutes on the clock, and pushes keep going for a day")
    func tokens() async throws {
        try await withClient { world, client in
            let token = world.gateway.issueToken(topic: bundleID, environment: .development)
            for _ in 0..<24 {
                #expect(await client.send(world.push(to: token)) == .accepted)
                await world.clock.advance(by: .seconds(3600))
            }
        }
    }

    @Test("What any APNs would refuse is not sent, and says how large it was and may be")
    func validates() async throws {
        let world = try World()
        let client = APNSClient(
            credential: .key(world.key),
            endpoint: APNSEndpoint(host: "localhost", port: 1),
            clock: world.clock
        )
        var push = world.push(to: DeviceToken(bytes: [1]))
        push.payload = Array(repeating: 32, count: 4097)
        #expect(push.problem?.description == "The payload has 4097 bytes; 4096 are allowed for 'alert'.")
        #expect(await client.send(push) == .refused(status: 413, .payloadTooLarge, timestamp: nil))
        push.pushType = .voip
        push.topic = bundleID + ".voip"
        #expect(push.problem == nil)
        await client.shutdown()
        #expect(await client.send(push) == .failed("The client was shut down."))
    }

    @Test("A restart of the server is survived without a word (aioHTTPClient715, pushy971)")
    func restart() async throws {
        try await withFolder { folder in
            let world = try World()
            let authority = try GatewayAuthority(folder: folder)
            var server = try await GatewayServer.start(world.gateway, authority: authority)
            let port = try #require(server.port(for: .development))
            let trust = APNSEndpoint.Trust.file(try #require(authority.path))
            let endpoint = APNSEndpoint(host: "localhost", port: port, trust: trust)
            let client = APNSClient(credential: .key(world.key), endpoint: endpoint, clock: world.clock)
            let token = world.gateway.issueToken(topic: bundleID, environment: .development)
            #expect(await client.send(world.push(to: token)) == .accepted)
            await server.close()
            let again = try GatewayAuthority(folder: folder)
            let configuration = GatewayServer.Configuration(developmentPort: port)
            server = try await GatewayServer.start(world.gateway, authority: again, configuration: configuration)
            #expect(await client.send(world.push(to: token)) == .accepted)
            await client.shutdown()
            await server.close()
        }
    }
}

@Suite("Provider client against a server that misbehaves", .timeLimit(.minutes(5)))
struct ProviderTroubleTests {
    @Test("pushy865_everyGoAwayLosesPushes: what is above is sent again at once, the rest is answered")
    func goAway() async throws {
        let answered = Mutex<[String: Int]>([:])
        let reasons = Mutex<Set<String>>([])
        let server = try await TroubleServer.start { connection, number, request, reply in
            let id = request.headers.first { $0.name == "apns-id" }?.value ?? ""
            if number == 20 {
                connection.goAway(lastStreamID: 25, debugData: Array(#"{"reason":"IdleTimeout"}"#.utf8))
            }
            // Thirteen streams are answered, some before and some after GOAWAY; the others never were.
            guard request.streamID <= 25 else { return }
            answered.withLock { $0[id, default: 0] += 1 }
            reply(APNSAnswer(status: 200, headers: [(name: "apns-id", value: id)]))
        }
        let client = try server.client { configuration in
            configuration.maxInFlight = 100
            configuration.goAway = { text in reasons.withLock { _ = $0.insert(text) } }
        }
        // 308 is 23 full rounds of 13 and a rest that stays below 20.
        let pushes = (0..<308).map { _ in server.push() }
        let outcomes = await send(pushes, by: client)
        #expect(outcomes.allSatisfy { $0 == .accepted })
        #expect(answered.withLock { $0.values.allSatisfy { $0 == 1 } })
        let missing = answered.withLock { answered in pushes.count { answered[$0.id] == nil } }
        #expect(missing == 0)
        #expect(
            reasons.withLock { $0 } == [#"{"reason":"IdleTimeout"}"#],
            "nethttp2_39: the reason reaches the operator"
        )
        await client.shutdown()
        await server.close()
    }

    @Test("pushy865: what a lost connection leaves undecided is sent again under the same apns-id")
    func undecided() async throws {
        let seen = Mutex<[String: Int]>([:])
        let retried = Mutex<[String]>([])
        let server = try await TroubleServer.start { connection, number, request, reply in
            let id = request.headers.first { $0.name == "apns-id" }?.value ?? ""
            let count = seen.withLock { seen in
                seen[id, default: 0] += 1
                return seen[id] ?? 0
            }
            if count == 1, number == 5 { connection.close() }
            if count > 1 { reply(APNSAnswer(status: 200, headers: [(name: "apns-id", value: id)])) }
        }
        let client = try server.client { configuration in
            configuration.retried = { _, reason in retried.withLock { $0.append(reason) } }
        }
        let pushes = (0..<5).map { _ in server.push() }
        let outcomes = await send(pushes, by: client)
        #expect(outcomes == Array(repeating: .accepted, count: 5))
        #expect(seen.withLock { $0 } == Dictionary(uniqueKeysWithValues: pushes.map { ($0.id, 2) }))
        #expect(retried.withLock { $0 } == Array(repeating: "connection", count: 5))
        await client.shutdown()
        await server.close()
    }

    @Test("pushy312_twoGoAwaysAndOneWithoutAReasonAreSurvived")
    func twoGoAways() async throws {
        let server = try await TroubleServer.start { connection, _, _, reply in
            connection.goAway(debugData: [0xFF, 0x00])
            connection.goAway(debugData: [])
            reply(APNSAnswer(status: 200, headers: []))
        }
        let client = try server.client()
        for _ in 0..<5 { #expect(await client.send(server.push()) == .accepted) }
        await client.shutdown()
        await server.close()
    }

    @Test("pushy794_theStreamLimitShrinksAndStreamsAreResetTwice: one outcome for each push")
    func shrinks() async throws {
        let server = try await TroubleServer.start { connection, number, request, reply in
            if number == 10 { connection.setStreamLimit(2) }
            if number % 7 == 0 {
                connection.reset(streamID: request.streamID, errorCode: 7)
                connection.reset(streamID: request.streamID, errorCode: 7)
            } else {
                reply(APNSAnswer(status: 200, headers: []))
            }
        }
        let client = try server.client { $0.maxInFlight = 50 }
        let outcomes = await send((0..<300).map { _ in server.push() }, by: client, advancing: server.clock)
        #expect(outcomes.count == 300)
        #expect(outcomes.allSatisfy { $0 == .accepted })
        await client.shutdown()
        await server.close()
    }

    @Test(
        "gorush_429And5xxAreRetriedWithGrowingPauses",
        arguments: [APNSReason.tooManyRequests, .internalServerError, .shutdown]
    )
    func pauses(_ reason: APNSReason) async throws {
        let count = Mutex(0)
        let server = try await TroubleServer.start { _, _, _, reply in
            let attempt = count.withLock { count in
                count += 1
                return count
            }
            reply(attempt <= 3 ? .refusal(reason) : APNSAnswer(status: 200, headers: []))
        }
        let client = try server.client { $0.random = { 1 } }
        let start = server.clock.now
        let outcomes = await send([server.push()], by: client, advancing: server.clock)
        #expect(outcomes == [.accepted])
        #expect(start.duration(to: server.clock.now) == .seconds(7))
        await client.shutdown()
        await server.close()
    }

    @Test("nodeapn685_everyPushHasOneOutcomeByItsDeadline: a server that never answers")
    func silence() async throws {
        let server = try await TroubleServer.start { _, _, _, _ in }
        let client = try server.client { $0.maxInFlight = 4 }
        let outcomes = await send(
            (0..<8).map { _ in server.push() },
            by: client,
            advancing: server.clock,
            limit: .seconds(31)
        )
        #expect(outcomes.count == 8)
        for outcome in outcomes {
            if case .failed = outcome { continue }
            Issue.record("\(outcome)")
        }
        await client.shutdown()
        await server.close()
    }

    @Test("pushy857_aStalledServerBoundsWhatIsInFlight")
    func stalls() async throws {
        let waiting = Mutex<[@Sendable (APNSAnswer) -> Void]>([])
        let most = Mutex(0)
        let server = try await TroubleServer.start { _, _, _, reply in
            waiting.withLock { waiting in
                waiting.append(reply)
                most.withLock { $0 = max($0, waiting.count) }
            }
        }
        let client = try server.client { $0.maxInFlight = 10 }
        let pushes = (0..<50).map { _ in server.push() }
        async let outcomes = send(pushes, by: client)
        for _ in 0..<5 {
            await eventually { waiting.withLock { $0.count == 10 } }
            let replies = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for reply in replies { reply(APNSAnswer(status: 200, headers: [])) }
        }
        #expect(await outcomes.allSatisfy { $0 == .accepted })
        #expect(most.withLock { $0 } == 10)
        await client.shutdown()
        await server.close()
    }

    @Test("An expired provider token is replaced, on a new connection, once")
    func expired() async throws {
        let tokens = Mutex<[String]>([])
        let numbers = Mutex<[Int]>([])
        let server = try await TroubleServer.start { _, number, request, reply in
            let token = request.headers.first { $0.name == "authorization" }?.value ?? ""
            let isFirst = tokens.withLock { tokens in
                tokens.append(token)
                return tokens.count == 1
            }
            numbers.withLock { $0.append(number) }
            reply(isFirst ? .refusal(.expiredProviderToken) : APNSAnswer(status: 200, headers: []))
        }
        let client = try server.client()
        #expect(await client.send(server.push()) == .accepted)
        #expect(tokens.withLock { Set($0).count } == 2)
        #expect(numbers.withLock { $0 } == [1, 1])
        await client.shutdown()
        await server.close()
    }

    @Test("A reason that is not known, and a body that is not JSON, break nothing")
    func unknown() async throws {
        let server = try await TroubleServer.start { _, number, _, reply in
            let body = number == 1 ? #"{"reason":"TooFunny"}"# : "<html>"
            reply(APNSAnswer(status: 418, headers: [], body: Array(body.utf8)))
        }
        let client = try server.client()
        let funny = await client.send(server.push())
        #expect(funny == .refused(status: 418, APNSReason(rawValue: "TooFunny"), timestamp: nil))
        let odd = await client.send(server.push())
        #expect(odd == .refused(status: 418, APNSReason(rawValue: "HTTP 418"), timestamp: nil))
        await client.shutdown()
        await server.close()
    }

    @Test("pushy971_nobodyThere: the deadline ends it, and the next push finds the server that came back")
    func nobody() async throws {
        let server = try await TroubleServer.start { _, _, _, reply in reply(APNSAnswer(status: 200, headers: [])) }
        await server.close(keepingFiles: true)
        let client = try server.client { $0.longestPause = .seconds(8) }
        let outcomes = await send([server.push()], by: client, advancing: server.clock)
        guard case .failed(let text) = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(text.hasPrefix("No connection to localhost:\(server.port) in time:"))
        let again = try await server.restart()
        let second = await send([server.push()], by: client, advancing: server.clock)
        #expect(second == [.accepted])
        await client.shutdown()
        await again.close()
    }
}

/// Sends all pushes at once; the outcomes come in the order of the pushes.
///
/// Of the parameters:
/// * `clock`: is moved on while the client pauses.
/// * `limit`: the longest pause that is skipped; what is timed longer than this waits for the socket instead.
private func send(
    _ pushes: [APNSPush],
    by client: APNSClient,
    advancing clock: VirtualClock? = nil,
    limit: Duration = .seconds(10)
) async -> [APNSOutcome] {
    await withTaskGroup(of: (Int, APNSOutcome)?.self) { group in
        for (index, push) in pushes.enumerated() {
            group.addTask { (index, await client.send(push)) }
        }
        if let clock {
            group.addTask {
                while !Task.isCancelled {
                    await Task.yield()
                    guard let next = clock.nextDeadline, clock.now.duration(to: next) <= limit else { continue }
                    await clock.advanceToNextDeadline()
                }
                return nil
            }
        }
        var outcomes: [Int: APNSOutcome] = [:]
        for await case let (index, outcome)? in group {
            outcomes[index] = outcome
            if outcomes.count == pushes.count { group.cancelAll() }
        }
        return outcomes.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension APNSAnswer {
    fileprivate static func refusal(_ reason: APNSReason) -> Self {
        Self(status: reason.status, headers: [], body: Array(#"{"reason":"\#(reason.rawValue)"}"#.utf8))
    }
}

/// A server that answers as the test says.
private struct TroubleServer {
    /// Connection, number of the request on it from 1, request, reply.
    typealias Script =
        @Sendable (APNSServerConnection, Int, APNSRequest, @escaping @Sendable (APNSAnswer) -> Void) -> Void

    private struct Exchange: APNSExchange {
        final class Counter: Sendable {
            let count = Mutex(0)
        }

        let connection: APNSServerConnection
        let script: Script
        let counter = Counter()

        func respond(to request: HTTP2Message, on stream: UInt32) -> HTTP2Answer? {
            let number = counter.count.withLock { count in
                count += 1
                return count
            }
            var request = APNSRequest(request)
            request.streamID = Int(stream)
            script(connection, number, request) { connection.answer(stream, HTTP2Answer($0)) }
            return nil
        }

        func closed() {}
    }

    let clock: VirtualClock
    let port: Int
    private let server: APNSServer
    private let folder: String
    private let script: Script

    static func start(_ script: @escaping Script) async throws -> TroubleServer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-" + UUID().uuidString).path
        return try await start(port: 0, folder: folder, clock: VirtualClock(), script)
    }

    private static func start(
        port: Int,
        folder: String,
        clock: VirtualClock,
        _ script: @escaping Script
    ) async throws -> TroubleServer {
        _ = try GatewayAuthority(folder: folder)
        let server = try await APNSServer.start(
            host: "127.0.0.1",
            port: port,
            certificates: try NIOSSLCertificate.fromPEMFile(folder + "/server.pem"),
            key: try NIOSSLPrivateKey(file: folder + "/server.key", format: .pem),
            group: MultiThreadedEventLoopGroup.singleton
        ) { Exchange(connection: $0, script: script) }
        return TroubleServer(clock: clock, port: server.port, server: server, folder: folder, script: script)
    }

    func restart() async throws -> TroubleServer {
        try await Self.start(port: port, folder: folder, clock: clock, script)
    }

    func client(_ configure: (inout APNSClientConfiguration) -> Void = { _ in }) throws -> APNSClient {
        var configuration = APNSClientConfiguration()
        configure(&configuration)
        let key = try APNSSigningKey(p8: P256.Signing.PrivateKey().pemRepresentation, keyID: keyID, teamID: team)
        let endpoint = APNSEndpoint(host: "localhost", port: port, trust: .file(folder + "/ca.pem"))
        return APNSClient(credential: .key(key), endpoint: endpoint, configuration: configuration, clock: clock)
    }

    func push() -> APNSPush {
        APNSPush(id: UUID().uuidString, token: DeviceToken(bytes: [1]), topic: bundleID, payload: Array("{}".utf8))
    }

    func close(keepingFiles: Bool = false) async {
        await server.shutDown()
        if !keepingFiles { try? FileManager.default.removeItem(atPath: folder) }
    }
}
