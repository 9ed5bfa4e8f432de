import Tracing

/// The place of a span in its trace, as it goes from process to process.
///
/// Source: W3C, "Trace Context", Recommendation, sections 3.2 and 3.3.
struct TraceContext: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, not all zero.
    var traceID: String
    /// 16 lower-case hexadecimal digits, not all zero.
    var spanID: String
    /// Whether the spans of the trace are recorded.
    var isSampled: Bool
    /// The field `tracestate` of other tracing systems, passed on as it came; nil if there is none.
    var state: String?
}

extension TraceContext {
    /// Creates the context of the fields `traceparent` and `tracestate`; nil for an invalid one, which starts a new trace.
    init?(traceparent: String, state: String?) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Self.isID(parts[0], 2), parts[0] != "ff", Self.isID(parts[1], 32),
            Self.isID(parts[2], 16),
            Self.isID(parts[3], 2), let flags = UInt8(parts[3], radix: 16),
            // Later versions may add parts.
            parts[0] != "00" || parts.count == 4, parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" })
        else { return nil }
        self.init(traceID: String(parts[1]), spanID: String(parts[2]), isSampled: flags & 1 == 1, state: state)
    }

    /// The field `traceparent`.
    var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func isID(_ text: Substring, _ digits: Int) -> Bool {
        text.utf8.count == digits && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}

extension InstrumentationContext {
    private enum TraceContextKey: InstrumentationContextKey {
        typealias Value = TraceContext
    }

    /// The innermost span; nil outside a trace.
    var traceContext: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}
