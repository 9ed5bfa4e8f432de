import APNSGateway
import APNSProvider
import APNSTransport
import AppleDeveloper
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import PushClock
import PushModel
import Synchronization
import TestSupport

/// A real TLS and HTTP/2 server that makes the trouble a test asks for. Its clients live on a clock that stands still.
struct TroubleServer {
    /// A request, and the means to answer it or not.
    struct Asked: Sendable {
        let connection: APNSServerConnection
        /// Counts connections from 1.
        let place: Int
        /// Counts the requests on the connection from 1.
        let number: Int
        let request: APNSRequest
        let reply: @Sendable (APNSAnswer) -> Void

        var id: String { request.headers.first { $0.name == "apns-id" }?.value ?? "" }
        var authorization: String? { request.headers.first { $0.name == "authorization" }?.value }

        func accept() { reply(APNSAnswer(status: 200, headers: [(name: "apns-id", value: id)])) }
        func refuse(_ reason: APNSReason) { reply(.refusal(reason)) }
        func reset(_ errorCode: Int) { connection.reset(streamID: request.streamID, errorCode: errorCode) }
    }

    typealias Script = @Sendable (Asked) -> Void

    private struct Exchange: APNSRequestHandler {
        let connection: APNSServerConnection
        let place: Int
        let script: Script
        let counter = Counter()

        func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
            var request = APNSRequest(request)
            request.streamID = Int(stream)
            let connection = connection
            script(
                Asked(connection: connection, place: place, number: counter.next(), request: request) {
                    connection.answer(stream, HTTP2Answer($0))
                }
            )
            return false
        }

        func closed() {}
    }

    /// The connections there have been.
    final class Visitors: Sendable {
        private let all = Mutex<[APNSServerConnection]>([])
        var count: Int { all.withLock(\.count) }
        var connections: [APNSServerConnection] { all.withLock(\.self) }

        func add(_ connection: APNSServerConnection) -> Int {
            all.withLock { all in
                all.append(connection)
                return all.count
            }
        }
    }

    let clock: VirtualClock
    let visitors = Visitors()
    private(set) var port: Int
    private var server: APNSServer?
    private let folder: String
    private let script: Script

    /// Runs a server while `body` does.
    @discardableResult
    static func with<Result>(
        answering script: @escaping Script = { $0.accept() },
        _ body: (inout TroubleServer) async throws -> Result
    ) async throws -> Result {
        try await withTemporaryPath { folder in
            _ = try GatewayAuthority(folder: folder)
            var server = TroubleServer(clock: VirtualClock(), port: 0, folder: folder, script: script)
            try await server.start()
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(&server)) } catch { result = .failure(error) }
            await server.stop()
            return try result.get()
        }
    }

    private init(clock: VirtualClock, port: Int, folder: String, script: @escaping Script) {
        self.clock = clock
        self.port = port
        self.folder = folder
        self.script = script
    }

    /// Starts it, again if need be, on the port it had.
    mutating func start() async throws {
        let server = try await APNSServer.start(
            host: "127.0.0.1",
            port: port,
            certificates: try NIOSSLCertificate.fromPEMFile(folder + "/server.pem"),
            key: try NIOSSLPrivateKey(file: folder + "/server.key", format: .pem),
            group: MultiThreadedEventLoopGroup.singleton
        ) { [script, visitors] in
            Exchange(connection: $0, place: visitors.add($0), script: script)
        }
        port = server.port
        self.server = server
    }

    mutating func stop() async {
        await server?.shutDown()
        server = nil
    }

    func client(
        key: APNSSigningKey? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ configure: (inout APNSClientConfiguration) -> Void = { _ in }
    ) throws -> APNSClient {
        var configuration = APNSClientConfiguration()
        configure(&configuration)
        return APNSClient(
            credential: .key(try key ?? Example.key()),
            endpoint: APNSEndpoint(host: "localhost", port: port, trust: .file(folder + "/ca.pem")),
            configuration: configuration,
            clock: clock,
            logger: logger
        )
    }
}

extension APNSAnswer {
    static func refusal(_ reason: APNSReason) -> Self {
        Self(status: reason.status, headers: [], body: Array(#"{"reason":"\#(reason.rawValue)"}"#.utf8))
    }
}

extension APNSClient {
    /// Sends all pushes at once; the outcomes come in the order of the pushes.
    ///
    /// While the client pauses, `clock` is moved on. Pauses longer than `limit` are not skipped: they wait for the socket.
    func outcomes(
        of pushes: [APNSPush],
        advancing clock: VirtualClock? = nil,
        limit: Duration = .seconds(10)
    ) async -> [APNSOutcome] {
        await withTaskGroup(of: (Int, APNSOutcome)?.self) { group in
            for (index, push) in pushes.enumerated() {
                group.addTask { (index, await self.send(push)) }
            }
            if let clock {
                group.addTask {
                    await clock.skipPauses(upTo: limit) {
                        // Requests that were made before are on their way.
                        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
                            try? await loop.submit {}.get()
                        }
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
}

/// Counts by name.
final class Tally: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    @discardableResult
    func add(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name] ?? 0
        }
    }

    subscript(name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
    var all: [String: Int] { counts.withLock(\.self) }
    var total: Int { counts.withLock { $0.values.reduce(0, +) } }
}
