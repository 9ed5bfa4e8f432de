import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization

/// One provider connection: the requests of the socket, the answers of the core, as soon as what they promise is kept.
final class GatewayExchange: APNSExchange, MailLogListener {
    private struct Held {
        var answers: [(stream: UInt32, answer: HTTP2Answer)] = []
        /// How far the log must be on disk for each of them; never less than for the one before.
        var positions: [Int64] = []
        var isListening = false

        /// Takes out what may be said when the log is on disk up to `position`.
        mutating func take(through position: Int64) -> [(stream: UInt32, answer: HTTP2Answer)] {
            // Most often it is all of them, and they need not be copied.
            let count = positions.firstIndex { $0 > position } ?? positions.count
            positions.removeFirst(count)
            let rest = Array(answers[count...])
            answers.removeLast(rest.count)
            defer { answers = rest }
            return answers
        }
    }

    /// What the gateway says to a request.
    ///
    /// - `position`: how far the ``MailLog`` must be on disk before it may be said; left as it is, nil, by what promises
    ///   nothing.
    typealias Answering =
        @Sendable (
            _ request: HTTP2Message, _ now: Date, _ answer: inout HTTP2Answer, _ position: inout Int64?
        ) -> Void

    private let gateway: Gateway
    private let wire: APNSServerConnection
    private let connection: GatewayConnection
    private let log: MailLog?
    private let rules: GatewayRules
    private let answer: Answering
    private let held = Mutex(Held())
    /// When the requests came that are answered now, as the bits of a Date's seconds; 0 between them. Changed and read on the
    /// connection's event loop alone.
    private let arrival = Atomic(UInt64(0))

    /// - `answer`: called for each request, on the connection's event loop.
    init(
        _ wire: APNSServerConnection,
        _ connection: GatewayConnection,
        of gateway: Gateway,
        answer: @escaping Answering
    ) {
        self.gateway = gateway
        self.wire = wire
        self.connection = connection
        log = gateway.log
        rules = gateway.credentials.rules
        self.answer = answer
    }

    func expect(_ arrivals: [APNSArrival]) {
        // One look at the clock for all: they came in one read.
        arrival.store(gateway.clock.date.timeIntervalSinceReferenceDate.bitPattern, ordering: .relaxed)
        if arrivals.count > 1 { gateway.expect(arrivals) }
    }

    func relax() { arrival.store(0, ordering: .relaxed) }

    private var now: Date {
        let bits = arrival.load(ordering: .relaxed)
        return bits == 0 ? gateway.clock.date : Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }

    func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        var position: Int64?
        self.answer(request, now, &answer, &position)
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

    var trustsPeer: Bool { connection.isAuthenticated }

    func closed() {
        held.withLock { held in
            held.answers = []
            held.positions = []
        }
    }

    func kept(through position: Int64) {
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
        let rejection = Judge.Rejection(reason: .serviceUnavailable)
        for index in answers.indices {
            answers[index].answer.status = rejection.reason.status
            answers[index].answer.body = rejection.body(rules)
            answers[index].answer.add(APNSField.contentType, Gateway.json, .whole)
        }
        wire.answer(answers)
    }
}
