package import Logging
package import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// Sends the spans that have ended to an OpenTelemetry collector, several at a time.
///
/// Spans are no part of what is promised of a push: while the collector cannot be reached, up to ``capacity`` of them wait, and
/// further ones are dropped and counted.
package final class OTLPExporter: Service, CustomStringConvertible {
    /// The number of spans that can wait.
    package static let capacity = 8192
    /// The number of spans in a request.
    static let batch = 512
    /// The time after which spans are sent, however few they are.
    static let interval = Duration.seconds(5)

    /// The answer of a collector.
    package enum Answer: Sendable {
        case accepted
        /// The spans will not be accepted later either.
        case refused(String)
        /// The spans may be accepted later.
        case unavailable(String)
    }

    private struct State {
        var waiting: [OTLPSpan.Finished] = []
        var dropped = 0
        /// Whether the collector accepted the last spans; each change is logged.
        var isReached = true
    }

    private let service: String
    private let clock: any CivilClock
    private let logger: Logger
    private let send: @Sendable (_ body: [UInt8]) async -> Answer
    private let state = Mutex(State())
    private let wishes: AsyncStream<Void>
    private let wish: AsyncStream<Void>.Continuation

    /// Creates an exporter for a service (resource attribute `service.name`). `send` sends the body of a request, JSON, to
    /// the collector; `clock` measures the pauses between requests.
    package init(
        service: String,
        clock: any CivilClock,
        logger: Logger,
        send: @escaping @Sendable (_ body: [UInt8]) async -> Answer
    ) {
        self.service = service
        self.clock = clock
        self.logger = logger
        self.send = send
        (wishes, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var description: String { "OTLPExporter" }

    func add(_ span: OTLPSpan.Finished) {
        let isUrgent = state.withLock { state in
            if state.waiting.count < Self.capacity {
                state.waiting.append(span)
            } else {
                state.dropped += 1
            }
            // A collector that accepts nothing is asked at intervals only.
            return state.waiting.count >= Self.batch && state.isReached
        }
        if isUrgent { flush() }
    }

    /// Sends what waits without waiting for more.
    func flush() { wish.yield() }

    /// Sends spans until graceful shutdown, and then what is left.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { while (try? await self.clock.sleep(for: Self.interval)) != nil { self.flush() } }
            // A request under way is not cancelled: nobody would know whether the collector has its spans, and they would be sent again.
            for await _ in wishes.cancelOnGracefulShutdown() { await sendAll() }
            group.cancelAll()
        }
        await sendAll()
    }

    /// Sends what waits, until the collector accepts nothing.
    private func sendAll() async {
        while true {
            let (spans, dropped) = state.withLock { state in
                let spans = Array(state.waiting.prefix(Self.batch))
                state.waiting.removeFirst(spans.count)
                defer { state.dropped = 0 }
                return (spans, state.dropped)
            }
            if dropped > 0 {
                logger.warning("Spans were dropped because too many wait", metadata: ["spans": "\(dropped)"])
            }
            guard !spans.isEmpty else { return }
            switch await send(OTLPRequest.json(spans, service: service).bytes) {
            case .accepted:
                if !reached(true) { logger.notice("The collector accepts spans again") }
            case .refused(let reason):
                logger.warning(
                    "The collector refused spans",
                    metadata: ["spans": "\(spans.count)", "error": "\(reason)"]
                )
            case .unavailable(let reason):
                if reached(false) {
                    logger.warning("The collector does not accept spans; they wait", metadata: ["error": "\(reason)"])
                }
                state.withLock { state in
                    let kept = spans.prefix(Self.capacity - state.waiting.count)
                    state.waiting.insert(contentsOf: kept, at: 0)
                    state.dropped += spans.count - kept.count
                }
                return
            }
        }
    }

    /// Notes whether the collector accepts spans, and returns whether it did so before.
    private func reached(_ isReached: Bool) -> Bool {
        state.withLock { state in
            defer { state.isReached = isReached }
            return state.isReached
        }
    }
}
