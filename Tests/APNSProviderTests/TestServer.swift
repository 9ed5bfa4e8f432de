import APNSGateway
import APNSProvider
import APNSTransport
import AppleDeveloper
import Crypto
import Foundation
import NIOPosix
import NIOSSL
import PushClock
import PushModel
import Synchronization
import TestSupport

/// A real TLS and HTTP/2 server that keeps what it is asked and answers as the test says.
final class TestServer: Sendable {
    struct Received: Sendable {
        var method: String
        var path: String
        /// In the order in which they came, without pseudo-headers.
        var headers: [(name: String, value: String)]
        var body: String
        /// The certificate that the client has shown.
        var certificate: NIOSSLCertificate?
        /// Counts connections from 1.
        var connection: Int

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// Nil never answers.
    typealias Script = @Sendable (Received) -> APNSAnswer?

    private struct Exchange: APNSRequestHandler {
        let connection: APNSServerConnection
        let number: Int
        let requests: Requests
        let script: Script

        func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
            let request = APNSRequest(request)
            let received = Received(
                method: request.method,
                path: request.path,
                headers: request.headers,
                body: String(decoding: request.body, as: UTF8.self),
                certificate: connection.clientCertificate,
                connection: number
            )
            requests.all.withLock { $0.append(received) }
            guard let scripted = script(received) else { return false }
            answer = HTTP2Answer(scripted)
            return true
        }

        func closed() {}
    }

    private final class Requests: Sendable {
        let all = Mutex<[Received]>([])
    }

    private let requests: Requests
    private let server: APNSServer
    private let folder: String

    private init(requests: Requests, server: APNSServer, folder: String) {
        self.requests = requests
        self.server = server
        self.folder = folder
    }

    /// Runs a server while `body` does.
    ///
    /// It asks for a client certificate if there are `clientAuthorities`, and accepts theirs.
    static func with<Result: Sendable>(
        clientAuthorities: [NIOSSLCertificate] = [],
        answering script: @escaping Script = { _ in APNSAnswer(status: 200, headers: []) },
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        try await withTemporaryPath { folder in
            _ = try GatewayAuthority(folder: folder)
            let requests = Requests()
            let count = Mutex(0)
            var configuration = APNSServer.Configuration()
            configuration.clientAuthorities = clientAuthorities
            let server = try await APNSServer.start(
                host: "127.0.0.1",
                port: 0,
                certificates: try NIOSSLCertificate.fromPEMFile(folder + "/server.pem"),
                key: try NIOSSLPrivateKey(file: folder + "/server.key", format: .pem),
                group: MultiThreadedEventLoopGroup.singleton,
                configuration: configuration
            ) { connection in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return Exchange(connection: connection, number: number, requests: requests, script: script)
            }
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(TestServer(requests: requests, server: server, folder: folder)))
            } catch {
                result = .failure(error)
            }
            await server.shutDown()
            return try result.get()
        }
    }

    var endpoint: APNSEndpoint {
        APNSEndpoint(host: "localhost", port: server.port, trust: .file(folder + "/ca.pem"))
    }

    /// The requests so far.
    var received: [Received] { requests.all.withLock(\.self) }
}

/// The topic and the tokens of the tests.
enum Example {
    static let bundleID = "com.example.app"
    static let teamID = "TEAM123456"
    static let keyID = "KEY1234567"

    /// A new key of a team.
    static func key(keyID: String = keyID, teamID: String = teamID) throws -> APNSSigningKey {
        try APNSSigningKey(p8: P256.Signing.PrivateKey().pemRepresentation, keyID: keyID, teamID: teamID)
    }

    static func client(
        for server: TestServer,
        key: APNSSigningKey? = nil,
        clock: any CivilClock = SystemClock()
    ) throws -> APNSClient {
        try client(endpoint: server.endpoint, key: key, clock: clock)
    }

    static func client(
        endpoint: APNSEndpoint,
        key: APNSSigningKey? = nil,
        clock: any CivilClock = SystemClock()
    ) throws -> APNSClient {
        APNSClient(credential: .key(try key ?? Self.key()), endpoint: endpoint, clock: clock)
    }

    static func push(to token: DeviceToken = DeviceToken(bytes: [1]), topic: String? = bundleID) -> APNSPush {
        APNSPush(id: UUID().uuidString, token: token, topic: topic, payload: Array("{}".utf8))
    }
}

extension APNSClient {
    /// Sends a batch; the outcomes come in the order of its pushes.
    func outcomes(of batch: APNSBatch) async -> [APNSOutcome] {
        let results = Mutex<[Int: APNSOutcome]>([:])
        await send(batch) { some in
            results.withLock { results in
                for result in some { results[result.index] = result.outcome }
            }
        }
        return results.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    }
}
