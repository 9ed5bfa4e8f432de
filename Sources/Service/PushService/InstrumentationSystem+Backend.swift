package import Tracing

extension InstrumentationSystem {
    /// The tracer of the backend; nil if none is set, and then nothing should be spent on spans.
    package static var backend: (any Tracer)? {
        let tracer = tracer
        return tracer is NoOpTracer ? nil : tracer
    }
}
