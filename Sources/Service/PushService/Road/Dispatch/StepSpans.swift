import PushModel
package import Tracing

/// The spans of a step in distributed traces: `dispatch` for each push or batch of pushes, and within it `apns`, from handing the
/// pushes to the provider client until it has all answers. Their parent is the request that the pushes came with.
///
/// A push to many devices has one of each for a step, not for a device. The attributes follow OpenTelemetry's naming rules.
struct StepSpans: Sendable {
    private let tracer: any Tracer
    private let dispatch: [any Span]
    private var apns: [any Span] = []

    /// Begins the spans of a step.
    init(_ step: LanePlan.Step, by tracer: any Tracer) {
        self.tracer = tracer
        dispatch = step.parts.map { part in
            let message = part.leased.message
            let environment = part.leased.message.environment
            var parent = InstrumentationContext.topLevel
            if let origin = message.origin { tracer.extract(origin.trace, into: &parent, using: OriginExtractor()) }
            let span: any Span = tracer.startSpan("dispatch", context: parent, ofKind: .consumer)
            span.attributes.set("push.id", value: .string(message.id.description))
            span.attributes.set("push.app", value: .string(part.leased.app.key.text))
            span.attributes.set("push.environment", value: .string(environment.rawValue))
            span.attributes.set("push.devices", value: .int64(Int64(part.places.count)))
            if let id = message.origin?.requestID { span.attributes.set("push.request.id", value: .string(id)) }
            return span
        }
    }

    /// Begins the spans at APNs, with the number of pushes of each part that are handed to APNs.
    mutating func beginSending(_ counts: [Int]) {
        apns = zip(dispatch, counts).compactMap { parent, count in
            guard count > 0 else { return nil }
            let span: any Span = tracer.startSpan("apns", context: parent.context, ofKind: .client)
            span.attributes.set("apns.pushes", value: .int64(Int64(count)))
            return span
        }
    }

    func endSending() { for span in apns { span.end() } }

    /// Ends the spans of a step with its outcomes.
    func end(with report: StepReport) {
        for (span, part) in zip(dispatch, report.parts) {
            let waiting = part.held.count + part.undecided.reduce(0) { $0 + $1.places.count }
            span.attributes.set("push.sent", value: .int64(Int64(part.sent.count)))
            span.attributes.set("push.ended", value: .int64(Int64(part.settled.count)))
            span.attributes.set("push.waiting", value: .int64(Int64(waiting)))
            if let problem = part.pause?.detail ?? (waiting > 0 ? report.trouble : nil) {
                span.setStatus(SpanStatus(code: .error, message: problem))
            }
            span.end()
        }
    }
}

/// Reads the trace of a push.
struct OriginExtractor: Extractor {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

extension InstrumentationSystem {
    /// The tracer of the backend; nil if none is set, and then nothing should be spent on spans.
    package static var backend: (any Tracer)? {
        let tracer = tracer
        return tracer is NoOpTracer ? nil : tracer
    }
}
