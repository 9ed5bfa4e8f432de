import Foundation
import PushModel
import Tracing

/// Spans of the reports on pushes, in the traces of the requests that the pushes came with.
///
/// The store has the trace of a push, so a report after a restart, or to another node, belongs to it too. These spans have no length.
struct JourneySpans: Sendable {
    /// A report of a gateway or a device.
    struct Report {
        var message: MessageID
        var device: DeviceOrdinal
        /// The name of the span, such as `device.presented`.
        var name: String
        var date: Date
        var details: [(key: String, value: JSONValue)] = []
    }

    let tracer: any Tracer
    let store: any JourneyStore
    let registry: Registry

    /// The limit on spans of reports that are stored together; further reports have none.
    private static let limit = 512
    /// Seconds since 1970, in the year 2286. A phone's clock may be turned further, but later nanoseconds exceed 64 bits.
    private static let latest = 9_999_999_999.0

    /// Adds spans for reports on pushes that went to their devices. Reports of the devices themselves are about pushes of their app alone.
    func add(_ reports: some Sequence<Report>, from app: App.ID? = nil) async {
        for (message, reports) in Dictionary(grouping: reports.prefix(Self.limit), by: \.message) {
            guard let device = reports.first?.device, let facts = try? await store.journey(of: message, to: device),
                facts.chunk != nil || facts.custom != nil, app == nil || app == facts.message.app,
                let trace = facts.message.origin?.trace, !trace.isEmpty
            else { continue }
            var parent = InstrumentationContext.topLevel
            tracer.extract(trace, into: &parent, using: OriginExtractor())
            for report in reports { add(report, on: facts.message, in: parent) }
        }
    }

    private func add(_ report: Report, on message: Message, in parent: InstrumentationContext) {
        let seconds = min(max(0, report.date.timeIntervalSince1970), Self.latest)
        let instant = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(seconds * 1e6) * 1000)
        let span: any Span = tracer.startSpan(report.name, context: parent, ofKind: .internal, at: instant)
        span.attributes.set("push.id", value: .string(report.message.description))
        let device = registry.name(of: DeviceID(app: message.app, ordinal: report.device))
        span.attributes.set("push.device", value: .string(device.text))
        for (key, value) in report.details {
            span.attributes.set("push.event.\(key)", value: .string(value.string ?? value.text))
        }
        span.end(at: instant)
    }
}

extension JourneySpans.Report {
    init(_ entry: JourneyEntry) {
        let event = entry.event
        self.init(
            message: entry.message,
            device: entry.ordinal,
            name: "\(event.station.rawValue).\(event.kind.name)",
            date: event.date,
            details: event.kind.details
        )
    }
}
