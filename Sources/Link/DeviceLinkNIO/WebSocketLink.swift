import DeviceLink
import NIOCore
import NIOWebSocket
import Synchronization

/// The near end of a WebSocket: sends text frames in the order of the calls, from any thread.
///
/// Frames sent while the event loop is busy leave in one batch.
final class WebSocketLink: LinkConnection {
    private enum Phase {
        case opening
        case open(any Channel, NIOLoopBound<LinkChannelHandler>, LoopWriteBatch)
        case closed
    }

    private enum Item {
        case text(String)
        case batch(LinkBatch)

        var bytes: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .batch(let batch): batch.webSocketFrames.count
            }
        }
    }

    private struct State {
        var phase = Phase.opening
        /// Whether `close` was called while the link was still opening.
        var isCancelled = false
        var pending: [Item] = []
        var isScheduled = false
        /// Bytes passed to `send` that are not known to have reached the network.
        var waitingBytes = 0
        /// The part of them that was written without asking for the completion.
        var unconfirmedBytes = 0
        var isReadingHeld = false
        var isAdmitted = false
    }

    /// The bytes that may be written without asking for the completion: a promise costs a third of what a small write does.
    private static let unconfirmedBytes = 65_536

    let isClient: Bool
    private let configuration: LinkConfiguration
    private let state = Mutex(State())

    let peerNetwork: String?

    init(isClient: Bool, configuration: LinkConfiguration, peerNetwork: String? = nil) {
        self.isClient = isClient
        self.configuration = configuration
        self.peerNetwork = peerNetwork
    }

    func send(_ text: String) { send(.text(text)) }

    /// Clients mask their frames, each one individually.
    func send(_ batch: LinkBatch) {
        if isClient {
            for text in batch.texts { send(text) }
        } else {
            send(.batch(batch))
        }
    }

    private func send(_ item: Item) {
        let (turn, isTooSlow) = state.withLock { state -> (LoopWriteBatch?, Bool) in
            guard case .open(_, _, let turn) = state.phase else { return (nil, false) }
            state.waitingBytes += item.bytes
            guard state.waitingBytes <= configuration.waitingBytes else { return (nil, true) }
            state.pending.append(item)
            guard !state.isScheduled else { return (nil, false) }
            state.isScheduled = true
            return (turn, false)
        }
        if isTooSlow {
            close(code: .policyViolation)
        } else {
            turn?.add(self)
        }
    }

    /// The channel of an open link.
    private var openChannel: (any Channel)? {
        state.withLock { if case .open(let channel, _, _) = $0.phase { channel } else { nil } }
    }

    func whenWritten(_ body: @escaping @Sendable () -> Void) {
        // The sender has scheduled a task on the loop that writes it, before this one.
        if let channel = openChannel {
            channel.eventLoop.execute(body)
        } else {
            body()
        }
    }

    func whenFlushed(_ body: @escaping @Sendable () -> Void) {
        guard let channel = openChannel else { return body() }
        channel.eventLoop.execute { self.drain(whenFlushed: body) }
    }

    func ping() {
        onLoop { _ in
        } then: {
            $0.ping()
        }
    }

    func holdReading() { state.withLock { $0.isReadingHeld = true } }

    func resumeReading() {
        onLoop { state in
            state.isReadingHeld = false
        } then: {
            $0.read()
        }
    }

    /// Whether reading is on hold; checked before each read, so that a hold applies from the next one.
    var isReadingHeld: Bool { state.withLock(\.isReadingHeld) }

    func admit() {
        guard !isAdmitted else { return }
        onLoop { state in
            state.isAdmitted = true
        } then: {
            $0.admit()
        }
    }

    var isAdmitted: Bool { state.withLock(\.isAdmitted) }

    /// Changes the state, then runs a step of an open link's handler on its event loop.
    private func onLoop(_ change: (inout State) -> Void, then body: @escaping @Sendable (LinkChannelHandler) -> Void) {
        let place = state.withLock { state -> (any Channel, NIOLoopBound<LinkChannelHandler>)? in
            change(&state)
            guard case .open(let channel, let handler, _) = state.phase else { return nil }
            return (channel, handler)
        }
        guard let (channel, handler) = place else { return }
        channel.eventLoop.execute { body(handler.value) }
    }

    func close() { close(code: .normalClosure) }

    /// Starts the closing handshake after everything sent before, then closes.
    func close(code: WebSocketErrorCode) {
        onLoop { state in
            if case .opening = state.phase { state.isCancelled = true }
        } then: { handler in
            self.drain()
            handler.close(code)
        }
    }

    /// Opens the link on its channel. Call it on the event loop; `handler` is the handler through which the link
    /// writes.
    ///
    /// - Returns: false if the owner has closed the link in the meantime.
    func open(on channel: any Channel, _ handler: LinkChannelHandler) -> Bool {
        let handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        return state.withLock { state in
            guard case .opening = state.phase, !state.isCancelled else { return false }
            state.phase = .open(channel, handler, .join(channel.eventLoop))
            return true
        }
    }

    /// Ends the link: from now on `send` and `close` do nothing.
    func end() {
        let turn = state.withLock { state -> LoopWriteBatch? in
            defer {
                state.phase = .closed
                state.pending = []
            }
            return if case .open(_, _, let turn) = state.phase { turn } else { nil }
        }
        turn?.leave()
    }

    /// Writes the pending items, and calls `body` when everything has been passed to the network, or when the link has ended. Runs
    /// on the event loop.
    func drain(whenFlushed body: (@Sendable () -> Void)? = nil) {
        let (phase, items, confirmed) = state.withLock { state -> (Phase, [Item], Int?) in
            state.isScheduled = false
            for item in state.pending { state.unconfirmedBytes += item.bytes }
            let isAsked = body == nil ? state.unconfirmedBytes > Self.unconfirmedBytes : state.waitingBytes > 0
            defer {
                state.pending = []
                if isAsked { state.unconfirmedBytes = 0 }
            }
            return (state.phase, state.pending, isAsked ? state.unconfirmedBytes : nil)
        }
        guard case .open(let channel, let handler, _) = phase, !items.isEmpty || confirmed != nil else {
            body?()
            return
        }
        for item in items { handler.value.write(outbound(item, channel.allocator)) }
        guard let confirmed else { return handler.value.flush() }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in
            self.state.withLock { $0.waitingBytes -= confirmed }
            body?()
        }
        handler.value.flush(written)
    }

    private func outbound(_ item: Item, _ allocator: ByteBufferAllocator) -> LinkOutbound {
        switch item {
        case .text(let text):
            .frame(
                WebSocketFrame(
                    fin: true,
                    opcode: .text,
                    maskKey: isClient ? .random() : nil,
                    data: allocator.buffer(string: text)
                )
            )
        case .batch(let batch): .encoded(allocator.buffer(bytes: batch.webSocketFrames))
        }
    }
}

/// The items that a link writes to its channel.
enum LinkOutbound: Sendable {
    case frame(WebSocketFrame)
    /// Complete, encoded frames.
    case encoded(ByteBuffer)
}
