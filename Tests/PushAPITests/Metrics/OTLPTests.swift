import Logging
import OTLPExport
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing
import Tracing

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? { object?[key] }
}

private struct Fields: Extractor, Injector {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}

/// A collector that answers as a test says.
private final class Collector: Sendable {
    let received = Mutex<[JSONValue]>([])
    let answer = Mutex(OTLPExporter.Answer.accepted)

    var spans: [JSONObject] {
        received.withLock { $0 }.flatMap { request in
            let scopes = request["resourceSpans"]?.array?.first?["scopeSpans"]?.array
            return scopes?.first?["spans"]?.array?.compactMap(\.object) ?? []
        }
    }

    /// Runs an exporter to this collector while `body` runs, and ends it as a signal would.
    func run(log: MemoryLog = MemoryLog(), _ body: (OTLPExporter, VirtualClock) async throws -> Void) async throws {
        let clock = VirtualClock()
        let exporter = OTLPExporter(service: "tests", clock: clock, logger: log.logger) { [self] bytes in
            let answer = answer.withLock { $0 }
            if case .accepted = answer, let json = try? JSONValue(parsing: bytes) {
                received.withLock { $0.append(json) }
            }
            return answer
        }
        let group = ServiceGroup(services: [exporter], logger: log.logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do { try await body(exporter, clock) } catch { Issue.record(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

@Suite("Spans for an OpenTelemetry collector", .suiteLimit)
struct OTLPTests {
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private static func context(_ fields: [String: String], _ tracer: OTLPTracer) -> InstrumentationContext {
        var context = InstrumentationContext.topLevel
        tracer.extract(fields, into: &context, using: Fields())
        return context
    }

    @Test("A span has its parent, times, kind, attributes, events and status; the last ones are sent at the end")
    func span() async throws {
        let collector = Collector()
        try await collector.run { exporter, _ in
            let tracer = OTLPTracer(exporter: exporter, percent: 0)
            let context = Self.context(["traceparent": Self.parent, "tracestate": "a=1"], tracer)
            let span = tracer.startSpan("work", context: context, ofKind: .server)
            span.attributes.set("number", value: .int64(7))
            span.attributes.set("list", value: .stringArray(["x", "y"]))
            span.attributes.set("part", value: .double(0.5))
            span.attributes.set("flag", value: .bool(true))
            span.addLink(SpanLink(context: context, attributes: [:]))
            span.recordError(JPushError(status: 400, code: 1003, message: "no"))
            span.setStatus(SpanStatus(code: .error, message: "it failed"))
            span.operationName = "other work"
            let child = tracer.startSpan("child", context: span.context)
            child.end()
            span.end()
            span.end()
            var carried: [String: String] = [:]
            tracer.inject(span.context, into: &carried, using: Fields())
            #expect(carried["tracestate"] == "a=1")
            #expect(carried["traceparent"]?.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true)
        }
        let spans = collector.spans
        try #require(spans.count == 2)
        let child = spans[0]
        let span = spans[1]
        #expect(span["name"] == "other work")
        #expect(span["traceId"] == "0af7651916cd43dd8448eb211c80319c")
        #expect(span["parentSpanId"] == "b7ad6b7169203331")
        #expect(span["traceState"] == "a=1")
        #expect(span["kind"] == 2)
        #expect(span["status"] == ["code": 2, "message": "it failed"])
        #expect(
            span["attributes"] == [
                ["key": "flag", "value": ["boolValue": true]],
                ["key": "list", "value": ["arrayValue": ["values": [["stringValue": "x"], ["stringValue": "y"]]]]],
                ["key": "number", "value": ["intValue": "7"]], ["key": "part", "value": ["doubleValue": 0.5]],
            ]
        )
        #expect(span["events"]?.array?.first?["name"] == "exception")
        #expect(span["links"]?.array?.first?["spanId"] == "b7ad6b7169203331")
        let times = try ["startTimeUnixNano", "endTimeUnixNano"].map { key in
            try #require(span[key]?.string.flatMap { UInt64($0) })
        }
        #expect(times[0] <= times[1])
        #expect(child["parentSpanId"] == span["spanId"])
        let resource = collector.received.withLock { $0.first?["resourceSpans"]?.array?.first?["resource"] }
        #expect(resource == ["attributes": [["key": "service.name", "value": ["stringValue": "tests"]]]])
    }

    @Test(
        "A field traceparent that is not valid starts a new trace",
        arguments: [
            "", "00", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01",
        ]
    )
    func invalidParent(_ field: String) async throws {
        let collector = Collector()
        try await collector.run { exporter, _ in
            let tracer = OTLPTracer(exporter: exporter, percent: 100)
            tracer.startSpan("work", context: Self.context(["traceparent": field], tracer)).end()
        }
        let span = try #require(collector.spans.first)
        #expect(span["parentSpanId"] == nil)
        #expect(span["traceId"]?.string?.utf8.count == 32)
    }

    @Test(
        "A caller's decision not to record is kept, a later version's field is read, and no percentage records nothing"
    )
    func sampling() async throws {
        let collector = Collector()
        try await collector.run { exporter, _ in
            let all = OTLPTracer(exporter: exporter, percent: 100)
            let parent = Self.parent.dropLast(2)
            let ignored = all.startSpan("ignored", context: Self.context(["traceparent": parent + "00"], all))
            #expect(!ignored.isRecording)
            ignored.end()
            let later = ["traceparent": "01" + parent.dropFirst(2) + "01-more"]
            all.startSpan("later", context: Self.context(later, all)).end()
            OTLPTracer(exporter: exporter, percent: 0).startSpan("none", context: .topLevel).end()
        }
        #expect(collector.spans.map { $0["name"] } == ["later"])
        #expect(collector.spans.first?["parentSpanId"] == "b7ad6b7169203331")
    }

    @Test("Spans wait while the collector takes none, are sent when it does, and each change is logged once")
    func outage() async throws {
        let collector = Collector()
        let log = MemoryLog()
        collector.answer.withLock { $0 = .unavailable("503") }
        try await collector.run(log: log) { exporter, clock in
            let tracer = OTLPTracer(exporter: exporter, percent: 100)
            tracer.startSpan("first", context: .topLevel).end()
            for _ in 0..<3 {
                try await clock.sleeper(for: .seconds(5))
                await clock.advance(by: .seconds(5))
            }
            try await eventually("the outage is logged") {
                log.entries.contains { $0.message.contains("does not accept spans") }
            }
            collector.answer.withLock { $0 = .accepted }
            tracer.startSpan("second", context: .topLevel).end()
            try await clock.sleeper(for: .seconds(5))
            await clock.advance(by: .seconds(5))
            try await eventually("both are received") { collector.spans.count == 2 }
        }
        #expect(collector.spans.map { $0["name"] } == ["first", "second"])
        #expect(log.entries.count { $0.message.contains("does not accept spans") } == 1)
        #expect(log.entries.count { $0.message.contains("accepts spans again") } == 1)
    }

    @Test("A request that is under way at the shutdown gets its answer, and its spans are not sent again")
    func shutdown() async throws {
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let (never, end) = AsyncStream<Never>.makeStream()
        defer { end.finish() }
        let received = Mutex(0)
        let exporter = OTLPExporter(service: "tests", clock: VirtualClock(), logger: MemoryLog().logger) { _ in
            received.withLock { $0 += 1 }
            arrive.yield()
            // The answer comes after the signal. A client whose task is cancelled does not know what became of its request.
            // Ends after all that began earlier and ends with the signal, such as the run of the exporter.
            await cancelWhenGracefulShutdown { for await _ in never {} }
            return Task.isCancelled ? .unavailable("cancelled") : .accepted
        }
        let group = ServiceGroup(services: [exporter], logger: MemoryLog().logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let tracer = OTLPTracer(exporter: exporter, percent: 100)
            tracer.startSpan("work", context: .topLevel).end()
            tracer.forceFlush()
            try await withTimeout(.seconds(60)) { for await _ in arrivals.prefix(1) {} }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(received.withLock(\.self) == 1)
    }

    @Test("More spans than can wait are dropped and counted; spans that are refused are not sent again")
    func limits() async throws {
        let collector = Collector()
        let log = MemoryLog()
        collector.answer.withLock { $0 = .unavailable("503") }
        // Some may be on their way to the collector while the others come.
        let count = OTLPExporter.capacity + 1000
        @Sendable func spans(_ message: String) -> Int {
            log.entries.filter { $0.message.contains(message) }.compactMap { $0.metadata["spans"] }.compactMap {
                Int($0)
            }
            .reduce(0, +)
        }
        try await collector.run(log: log) { exporter, clock in
            let tracer = OTLPTracer(exporter: exporter, percent: 100)
            for _ in 0..<count { tracer.startSpan("many", context: .topLevel).end() }
            try await eventually("the outage is logged") {
                log.entries.contains { $0.message.contains("does not accept spans") }
            }
            collector.answer.withLock { $0 = .refused("400 no") }
            try await clock.sleeper(for: .seconds(5))
            await clock.advance(by: .seconds(5))
            try await eventually("all are refused or dropped") {
                spans("refused spans") + spans("too many wait") == count
            }
            collector.answer.withLock { $0 = .accepted }
            tracer.startSpan("last", context: .topLevel).end()
        }
        #expect(spans("refused spans") >= OTLPExporter.capacity)
        #expect(spans("too many wait") > 0)
        #expect(collector.spans.map { $0["name"] } == ["last"])
    }
}
