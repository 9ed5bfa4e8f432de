import Synchronization

/// Opens links to acceptors in the same process, by URL, without sockets, threads or waiting.
///
/// A frame has been delivered when `send` returns, unless the link is delivering another one: then it follows that one.
/// Tests therefore see the same order every time.
public final class LoopbackDialer: LinkDialer {
    private let acceptors = Mutex<[String: any LinkAcceptor]>([:])

    private let heartbeats = Mutex(0)

    /// Creates a dialer that knows no address yet.
    public init() {}

    /// The number of pings that the ends of its links have sent.
    public var pings: Int { heartbeats.withLock(\.self) }

    /// Sets the acceptor for links to `url`; nil refuses them. Open links stay open.
    public func serve(_ url: String, _ acceptor: (any LinkAcceptor)?) { acceptors.withLock { $0[url] = acceptor } }

    /// Opens a link to the acceptor of the address, in this process.
    public func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        let link = LoopbackLink(client: handler) { [weak self] in self?.heartbeats.withLock { $0 += 1 } }
        if let acceptor = acceptors.withLock({ $0[url] }) {
            link.accept(acceptor)
        } else {
            link.refuse(.closed("nobody answers at \(url)"))
        }
        return LoopbackEnd(link: link, isClient: true)
    }
}

/// The state shared by both ends of a loopback link.
private final class LoopbackLink: Sendable {
    private struct State {
        var server: (@Sendable (LinkEvent) -> Void)?
        var waiting: [(event: LinkEvent, toClient: Bool)] = []
        var isRunning = false
        var isClosed = false
    }

    private let client: @Sendable (LinkEvent) -> Void
    private let pinged: @Sendable () -> Void
    private let state = Mutex(State())

    init(client: @escaping @Sendable (LinkEvent) -> Void, pinged: @escaping @Sendable () -> Void) {
        self.client = client
        self.pinged = pinged
    }

    func ping() { if state.withLock({ !$0.isClosed }) { pinged() } }

    func accept(_ acceptor: any LinkAcceptor) {
        // The server receives nothing before it is in place, and the client's first frame comes after `opened`.
        let server = acceptor.accept(LoopbackEnd(link: self, isClient: false))
        state.withLock { state in
            state.server = server
            state.waiting.insert((.opened, true), at: 0)
        }
        run()
    }

    func send(_ text: String, toClient: Bool) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.waiting.append((.received(text), toClient)) }
            return !state.isClosed
        }
        if isOpen { run() }
    }

    func refuse(_ event: LinkEvent) {
        state.withLock { state in
            state.isClosed = true
            state.server = { _ in }
            state.waiting.append((event, true))
        }
        run()
    }

    func close() {
        let wasOpen = state.withLock { state in
            if state.isClosed { return false }
            state.isClosed = true
            state.waiting.append((.closed("the link was closed"), true))
            state.waiting.append((.closed("the link was closed"), false))
            return true
        }
        if wasOpen { run() }
    }

    private func run() {
        while true {
            let next = state.withLock { state -> (event: LinkEvent, handler: @Sendable (LinkEvent) -> Void)? in
                // A server that sends from within `accept` waits until it is in place.
                guard !state.isRunning, let server = state.server, !state.waiting.isEmpty else { return nil }
                let first = state.waiting.removeFirst()
                state.isRunning = true
                return (first.event, first.toClient ? client : server)
            }
            guard let next else { return }
            next.handler(next.event)
            state.withLock { $0.isRunning = false }
        }
    }
}

private final class LoopbackEnd: LinkConnection {
    private let link: LoopbackLink
    private let isClient: Bool

    init(link: LoopbackLink, isClient: Bool) {
        self.link = link
        self.isClient = isClient
    }

    func send(_ text: String) { link.send(text, toClient: !isClient) }
    func ping() { link.ping() }
    func close() { link.close() }
}
