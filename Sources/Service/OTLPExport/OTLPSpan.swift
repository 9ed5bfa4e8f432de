import Synchronization
package import Tracing

/// A span that is exported when it ends.
package final class OTLPSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var events: [SpanEvent] = []
        var links: [TraceContext] = []
        var status: SpanStatus?
        var hasEnded = false
    }

    /// A span that has ended.
    struct Finished: Sendable {
        var name: String
        let traceContext: TraceContext
        let parentID: String?
        let kind: SpanKind
        /// In nanoseconds since 1970.
        let start: UInt64
        /// In nanoseconds since 1970.
        let end: UInt64
        let attributes: SpanAttributes
        let events: [SpanEvent]
        let links: [TraceContext]
        let status: SpanStatus?
    }

    package let context: InstrumentationContext
    private let traceContext: TraceContext
    private let parentID: String?
    private let kind: SpanKind
    private let start: UInt64
    private let state: Mutex<State>
    private let onEnd: @Sendable (Finished) -> Void

    /// Starts a span, in nanoseconds since 1970; the first one of a trace has no parent. `onEnd` receives it when it has
    /// ended, if its trace is recorded.
    init(
        _ name: String,
        context: InstrumentationContext,
        traceContext: TraceContext,
        parentID: String?,
        kind: SpanKind,
        start: UInt64,
        onEnd: @escaping @Sendable (Finished) -> Void
    ) {
        self.context = context
        self.traceContext = traceContext
        self.parentID = parentID
        self.kind = kind
        self.start = start
        self.onEnd = onEnd
        state = Mutex(State(name: name))
    }

    package var isRecording: Bool { traceContext.isSampled && state.withLock { !$0.hasEnded } }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    package func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event) } }

    package func addLink(_ link: SpanLink) {
        guard let traceContext = link.context.traceContext else { return }
        state.withLock { $0.links.append(traceContext) }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        // The names of OpenTelemetry's convention for exceptions.
        attributes.set("exception.type", value: .string("\(type(of: error))"))
        attributes.set("exception.message", value: .string("\(error)"))
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let last: State? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return state
        }
        guard let last, traceContext.isSampled else { return }
        onEnd(
            Finished(
                name: last.name,
                traceContext: traceContext,
                parentID: parentID,
                kind: kind,
                start: start,
                end: instant().nanosecondsSinceEpoch,
                attributes: last.attributes,
                events: last.events,
                links: last.links,
                status: last.status
            )
        )
    }
}
