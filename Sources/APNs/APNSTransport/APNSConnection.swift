package import NIOCore
import NIOPosix
package import NIOSSL
package import NetworkSupport
import PushClock
import Synchronization

/// One HTTP/2 connection over TLS from a provider to APNs or a gateway.
package final class APNSConnection: Sendable {
    package struct Target: Sendable {
        package var host: String
        package var port: Int
        /// The name for SNI and verification, if it is not `host`.
        package var serverName: String?
        package var trustRoots: NIOSSLTrustRoots
        /// Whether the server's certificate is verified; false accepts any.
        package var isVerified: Bool
        /// The identity for a server that asks for a client certificate.
        package var identity: Identity?
        /// The proxy to the server; nil for a direct connection.
        package var proxy: HTTPProxy?

        package struct Identity: Sendable {
            /// The certificate chain, own certificate first.
            package var chain: [NIOSSLCertificate]
            package var privateKey: NIOSSLPrivateKey

            package init(chain: [NIOSSLCertificate], privateKey: NIOSSLPrivateKey) {
                self.chain = chain
                self.privateKey = privateKey
            }
        }

        package init(
            host: String,
            port: Int,
            serverName: String? = nil,
            trustRoots: NIOSSLTrustRoots = .default,
            isVerified: Bool = true,
            identity: Identity? = nil,
            proxy: HTTPProxy? = nil
        ) {
            self.host = host
            self.port = port
            self.serverName = serverName
            self.trustRoots = trustRoots
            self.isVerified = isVerified
            self.identity = identity
            self.proxy = proxy
        }
    }

    /// An event of the connection itself. Reported on its event loop.
    package enum Event: Sendable {
        case settings(streamLimit: Int)
        /// The other side accepts no new streams. Requests that it did not process fail as such.
        case goAway(APNSGoAway)
        /// This side accepts no new requests on the connection.
        case leaving(String)
        /// There was no request for the time in ``KeepAlive/Rules/quietAfter``.
        case quiet
        /// The last event; it comes before the outcomes of the open requests.
        case closed(String)
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<ClientHandler>
    private let callers: Callers
    private let outbox = Outbox()
    private let nextID = Atomic<UInt64>(0)

    private init(channel: any Channel, handler: NIOLoopBound<ClientHandler>, callers: Callers) {
        self.channel = channel
        self.handler = handler
        self.callers = callers
    }

    /// Connects, and waits for the other side's SETTINGS so that the stream limit is known before the first request.
    ///
    /// `report` receives the outcomes of the requests of ``submit(_:)``, on the event loop, whenever something has
    /// arrived.
    /// - Throws: errors of DNS, TCP, the proxy, TLS or HTTP/2; ``APNSStreamFailure`` if SETTINGS never arrive.
    package static func connect(
        to target: Target,
        group: any EventLoopGroup,
        timeout: TimeAmount = .seconds(10),
        limits: HTTP2Limits = HTTP2Limits(),
        stallLimit: TimeAmount = .seconds(20),
        keepAlive: KeepAlive.Rules = KeepAlive.Rules(),
        events: @escaping @Sendable (Event) -> Void,
        report: @escaping @Sendable (HTTP2Outcomes) -> Void = { _ in }
    ) async throws -> APNSConnection {
        let context = try NIOSSLContext(configuration: tls(for: target))
        let loop = group.next()
        let ready = Announcement<Void>()
        let callers = Callers()
        let channel = try await ClientBootstrap(group: loop)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 131_072)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ClientHandler(
                        authority: target.authority,
                        limits: limits,
                        stallLimit: stallLimit,
                        keepAlive: keepAlive
                    ) { event in
                        ready.consider(event)
                        events(event)
                    } report: { outcomes in
                        callers.answer(outcomes)
                        report(outcomes)
                    }
                    let pipeline = channel.pipeline.syncOperations
                    if let proxy = target.proxy {
                        try pipeline.addHandler(try HTTPProxyTunnel(through: proxy, to: target.host, port: target.port))
                    }
                    try pipeline.addHandlers([
                        NIOSSLClientHandler(context: context, serverHostname: target.nameToCheck), handler,
                    ])
                }
            }
            .connect(host: target.proxy?.host ?? target.host, port: target.proxy?.port ?? target.port)
            .get()
        do {
            try await wait(for: ready, on: loop, timeout: timeout)
        } catch {
            channel.close(promise: nil)
            throw error
        }
        let handler = try await channel.eventLoop.submit {
            NIOLoopBound(
                try channel.pipeline.syncOperations.handler(type: ClientHandler.self),
                eventLoop: channel.eventLoop
            )
        }.get()
        return APNSConnection(channel: channel, handler: handler, callers: callers)
    }

    /// Waits for the other side's SETTINGS. Sockets use real time, whatever clock the rest uses.
    private static func wait(for ready: Announcement<Void>, on loop: any EventLoop, timeout: TimeAmount) async throws {
        let giveUp = loop.scheduleTask(in: timeout) {
            let reason = "no SETTINGS within \(timeout.nanoseconds / 1_000_000) ms"
            ready.make(.failure(APNSStreamFailure(.notProcessed, reason)))
        }
        defer { giveUp.cancel() }
        try await ready.value
    }

    private static func tls(for target: Target) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = target.trustRoots
        if !target.isVerified { tls.certificateVerification = .none }
        tls.applicationProtocols = ["h2"]
        if let identity = target.identity {
            tls.certificateChain = identity.chain.map { .certificate($0) }
            tls.privateKey = .privateKey(identity.privateKey)
        }
        return tls
    }

    /// Submits requests; each has one outcome, which goes to the closure given at the start. Tags are chosen by the caller, below
    /// 2^63.
    package func submit(_ batch: HTTP2RequestBatch) { channel.eventLoop.execute { self.handler.value.start(batch) } }

    /// Submits a request like ``submit(_:)``, together with all others that are submitted before the event loop runs.
    ///
    /// `write` adds the request.
    package func gather(_ write: (inout HTTP2RequestBatch) -> Void) {
        guard outbox.add(write) else { return }
        channel.eventLoop.execute { self.handler.value.start(self.outbox.take()) }
    }

    /// Returns an id for a request that is about to be sent.
    package func newID() -> UInt64 { nextID.wrappingAdd(1, ordering: .relaxed).newValue | Callers.bit }

    /// Sends a request when a stream is free, and waits for its answer.
    ///
    /// If the calling task is cancelled, the request is abandoned; with its id it can be abandoned sooner.
    package func send(_ request: APNSRequest, id: UInt64) async throws(APNSStreamFailure) -> APNSAnswer {
        var batch = HTTP2RequestBatch()
        batch.heads = [HTTP2RequestHead(method: request.method, fields: [])]
        let path = batch.append(Array(request.path.utf8))
        for (name, value) in request.headers {
            let number = FieldCatalog.shared.name(name)
            let text = number == .other ? batch.append(Array(name.utf8)) : 0..<0
            batch.fields.append(HTTP2BatchField(number, nameText: text, batch.append(Array(value.utf8))))
        }
        let body = batch.append(request.body)
        batch.requests = [.init(tag: id, head: 0, path: path, fields: 0..<batch.fields.count, body: body)]
        let cancellation = Cancellation()
        let ready = batch
        let outcome: Result<APNSAnswer, APNSStreamFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                callers.add(id) { continuation.resume(returning: $0) }
                channel.eventLoop.execute {
                    self.handler.value.start(ready)
                    if cancellation.isAsked { self.handler.value.abandon(id...id, reason: Cancellation.reason) }
                }
            }
        } onCancel: {
            cancellation.ask()
            abandon(id, reason: Cancellation.reason)
        }
        return try outcome.get()
    }

    /// Abandons a request that has not been answered yet; the other side may still act on it.
    package func abandon(_ id: UInt64, reason: String) { abandon(id...id, reason: reason) }

    /// Abandons all requests whose tags are in the range.
    package func abandon(_ tags: ClosedRange<UInt64>, reason: String) {
        channel.eventLoop.execute { self.handler.value.abandon(tags, reason: reason) }
    }

    /// Sends a PING, and returns the other side's settings as of its answer; nil if the connection ends first.
    package func settings() async -> PeerSettings? {
        await withCheckedContinuation { continuation in
            channel.eventLoop.execute { self.handler.value.ask { continuation.resume(returning: $0) } }
        }
    }

    /// Accepts no more requests; closes when the open ones are answered.
    package func leave(_ reason: String) { channel.eventLoop.execute { self.handler.value.leave(reason) } }

    /// Closes at once; open requests fail as undecided.
    package func close() { channel.close(promise: nil) }

    package func waitUntilClosed() async { try? await channel.closeFuture.get() }
}

extension APNSConnection.Target {
    var authority: String { port == 443 ? name : "\(name.contains(":") ? "[\(name)]" : name):\(port)" }

    /// The name that the certificate must contain; nil for a numeric address.
    var nameToCheck: String? { (try? SocketAddress(ipAddress: name, port: port)) == nil ? name : nil }

    private var name: String { serverName ?? host }
}

/// The callers that wait for the answers to their requests.
private final class Callers: Sendable {
    /// The bit that is set in the tags of their requests.
    static let bit: UInt64 = 1 << 63

    private let waiting = Mutex<[UInt64: @Sendable (Result<APNSAnswer, APNSStreamFailure>) -> Void]>([:])

    func add(_ tag: UInt64, _ finish: @escaping @Sendable (Result<APNSAnswer, APNSStreamFailure>) -> Void) {
        waiting.withLock { $0[tag] = finish }
    }

    func answer(_ outcomes: HTTP2Outcomes) {
        for outcome in outcomes.outcomes where outcome.tag & Self.bit != 0 {
            guard let finish = waiting.withLock({ $0.removeValue(forKey: outcome.tag) }) else { continue }
            if outcome.status == nil {
                finish(.failure(outcomes.failure(outcome)))
            } else {
                finish(.success(outcomes.answer(outcome)))
            }
        }
    }
}

/// Records a cancellation that comes before its request has reached the event loop.
private final class Cancellation: Sendable {
    static let reason = "the task was cancelled"
    private let asked = Atomic(false)

    var isAsked: Bool { asked.load(ordering: .sequentiallyConsistent) }
    func ask() { asked.store(true, ordering: .sequentiallyConsistent) }
}

extension Announcement<Void> {
    /// Succeeds at the first SETTINGS, and fails if the connection ends before.
    fileprivate func consider(_ event: APNSConnection.Event) {
        switch event {
        case .settings: make(.success(()))
        case .leaving, .quiet: break
        case .goAway(let goAway): make(.failure(APNSStreamFailure(.notProcessed, "GOAWAY \(goAway.text)")))
        case .closed(let reason): make(.failure(APNSStreamFailure(.notProcessed, reason)))
        }
    }
}

/// The contents of a GOAWAY with which the other side ended a connection.
package struct APNSGoAway: Sendable {
    /// Streams above this one have not been processed.
    package var lastStreamID: Int
    /// The error code (RFC 9113, section 7).
    package var errorCode: Int
    /// The debug data. APNs writes `{"reason":"…"}` here; other bytes have been seen.
    package var debugData: [UInt8]

    /// The debug data as text; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: debugData, as: UTF8.self) }
}

/// A queue of requests from many callers to one event loop, which is woken once for all that have accumulated.
final class Outbox: Sendable {
    private struct State {
        var batch = HTTP2RequestBatch()
        var isAnnounced = false
    }

    private let state = Mutex(State())

    /// - Returns: whether the event loop has to be woken.
    func add(_ write: (inout HTTP2RequestBatch) -> Void) -> Bool {
        state.withLock { state in
            write(&state.batch)
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
    }

    /// Takes the accumulated requests.
    func take() -> HTTP2RequestBatch {
        state.withLock { state in
            let ready = state.batch
            state.isAnnounced = false
            state.batch = HTTP2RequestBatch()
            state.batch.reserve(as: ready)
            return ready
        }
    }
}

extension HTTP2RequestBatch {
    /// Reserves as much room as another batch needed, within reason.
    fileprivate mutating func reserve(as other: HTTP2RequestBatch) {
        requests.reserveCapacity(min(other.requests.count, 1024))
        fields.reserveCapacity(min(other.fields.count, 2048))
        bytes.reserveCapacity(min(other.bytes.count, 1 << 19))
    }
}
