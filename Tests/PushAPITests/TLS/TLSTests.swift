import DeviceLink
import DeviceLinkNIO
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import NetworkSupport
import PushAPI
import PushClock
import PushModel
import PushService
import ServiceLifecycle
import TestSupport
import Testing

@Suite("The API over TLS", .suiteLimit)
struct TLSTests {
    private static func tls(_ certificate: TestCertificate) throws -> ServerTLS {
        try ServerTLS(
            certificates: certificate.certificates,
            key: certificate.key,
            protocols: ["http/1.1"],
            at: Date()
        )
    }

    /// The service under a certificate of its own while `body` runs.
    private static func run(_ body: @escaping (TestAPI, TestCertificate) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let certificate = try TestCertificate(in: folder)
            try await TestAPI.run(tls: try tls(certificate)) { try await body($0, certificate) }
        }
    }

    @Test("Pushes are answered, also those that are answered without a task", arguments: [["http/1.1"], ["h2"], []])
    func pushes(_ offered: [String]) async throws {
        try await Self.run { api, certificate in
            let device = api.core.registry.registrationID(of: try await api.addDevice().id)
            let context = try certificate.clientContext(protocols: offered)
            try await RawConnection.open(api.port, tls: context) { connection in
                for sendno in 1...3 {
                    let body = """
                        {"platform":"ios","audience":{"registration_id":["\(device)"]},\
                        "notification":{"alert":"hi"},"options":{"sendno":\(sendno)}}
                        """
                    let answer = try await connection.answer(to: api.request("POST", "/v3/push", body))
                    #expect(answer.status == 200)
                    #expect(answer.json?["sendno"]?.string == "\(sendno)")
                }
                let health = try await connection.answer(to: api.request("GET", "/health"))
                #expect(health.status == 200)
            }
        }
    }

    @Test("Only authenticated encryption of TLS 1.2 is spoken")
    func ciphers() async throws {
        try await Self.run { api, certificate in
            let modern = try certificate.clientContext(ciphers: [.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256])
            try await RawConnection.open(api.port, tls: modern) { connection in
                try await connection.send(api.request("GET", "/health"))
                #expect(try await connection.answer().status == 200)
            }
            let old = try certificate.clientContext(ciphers: [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA])
            await #expect(throws: (any Error).self) {
                try await RawConnection.open(api.port, tls: old) { connection in
                    try await connection.send(api.request("GET", "/health"))
                    _ = try await connection.answer()
                }
            }
        }
    }

    @Test("A link does not open to a server that speaks nothing newer than TLS 1.1")
    func oldServer() async throws {
        try await withTemporaryFolder { folder in
            let certificate = try TestCertificate(in: folder)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.certificates).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem))
            )
            tls.minimumTLSVersion = .tlsv1
            tls.maximumTLSVersion = .tlsv11
            let context = try NIOSSLContext(configuration: tls)
            let (shakes, shake) = AsyncStream<Bool>.makeStream()
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        try pipeline.addHandler(HandshakeWatch(shake))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(server.localAddress?.port)
            let dialer = WebSocketDialer(
                group: MultiThreadedEventLoopGroup.singleton,
                trustRoots: try certificate.roots()
            )
            let link = dialer.open("wss://127.0.0.1:\(port)/link") { _ in }
            for await isDone in shakes.prefix(1) { #expect(!isDone) }
            link.close()
            try await server.close()
        }
    }

    @Test("Both kinds of answers come to who says that no more is to come")
    func halfClosed() async throws {
        try await Self.run { api, certificate in
            let device = api.core.registry.registrationID(of: try await api.addDevice().id)
            let body = """
                {"platform":"ios","audience":{"registration_id":["\(device)"]},"notification":{"alert":"hi"}}
                """
            for _ in 1...2 {
                try await RawConnection.open(api.port, tls: try certificate.clientContext()) { connection in
                    try await connection.sendLast(api.request("POST", "/v3/push", body))
                    let answer = try await connection.answer()
                    #expect(answer.status == 200)
                }
            }
        }
    }

    @Test("An app registers on the link, and has its messages there")
    func link() async throws {
        try await Self.run { api, certificate in
            let (link, heard) = api.openLink(believing: try certificate.roots())
            var contents: [String] = []
            for await event in heard {
                switch event {
                case .opened: link.send(api.registration().text)
                case .frame(.loggedIn):
                    let push = """
                        {"platform":"ios","audience":"all","message":{"msg_content":"\(String(repeating: "x", count: 3000))"}}
                        """
                    try await RawConnection.open(api.port, tls: try certificate.clientContext()) { connection in
                        let answer = try await connection.answer(to: api.request("POST", "/v3/push", push))
                        #expect(answer.status == 200)
                    }
                case .frame(.message(let message)):
                    contents.append(message.content)
                    link.send(SDKFrame.acknowledge(position: message.position).text)
                    link.close()
                case .frame, .closed: break
                }
            }
            #expect(contents.map(\.count) == [3000])
        }
    }

    @Test("A client that does not trust the certificate, or speaks plain text, gets no link; the service goes on")
    func strangers() async throws {
        try await Self.run { api, certificate in
            for roots in [NIOSSLTrustRoots.default, nil] {
                let (_, heard) = api.openLink(believing: roots)
                var events: [String] = []
                for await event in heard { events.append("\(event)") }
                #expect(events.count == 1)
                #expect(events.first?.hasPrefix("closed") == true)
            }
            try await RawConnection.open(api.port, tls: try certificate.clientContext()) { connection in
                let health = try await connection.answer(to: api.request("GET", "/health"))
                #expect(health.status == 200)
            }
        }
    }

    @Test("A handshake that does not go on is ended like a request that does not come")
    func silence() async throws {
        try await withTemporaryFolder { folder in
            let tls = try Self.tls(try TestCertificate(in: folder))
            try await TestAPI.run(firstRequestLimit: .milliseconds(100), tls: tls) { api in
                try await RawConnection.open(api.port) { connection in
                    _ = await #expect(throws: RawConnection.Ended.self) { _ = try await connection.answer() }
                }
            }
        }
    }

    // MARK: - Files

    private static func isShown(_ certificate: TestCertificate, by api: TestAPI) async -> Bool {
        do {
            return try await RawConnection.open(api.port, tls: try certificate.clientContext()) { connection in
                try await connection.send(api.request("GET", "/health"))
                return try await connection.answer().status == 200
            }
        } catch { return false }
    }

    @Test("Says of files that cannot be used what is wrong with them")
    func problems() throws {
        try withTemporaryFolder { folder in
            let good = try TestCertificate(in: folder)
            let cert = good.certificates
            let key = good.key
            let others = folder.appending(path: "other")
            try FileManager.default.createDirectory(at: others, withIntermediateDirectories: true)
            let other = try TestCertificate(in: others)
            func problem(_ certificates: String, _ key: String, at now: Date = Date()) -> String? {
                let error = #expect(throws: ServerIdentity.Problem.self) {
                    _ = try ServerIdentity(certificates: certificates, key: key, at: now)
                }
                return error?.description
            }
            #expect(problem("nowhere.pem", key)?.hasPrefix("'nowhere.pem' cannot be read: ") == true)
            #expect(problem(key, key) == "'\(key)' holds no certificate; expected '-----BEGIN CERTIFICATE-----'.")
            #expect(
                problem(cert, cert)
                    == "'\(cert)' holds no key; expected '-----BEGIN PRIVATE KEY-----', without a passphrase."
            )
            #expect(
                problem(cert, other.key)
                    == "The key in '\(other.key)' is not that of the first certificate in '\(cert)'; "
                    + "expected the server's own certificate before those of its authorities."
            )
            #expect(
                problem(cert, key, at: .distantFuture)?.hasPrefix("The certificate in '\(cert)' expired on 2") == true
            )
            #expect(
                problem(cert, key, at: .distantPast)?.hasPrefix("The certificate in '\(cert)' is not valid before 2")
                    == true
            )
        }
    }

    @Test("Files that were renewed are shown to the next who come, and those that cannot be used change nothing")
    func renewal() async throws {
        try await withTemporaryFolder { folder in
            let old = try TestCertificate(in: folder)
            let tls = try Self.tls(old)
            try await TestAPI.run(tls: tls) { api in
                let before = try tls.renew(at: Date())
                #expect(!before, "Nothing was renewed.")
                try Data("half of it".utf8).write(to: URL(filePath: old.key))
                #expect(throws: ServerIdentity.Problem.self) { try tls.renew(at: Date()) }
                #expect(throws: ServerIdentity.Problem.self, "It is told to whoever asks.") {
                    try tls.renew(at: Date())
                }
                #expect(await Self.isShown(old, by: api))
                let new = try TestCertificate(in: folder)
                let after = try tls.renew(at: Date())
                #expect(after)
                #expect(await Self.isShown(new, by: api))
                #expect(await !Self.isShown(old, by: api))
            }
        }
    }

    /// Runs the renewal on a clock of its own. `body` gets a call that waits for the next check.
    private static func renewing(
        _ tls: ServerTLS,
        _ body: (MemoryLog, () async throws -> Void) async throws -> Void
    ) async throws {
        let clock = VirtualClock()
        let log = MemoryLog()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await CertificateRenewal(tls: tls, clock: clock, logger: log.logger).run() }
            try await clock.sleeper(for: .seconds(10))
            try await body(log) {
                await clock.advance(by: .seconds(10))
                try await clock.sleeper(for: .seconds(10))
            }
            group.cancelAll()
        }
    }

    @Test("A renewed certificate is shown to the next who come within ten seconds; connections that are open stay")
    func checks() async throws {
        try await withTemporaryFolder { folder in
            let old = try TestCertificate(in: folder)
            let tls = try Self.tls(old)
            try await TestAPI.run(tls: tls) { api in
                try await Self.renewing(tls) { log, check in
                    try await RawConnection.open(api.port, tls: try old.clientContext()) { connection in
                        try await check()
                        #expect(log.entries.isEmpty, "Nothing was renewed.")
                        let new = try TestCertificate(in: folder)
                        #expect(await !Self.isShown(new, by: api))
                        try await check()
                        #expect(await Self.isShown(new, by: api))
                        #expect(await !Self.isShown(old, by: api))
                        #expect(log.entries.map(\.message) == ["The certificate of the API was renewed"])
                        try await connection.send(api.request("GET", "/health"))
                        #expect(try await connection.answer().status == 200)
                    }
                }
            }
        }
    }

    @Test("A pair of files that is half written changes nothing, and is in the log only if it stays so")
    func halfWritten() async throws {
        try await withTemporaryFolder { folder in
            let old = try TestCertificate(in: folder)
            let tls = try Self.tls(old)
            let next = folder.appending(path: "next")
            try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
            func write(_ file: String) throws {
                try Data(contentsOf: URL(filePath: file)).write(
                    to: folder.appending(path: URL(filePath: file).lastPathComponent)
                )
            }
            let refusal = "The new certificate of the API cannot be used; the previous one stays in use"
            let renewal = "The certificate of the API was renewed"
            try await TestAPI.run(tls: tls) { api in
                try await Self.renewing(tls) { log, check in
                    let second = try TestCertificate(in: next)
                    try write(second.certificates)
                    try await check()
                    #expect(await Self.isShown(old, by: api))
                    try write(second.key)
                    try await check()
                    #expect(await Self.isShown(second, by: api))
                    #expect(log.entries.map(\.message) == [renewal], "The pair was complete at the next check.")

                    let third = try TestCertificate(in: next)
                    try write(third.certificates)
                    for _ in 1...3 { try await check() }
                    #expect(await Self.isShown(second, by: api))
                    #expect(log.entries.map(\.message) == [renewal, refusal], "It is logged once.")
                    #expect(log.entries.last?.level == .warning)
                    #expect(
                        log.entries.last?.metadata["error"]?.contains("is not that of the first certificate") == true
                    )
                    try write(third.key)
                    try await check()
                    #expect(await Self.isShown(third, by: api))
                    try Data("half of it".utf8).write(to: URL(filePath: old.key))
                    for _ in 1...2 { try await check() }
                    #expect(log.entries.map(\.message) == [renewal, refusal, renewal, refusal], "It is a new one.")
                }
            }
        }
    }
}

/// Tells whether the handshake of a connection came about.
private final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let tell: AsyncStream<Bool>.Continuation

    init(_ tell: AsyncStream<Bool>.Continuation) { self.tell = tell }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { tell.yield(true) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tell.yield(false)
        context.close(promise: nil)
    }
}
