// Custom messages, between the service and the app's reader.

extension ClientState {
    /// The facts that a link needs; nil if there is to be none.
    var login: SocketState.Login? {
        guard let registration = saved.registration, !saved.isLeaving, phase != .notStarted, !isRefused else {
            return nil
        }
        return SocketState.Login(
            appKey: saved.appKey,
            registration: registration,
            position: inbox.position,
            takesMessages: inbox.demand != .noReader,
            facts: SocketState.Facts(saved.wanted)
        )
    }

    var isRefused: Bool { if case .refused = phase { true } else { false } }

    /// Sets the wish of the app's reader.
    mutating func demand(_ demand: MessageInbox.Demand) {
        let hadReader = inbox.demand != .noReader
        // From a reader that another one has replaced.
        if demand == .one, !hadReader || inbox.demand == .all { return }
        inbox.demand = demand
        if hadReader != (demand != .noReader) { changedReader() }
        handOver()
        proceed()
    }

    mutating func changedReader() {
        wantsMessages = true
        // Also while the login is under way, which says that there is none.
        if socket.isLoggedIn || socket.phase == .open { logIn() }
    }

    mutating func received(_ messages: [CustomMessage], _ position: Int64?) {
        // They stay with the service if the reader or the identity has gone meanwhile.
        guard inbox.demand != .noReader, saved.registration != nil, !saved.isLeaving else { return }
        for message in messages { _ = inbox.receive(message) }
        inbox.ends(at: position)
        // The next call acknowledges these, and returns those that waited behind them.
        wantsMessages = !messages.isEmpty
        handOver()
    }

    /// Takes a message of the link.
    mutating func receive(_ message: CustomMessage) {
        if saved.isLeaving { return }
        if inbox.receive(message) { acknowledge() }
        handOver()
    }

    /// Hands the messages that wait to the reader, as it wants them.
    ///
    /// The position is saved before the app gets the message: a message whose handler crashes the process must not crash the next
    /// one too. The service hears of it after that.
    mutating func handOver() {
        while let message = inbox.take() {
            savePosition()
            add(.deliver(message))
            tookMessage()
        }
        if inbox.passEnd() { savePosition() }
        if let next = inbox.offer() { add(.offer(next)) }
    }
}
