import APNSTransport
import PushModel
import Synchronization

/// What the gateway says to a request.
struct GatewayAnswer {
    var answer: HTTP2Answer
    /// How far the ``MailLog`` must be on disk before it may be said; nil for what promises nothing.
    var position: Int64?
}

/// One provider connection: the requests of the socket, the answers of the core, as soon as what they promise is kept.
final class GatewayExchange: APNSExchange, MailLogListener {
    private struct Held {
        /// In the order of their positions.
        var answers: [(position: Int64, stream: UInt32, answer: HTTP2Answer)] = []
        var isListening = false
    }

    private let wire: APNSServerConnection
    private let log: MailLog?
    private let rules: GatewayRules
    private let answer: @Sendable (HTTP2Message) -> GatewayAnswer
    private let held = Mutex(Held())

    /// - `answer`: called for each request, on the connection's event loop.
    init(
        _ wire: APNSServerConnection,
        of gateway: Gateway,
        answer: @escaping @Sendable (HTTP2Message) -> GatewayAnswer
    ) {
        self.wire = wire
        log = gateway.log
        rules = gateway.book.rules
        self.answer = answer
    }

    func respond(to request: HTTP2Message, on stream: UInt32) -> HTTP2Answer? {
        let given = answer(request)
        guard let log, let position = given.position, !log.isDurable(position) else { return given.answer }
        let listens = held.withLock { held in
            held.answers.append((position, stream, given.answer.detached(from: request)))
            defer { held.isListening = true }
            return !held.isListening
        }
        if listens { log.listen(self, for: position) }
        return nil
    }

    func closed() { held.withLock { $0.answers = [] } }

    func kept(through position: Int64) {
        let (answers, next) = held.withLock { held in
            let count = held.answers.firstIndex { $0.position > position } ?? held.answers.count
            let answers = held.answers[..<count].map { (stream: $0.stream, answer: $0.answer) }
            held.answers.removeFirst(count)
            held.isListening = !held.answers.isEmpty
            return (answers, held.answers.first?.position)
        }
        if !answers.isEmpty { wire.answer(answers) }
        if let next { log?.listen(self, for: next) }
    }

    func failed() {
        let answers = held.withLock { held in
            defer { held = Held() }
            return held.answers
        }
        let rejection = Judge.Rejection(reason: .serviceUnavailable)
        wire.answer(
            answers.map { held in
                var answer = held.answer
                answer.status = rejection.reason.status
                answer.body = rejection.body(rules)
                answer.add(APNSField.contentType, Gateway.json, .whole)
                return (held.stream, answer)
            }
        )
    }
}
