package import APNSTransport
import Foundation
import PushClock
package import PushModel
import Synchronization

/// One provider connection with its socket: passes requests to the core, answers as soon as their log records are on disk,
/// counts requests, and carries out faults.
package final class ProviderSession: APNSRequestHandler, MailLogListener {
    private struct Held {
        var answers: [(stream: UInt32, answer: HTTP2Answer)] = []
        /// The log position that must be on disk for each answer; never decreasing.
        var positions: [Int64] = []
        var isListening = false

        /// Removes and returns the answers that may be sent when the log is on disk up to `position`.
        mutating func take(through position: Int64) -> [(stream: UInt32, answer: HTTP2Answer)] {
            // Usually all of them, and then nothing is copied.
            let count = positions.firstIndex { $0 > position } ?? positions.count
            positions.removeFirst(count)
            let rest = Array(answers[count...])
            answers.removeLast(rest.count)
            defer { answers = rest }
            return answers
        }
    }

    /// The number of the connection, which is never reused.
    package let number: Int
    private let gateway: Gateway
    private let log: MailLog?
    /// Keeps the requests for those who want to see them; nil if nobody can.
    private let recorder: PushRecorder?
    private let wire: APNSServerConnection
    private let connection: ProviderConnection
    /// Whether the port is for channel management.
    private let isManagement: Bool
    private let usualLimit: Int
    /// Whether the usual stream limit has to be announced once a credential is accepted. Changed on the connection's event loop
    /// only.
    private let isLimited: Atomic<Bool>
    /// The last announced stream limit; changed and read as a whole.
    private let announced: Mutex<Int>
    /// Changed on the connection's event loop only.
    private let answered = Atomic(0)
    /// The highest stream that is answered. Changed on the connection's event loop only.
    private let last = Atomic(UInt32.max)
    private let held = Mutex(Held())

    /// `isStrict` says whether the connection has a single stream until a credential is accepted.
    init(
        _ wire: APNSServerConnection,
        _ connection: ProviderConnection,
        of gateway: Gateway,
        isManagement: Bool,
        usualLimit: Int,
        isStrict: Bool,
        recorder: PushRecorder?
    ) {
        number = gateway.providerSessions.newNumber()
        self.wire = wire
        self.connection = connection
        self.gateway = gateway
        self.isManagement = isManagement
        self.usualLimit = usualLimit
        self.recorder = recorder
        log = gateway.log
        isLimited = Atomic(isStrict)
        announced = Mutex(usualLimit)
    }

    package var environment: APNSEnvironment { connection.environment }

    /// The address of the peer.
    package var peer: String { wire.peer }

    /// The number of requests received.
    package var requests: Int { answered.load(ordering: .relaxed) }

    package func expect(_ requests: [HTTP2Message]) { if !isManagement { gateway.load(for: requests) } }

    package func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        // Changed on one event loop only, so the sum needs no locked instruction.
        answered.store(answered.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        guard gateway.faultController.isBusy else { return judge(request, on: stream, &answer) }
        return misbehave(request, on: stream, into: &answer)
    }

    /// Answers without a fault. The answer is recorded as it was judged, also if it waits for the disk.
    private func judge(_ request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        let now = gateway.clock.date
        let isAnswered = take(request, on: stream, at: now, &answer)
        recorder?.record(request, at: now, environment: environment, connection: number) { $0 = answer }
        return isAnswered
    }

    /// Passes a request to the core.
    ///
    /// - Returns: whether the answer may be sent now; if not, it follows when the log is on disk.
    private func take(
        _ request: HTTP2Message,
        on stream: UInt32,
        at now: Date,
        _ answer: inout HTTP2Answer
    ) -> Bool {
        // The position up to which the log must be on disk; nil for an answer that promises nothing.
        var position: Int64?
        if isManagement {
            answer = gateway.manage(request, on: connection)
            position = gateway.position
        } else {
            gateway.answer(request, on: connection, at: now, into: &answer, position: &position)
        }
        if isLimited.load(ordering: .relaxed), trustsPeer {
            isLimited.store(false, ordering: .relaxed)
            wire.setStreamLimit(usualLimit)
        }
        guard let log, let position, !log.isDurable(position) else { return true }
        let kept = answer.detached(from: request)
        let listens = held.withLock { held in
            held.positions.append(position)
            held.answers.append((stream, kept))
            defer { held.isListening = true }
            return !held.isListening
        }
        if listens { log.listen(self, for: position) }
        return false
    }

    package var trustsPeer: Bool { connection.isAuthenticated }

    package func closed() {
        gateway.providerSessions.remove(number)
        gateway.faultController.close(connection: number)
        held.withLock { held in
            held.answers = []
            held.positions = []
        }
    }

    // MARK: - The log

    func durable(through position: Int64) {
        let (answers, next) = held.withLock { held in
            let answers = held.take(through: position)
            held.isListening = !held.positions.isEmpty
            return (answers, held.positions.first)
        }
        if !answers.isEmpty { wire.answer(answers) }
        if let next { log?.listen(self, for: next) }
    }

    func failed() {
        var answers = held.withLock { held in
            defer { held = Held() }
            return held.answers
        }
        let rejection = Judge.Rejection(.serviceUnavailable)
        for index in answers.indices {
            answers[index].answer.status = rejection.reason.status
            answers[index].answer.body = rejection.body(gateway.credentials.rules)
            answers[index].answer.add(.contentType, Gateway.json, indexing: .whole)
        }
        wire.answer(answers)
    }

    // MARK: - For a person

    package func close() { wire.close() }

    /// Sends a GOAWAY outside any request, so `this` and `before` count as `all`.
    package func goAway(_ goAway: FaultGoAway) {
        var goAway = goAway
        if goAway.last == .this || goAway.last == .before { goAway.last = .all }
        wire.perform { [goAway] in self.send(goAway, 0) }
    }

    /// Announces the stream limit that faults set now, if it has changed.
    func announceStreamLimit() {
        let limit = gateway.faultController.streamLimit(environment, connection: number) ?? usualLimit
        announced.withLock { announced in
            guard announced != limit else { return }
            announced = limit
            wire.setStreamLimit(limit)
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
        gateway.faultController.hold(decision, connection: number) { [wire] in
            wire.perform {
                let request = HTTP2Message(kept)
                var answer = HTTP2Answer(status: 200)
                guard self.end(decision.ending, of: request, on: stream, into: &answer) else { return }
                wire.answer(stream, answer.detached(from: request))
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
        let now = gateway.clock.date
        switch ending {
        case .judged: return judge(request, on: stream, &answer)
        case .answered(let wanted):
            answer = gateway.answer(wanted, to: request, environment)
            recorder?.record(request, at: now, environment: environment, connection: number) { $0 = answer }
            return true
        case .reset(let code, let isTaken):
            if isTaken { _ = take(request, on: stream, at: now, &answer) }
            wire.reset(streamID: Int(stream), errorCode: code)
        case .closed(let isTaken):
            if isTaken { _ = take(request, on: stream, at: now, &answer) }
            wire.close()
        }
        recorder?.record(request, at: now, environment: environment, connection: number) { $0 = nil }
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
        if goAway.isTwice { wire.goAway(errorCode: goAway.code, debugData: debugData) }
        wire.goAway(lastStreamID: chosen.map(Int.init), errorCode: goAway.code, debugData: debugData)
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
    var sessions: [ProviderSession] { state.withLock { $0.sessions.values.sorted { $0.number < $1.number } } }

    func session(_ number: Int) -> ProviderSession? { state.withLock { $0.sessions[number] } }

    func newNumber() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    func add(_ session: ProviderSession) { state.withLock { $0.sessions[session.number] = session } }

    func remove(_ number: Int) { state.withLock { _ = $0.sessions.removeValue(forKey: number) } }
}
