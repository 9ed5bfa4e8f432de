package import APNSTransport
package import PushModel
import Synchronization

/// One provider connection with its socket: wraps the exchange that answers, counts requests, and carries out faults.
package final class ProviderSession: APNSRequestHandler {
    /// The number of the connection, which is never reused.
    package let number: Int
    package let environment: APNSEnvironment
    private let exchange: any APNSRequestHandler
    private let connection: APNSServerConnection
    private let providerSessions: ProviderSessions
    private let gateway: Gateway
    /// Keeps the requests for those who want to see them; nil if nobody can.
    private let recorder: PushRecorder?
    private let usualLimit: Int
    /// The last announced stream limit; changed and read as a whole.
    private let announced: Mutex<Int>
    /// Changed on the connection's event loop only.
    private let answered = Atomic(0)
    /// The highest stream that is answered. Changed on the connection's event loop only.
    private let last = Atomic(UInt32.max)

    init(
        number: Int,
        environment: APNSEnvironment,
        exchange: any APNSRequestHandler,
        connection: APNSServerConnection,
        usualLimit: Int,
        recorder: PushRecorder?,
        gateway: Gateway
    ) {
        self.number = number
        self.environment = environment
        self.exchange = exchange
        self.connection = connection
        self.gateway = gateway
        self.usualLimit = usualLimit
        self.recorder = recorder
        providerSessions = gateway.providerSessions
        announced = Mutex(usualLimit)
    }

    /// The address of the peer.
    package var peer: String { connection.peer }

    /// The number of requests received.
    package var requests: Int { answered.load(ordering: .relaxed) }

    package func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        // Changed on one event loop only, so the sum needs no locked instruction.
        answered.store(answered.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        guard gateway.faultController.isBusy else { return judge(request, on: stream, &answer) }
        return misbehave(request, on: stream, into: &answer)
    }

    /// Answers without a fault. The answer is recorded as it was judged, also if it waits for the disk.
    private func judge(_ request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        let isAnswered = exchange.respond(to: request, on: stream, &answer)
        if let recorder { recorder.record(request, answer, environment: environment, connection: number) }
        return isAnswered
    }

    package var trustsPeer: Bool { exchange.trustsPeer }

    package func closed() {
        providerSessions.remove(number)
        gateway.faultController.close(connection: number)
        exchange.closed()
    }

    // MARK: - For a person

    package func close() { connection.close() }

    /// Sends a GOAWAY outside any request, so `this` and `before` count as `all`.
    package func goAway(_ goAway: FaultGoAway) {
        var goAway = goAway
        if goAway.last == .this || goAway.last == .before { goAway.last = .all }
        connection.perform { [goAway] in self.send(goAway, 0) }
    }

    /// Announces the stream limit that faults set now, if it has changed.
    func announceStreamLimit() {
        let limit = gateway.faultController.streamLimit(environment, connection: number) ?? usualLimit
        announced.withLock { announced in
            guard announced != limit else { return }
            announced = limit
            connection.setStreamLimit(limit)
        }
    }

    // MARK: - Faults

    private func misbehave(_ request: HTTP2Message, on stream: UInt32, into answer: inout HTTP2Answer) -> Bool {
        guard stream <= last.load(ordering: .relaxed) else { return false }
        let decision = gateway.faultController.decide(FaultRequest(request, environment, connection: number))
        for goAway in decision.goAways { send(goAway, stream) }
        guard stream <= last.load(ordering: .relaxed) else { return false }
        guard decision.isLater else { return end(decision.ending, of: request, on: stream, into: &answer) }
        // A copy: the request's memory is reused for the next one when this call returns.
        let kept = APNSRequest(request)
        gateway.faultController.hold(decision, connection: number) { [connection] in
            connection.perform {
                let request = HTTP2Message(kept)
                var answer = HTTP2Answer(status: 200)
                guard self.end(decision.ending, of: request, on: stream, into: &answer) else { return }
                connection.answer(stream, answer.detached(from: request))
            }
        }
        return false
    }

    private func end(
        _ ending: FaultDecision.Ending,
        of request: HTTP2Message,
        on stream: UInt32,
        into answer: inout HTTP2Answer
    ) -> Bool {
        switch ending {
        case .judged: return judge(request, on: stream, &answer)
        case .answered(let wanted):
            answer = gateway.answer(wanted, to: request, environment)
            recorder?.record(request, answer, environment: environment, connection: number)
            return true
        case .reset(let code, let isTaken):
            if isTaken { _ = exchange.respond(to: request, on: stream, &answer) }
            connection.reset(streamID: Int(stream), errorCode: code)
        case .closed(let isTaken):
            if isTaken { _ = exchange.respond(to: request, on: stream, &answer) }
            connection.close()
        }
        recorder?.record(request, nil, environment: environment, connection: number)
        return false
    }

    /// Sends a GOAWAY on the connection's event loop. Streams above the last one are ignored from here on.
    private func send(_ goAway: FaultGoAway, _ stream: UInt32) {
        let chosen: UInt32? =
            switch goAway.last {
            case .all: nil
            case .this: stream
            case .before: stream < 2 ? 0 : stream - 2
            case .stream(let number): UInt32(clamping: number)
            }
        let debugData = goAway.octets
        if goAway.isTwice { connection.goAway(errorCode: goAway.code, debugData: debugData) }
        connection.goAway(lastStreamID: chosen.map(Int.init), errorCode: goAway.code, debugData: debugData)
        guard let chosen, chosen < last.load(ordering: .relaxed) else { return }
        last.store(chosen, ordering: .relaxed)
        gateway.faultController.end(connection: number)
    }
}

/// The open provider connections.
final class ProviderSessions: Sendable {
    private struct State {
        var sessions: [Int: ProviderSession] = [:]
        var next = 1
    }

    private let state = Mutex(State())

    /// The sessions in the order in which they were opened.
    var sessions: [ProviderSession] {
        state.withLock { $0.sessions.values.sorted { $0.number < $1.number } }
    }

    func session(_ number: Int) -> ProviderSession? { state.withLock { $0.sessions[number] } }

    func add(_ make: (Int) -> ProviderSession) -> ProviderSession {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        let session = make(number)
        state.withLock { $0.sessions[number] = session }
        return session
    }

    func remove(_ number: Int) { state.withLock { _ = $0.sessions.removeValue(forKey: number) } }
}
