package import NIOCore
import NIOHTTP2
import NIOPosix
package import NIOSSL
import Synchronization

/// One HTTP/2 connection over TLS from a provider to APNs or a gateway.
package final class APNSConnection: Sendable {
    package struct Target: Sendable {
        package var host: String
        package var port: Int
        /// The name to ask for and to check, if it is not `host`.
        package var serverName: String?
        package var trustRoots: NIOSSLTrustRoots

        package init(host: String, port: Int, serverName: String? = nil, trustRoots: NIOSSLTrustRoots = .default) {
            self.host = host
            self.port = port
            self.serverName = serverName
            self.trustRoots = trustRoots
        }
    }

    /// What happens to the connection itself. Told on its event loop.
    package enum Event: Sendable {
        case settings(streamLimit: Int)
        /// The first answer has come.
        case answered
        /// The other side wants no new streams. Requests that it did not process fail as such.
        case goAway(APNSGoAway)
        /// The last event.
        case closed(String)
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<ClientHandler>
    private let nextID = Atomic<UInt64>(0)

    private init(channel: any Channel, handler: NIOLoopBound<ClientHandler>) {
        self.channel = channel
        self.handler = handler
    }

    /// Connects, and waits for the other side's SETTINGS so that the stream limit is known before the first request.
    ///
    /// - Throws: what DNS, TCP, TLS or HTTP/2 had to say; ``APNSStreamFailure`` if SETTINGS never come.
    package static func connect(
        to target: Target,
        group: any EventLoopGroup,
        timeout: TimeAmount = .seconds(10),
        events: @escaping @Sendable (Event) -> Void
    ) async throws -> APNSConnection {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = target.trustRoots
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let loop = group.next()
        let ready = loop.makePromise(of: Void.self)
        let isReady = OneShot(ready)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(timeout)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try configure(channel, target, context) { event in
                            isReady.consider(event)
                            events(event)
                        }
                    }
                }
                .connect(host: target.host, port: target.port)
                .get()
        } catch {
            isReady.fail(error)
            throw error
        }
        // Sockets live in real time, whatever clock the rest reads.
        let giveUp = loop.scheduleTask(in: timeout) {
            isReady.fail(APNSStreamFailure(.notProcessed, "no SETTINGS within \(timeout.nanoseconds / 1_000_000) ms"))
        }
        defer { giveUp.cancel() }
        do {
            try await ready.futureResult.get()
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
        return APNSConnection(channel: channel, handler: handler)
    }

    private static func configure(
        _ channel: any Channel,
        _ target: Target,
        _ context: NIOSSLContext,
        _ events: @escaping @Sendable (Event) -> Void
    ) throws {
        let name = target.serverName ?? target.host
        let isNumeric = (try? SocketAddress(ipAddress: name, port: target.port)) != nil
        let authority = target.port == 443 ? name : "\(name.contains(":") ? "[\(name)]" : name):\(target.port)"
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
        ]
        try channel.pipeline.syncOperations.addHandlers([
            NIOSSLClientHandler(context: context, serverHostname: isNumeric ? nil : name),
            NIOHTTP2Handler(mode: .client, connectionConfiguration: connection),
            ClientHandler(authority: authority, events: events),
        ])
    }

    /// Sends a request when a stream is free, and waits for its answer.
    ///
    /// When the calling task is cancelled the request is given up.
    package func send(_ request: APNSRequest) async throws(APNSStreamFailure) -> APNSAnswer {
        let id = newID()
        return try await send(request, id: id)
    }

    /// A name for a request that is about to be sent.
    package func newID() -> UInt64 { nextID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Sends a request under a name by which it can be given up.
    package func send(_ request: APNSRequest, id: UInt64) async throws(APNSStreamFailure) -> APNSAnswer {
        let cancellation = Cancellation()
        let outcome: ClientHandler.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outgoing = ClientHandler.Outgoing(id: id, request: request) { continuation.resume(returning: $0) }
                channel.eventLoop.execute {
                    self.handler.value.start(outgoing)
                    if cancellation.isAsked { self.handler.value.abandon(id, reason: Cancellation.reason) }
                }
            }
        } onCancel: {
            cancellation.ask()
            abandon(id, reason: Cancellation.reason)
        }
        return try outcome.get()
    }

    /// Ends a request that is not answered yet; the other side may still act on it.
    package func abandon(_ id: UInt64, reason: String) {
        channel.eventLoop.execute { self.handler.value.abandon(id, reason: reason) }
    }

    /// No more requests; closes when the open ones are answered.
    package func leave(_ reason: String) {
        channel.eventLoop.execute { self.handler.value.leave(reason) }
    }

    /// Closes at once; open requests fail as undecided.
    package func close() { channel.close(promise: nil) }

    package func waitUntilClosed() async { try? await channel.closeFuture.get() }
}

/// Remembers a cancellation that comes before its request has reached the event loop.
private final class Cancellation: Sendable {
    static let reason = "the task was cancelled"
    private let asked = Atomic(false)

    var isAsked: Bool { asked.load(ordering: .sequentiallyConsistent) }
    func ask() { asked.store(true, ordering: .sequentiallyConsistent) }
}

/// Succeeds at the first SETTINGS, fails when the connection ends before.
private final class OneShot: Sendable {
    private let promise: Mutex<EventLoopPromise<Void>?>

    init(_ promise: EventLoopPromise<Void>) { self.promise = Mutex(promise) }

    func consider(_ event: APNSConnection.Event) {
        switch event {
        case .settings: take()?.succeed()
        case .answered: break
        case .goAway(let goAway): fail(APNSStreamFailure(.notProcessed, "GOAWAY \(goAway.text)"))
        case .closed(let reason): fail(APNSStreamFailure(.notProcessed, reason))
        }
    }

    func fail(_ error: any Error) { take()?.fail(error) }

    private func take() -> EventLoopPromise<Void>? {
        promise.withLock { promise in
            defer { promise = nil }
            return promise
        }
    }
}
