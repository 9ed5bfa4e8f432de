import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization

/// One provider connection: passes requests from the socket to the core, and answers as soon as their log records are on disk.
final class DurableResponder: APNSRequestHandler, MailLogListener {
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

    /// The gateway's answer to a request.
    ///
    /// `position` is the position up to which the ``MailLog`` must be on disk before the answer may be sent; left nil
    /// by an answer that promises nothing.
    typealias Answering =
        @Sendable (
            _ request: HTTP2Message, _ now: Date, _ answer: inout HTTP2Answer, _ position: inout Int64?
        ) -> Void

    private let gateway: Gateway
    private let wire: APNSServerConnection
    private let connection: ProviderConnection
    private let log: MailLog?
    private let rules: GatewayRules
    private let answer: Answering
    private let held = Mutex(Held())

    /// `answer` is called for each request, on the connection's event loop.
    init(
        _ wire: APNSServerConnection,
        _ connection: ProviderConnection,
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

    func respond(to request: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
        var position: Int64?
        self.answer(request, gateway.clock.date, &answer, &position)
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
        let rejection = Judge.Rejection(reason: .serviceUnavailable)
        for index in answers.indices {
            answers[index].answer.status = rejection.reason.status
            answers[index].answer.body = rejection.body(rules)
            answers[index].answer.add(APNSField.contentType, Gateway.json, indexing: .whole)
        }
        wire.answer(answers)
    }
}
