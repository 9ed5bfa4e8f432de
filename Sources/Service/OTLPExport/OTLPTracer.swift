import PushModel
package import Tracing

/// A backend of swift-distributed-tracing whose spans go to an OpenTelemetry collector through an ``OTLPExporter``.
///
/// Traces go from process to process in the fields `traceparent` and `tracestate`. A trace that begins elsewhere is recorded if it is
/// recorded there; one that begins here is recorded for a percentage of all.
package struct OTLPTracer: Tracer {
    private let exporter: OTLPExporter
    private let percent: Int

    /// Creates a tracer that records a percentage, 0 to 100, of the traces beginning here. The exporter receives the spans
    /// that have ended.
    package init(exporter: OTLPExporter, percent: Int) {
        self.exporter = exporter
        self.percent = percent
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> OTLPSpan {
        var context = context()
        let parent = context.traceContext
        var random = SystemRandomNumberGenerator()
        let spanID = random.hexadecimalDigits(16)
        let traceContext =
            if let parent {
                TraceContext(traceID: parent.traceID, spanID: spanID, isSampled: parent.isSampled, state: parent.state)
            } else {
                TraceContext(
                    traceID: random.hexadecimalDigits(32),
                    spanID: spanID,
                    isSampled: Int.random(in: 0..<100, using: &random) < percent
                )
            }
        context.traceContext = traceContext
        return OTLPSpan(
            operationName,
            context: context,
            traceContext: traceContext,
            parentID: parent?.spanID,
            kind: kind,
            start: instant().nanosecondsSinceEpoch
        ) { [exporter] in exporter.add($0) }
    }

    package func forceFlush() { exporter.flush() }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        context.traceContext = TraceContext(
            traceparent: parent,
            state: extractor.extract(key: "tracestate", from: carrier)
        )
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let traceContext = context.traceContext else { return }
        injector.inject(traceContext.traceparent, forKey: "traceparent", into: &carrier)
        if let state = traceContext.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
    }
}
