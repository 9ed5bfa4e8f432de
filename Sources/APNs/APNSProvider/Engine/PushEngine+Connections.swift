import APNSTransport
import Logging
import NIOCore
import NetworkSupport
import Synchronization

extension PushEngine {
    /// Carries out the commands of the pool.
    func obey(_ commands: [ConnectionPool.Command], _ state: inout State) {
        for command in commands {
            switch command {
            case .open(let number, let pause):
                // Unstructured: many pushes wait for one connection, and none of them owns it. It ends when the connection
                // is open or has failed; `shutdown` awaits it.
                state.dials[number] = Task { await self.dial(number, after: pause) }
            case .leave(let number, let reason):
                if let link = state.links.first(where: { $0.number == number }) {
                    state.effects.left.append((link, reason))
                }
            }
        }
    }

    private func dial(_ number: Int, after pause: Duration) async {
        if pause > .zero { try? await time.sleep(until: time.elapsed + pause) }
        let isWanted = state.withLock { state in
            if pause == .zero || !state.isIdle, !Task.isCancelled { return true }
            state.pool.cancel(number)
            state.dials[number] = nil
            return false
        }
        guard isWanted else { return }
        do {
            let connection = try await connect(number)
            guard stands(Link(number: number, connection: connection)) else {
                connection.leave("it was no longer needed")
                return
            }
            logger.debug(
                "A connection to APNs is open",
                metadata: ["connection.id": "\(number)", "connection.peer": "\(endpoint.host)"]
            )
        } catch {
            logger.debug(
                "No connection to APNs",
                metadata: ["error": "\(error)", "connection.peer": "\(endpoint.host)"]
            )
            failed(number, NetworkWords.reason(of: error))
        }
    }

    private func connect(_ number: Int) async throws -> APNSConnection {
        var limits = HTTP2Limits()
        limits.acceptedStreams = configuration.maxInFlight
        let keepAlive = KeepAlive.Rules(
            pingAfter: TimeAmount(configuration.pingAfter),
            quietAfter: TimeAmount(configuration.idleTime)
        )
        // A single connection runs on the event loop of the client's executor.
        let isOnly = state.withLock { $0.pool.seatCount == 1 }
        return try await APNSConnection.connect(
            to: try endpoint.target(showing: certificate),
            group: isOnly ? executor.loop : group,
            limits: limits,
            keepAlive: keepAlive
        ) {
            self.happened($0, to: number)
        } report: {
            self.receive($0, from: number)
        }
    }

    private func stands(_ link: Link) -> Bool {
        let now = time.elapsed
        return change { state in
            state.dials[link.number] = nil
            guard state.pool.stands(link.number) else {
                fail(link.number, because: state.pool.lastError, &state)
                return false
            }
            state.links.append(link)
            metrics.connections(state.links.count)
            resume(&state, at: now)
            return true
        }
    }

    /// Sends the pushes that had no connection.
    private func resume(_ state: inout State, at now: Duration) {
        state.effects.woken += state.waitingBatches.values.map(\.waiter)
        state.waitingBatches = [:]
        let parked = state.parked
        state.parked = []
        for attempt in parked {
            guard let index = state.slots.index(of: attempt, in: .parked) else { continue }
            resend(index, &state, at: now)
        }
        settle(&state, at: now)
    }

    private func failed(_ number: Int, _ error: String) {
        change { state in
            state.dials[number] = nil
            fail(number, because: error, &state)
        }
    }

    private func fail(_ number: Int, because error: String, _ state: inout State) {
        let isWanted = !state.isIdle && !(state.isClosing && state.slots.count == 0 && state.batches == 0)
        obey(state.pool.failed(number, error, isWanted: isWanted), &state)
    }

    private func happened(_ event: APNSConnection.Event, to number: Int) {
        switch event {
        case .settings: break
        case .goAway(let goAway):
            configuration.goAway?(goAway.text)
            logger.debug(
                "APNs ends the connection",
                metadata: ["apns.reason": "\(goAway.text)", "connection.id": "\(number)"]
            )
            ended(number, because: "GOAWAY \(goAway.text)", isGone: false)
        case .leaving(let reason): ended(number, because: reason, isGone: false)
        case .closed(let reason): ended(number, because: reason, isGone: true)
        case .quiet: change { state in obey(state.pool.quiet(number), &state) }
        }
    }

    private func ended(_ number: Int, because reason: String, isGone: Bool) {
        change { state in
            obey(state.pool.ended(number, reason, isWanted: !state.isIdle), &state)
            guard isGone else { return }
            state.pool.forget(number)
            state.links.removeAll { $0.number == number }
            metrics.connections(state.links.count)
        }
    }
}
