import PushModel
import Tracing

/// Spans as a request to an OpenTelemetry collector, in JSON.
///
/// Source: OpenTelemetry, "OTLP Specification", section "JSON Protobuf Encoding", and the messages of `trace.proto`.
enum OTLPRequest {
    static func json(_ spans: [OTLPSpan.Finished], service: String) -> JSONValue {
        let scope: JSONValue = ["scope": ["name": "posthorn"], "spans": .array(spans.map(json))]
        let resource: JSONValue = [
            "attributes": [["key": "service.name", "value": ["stringValue": .string(service)]]]
        ]
        return ["resourceSpans": [["resource": resource, "scopeSpans": [scope]]]]
    }

    private static func json(_ span: OTLPSpan.Finished) -> JSONValue {
        let links = span.links.map { ["traceId": $0.traceID, "spanId": $0.spanID] as JSONMembers }
        let status = span.status.map { status in
            JSONValue.object(JSONObject(present: ["code": status.code == .ok ? 1 : 2, "message": status.message]))
        }
        return .object(
            JSONObject(present: [
                "traceId": span.traceContext.traceID, "spanId": span.traceContext.spanID, "name": span.name,
                "kind": kind(span.kind), "startTimeUnixNano": "\(span.start)", "endTimeUnixNano": "\(span.end)",
                "attributes": attributes(span.attributes), "flags": span.traceContext.isSampled ? 1 : 0,
                "traceState": span.traceContext.state, "parentSpanId": span.parentID,
                "events": span.events.isEmpty ? nil : span.events.map(event), "links": links.isEmpty ? nil : links,
                "status": status,
            ])
        )
    }

    private static func kind(_ kind: SpanKind) -> Int64 {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func event(_ event: SpanEvent) -> JSONMembers {
        [
            "timeUnixNano": "\(event.nanosecondsSinceEpoch)", "name": event.name,
            "attributes": attributes(event.attributes),
        ]
    }

    private static func attributes(_ attributes: SpanAttributes) -> JSONValue {
        var pairs: [(key: String, value: JSONValue)] = []
        func add(_ key: String, _ attribute: SpanAttribute) {
            if let value = value(attribute) { pairs.append((key, value)) }
        }
        attributes.forEach(add)
        return .array(pairs.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": $0.value] })
    }

    private static func value(_ attribute: SpanAttribute) -> JSONValue? {
        switch attribute {
        case .string(let text): string(text)
        case .stringConvertible(let value): string("\(value)")
        case .int32(let number): integer(Int64(number))
        case .int64(let number): integer(number)
        case .double(let number): double(number)
        case .bool(let value): bool(value)
        case .stringArray(let texts): array(texts.map(string))
        case .stringConvertibleArray(let values): array(values.map { string("\($0)") })
        case .int32Array(let numbers): array(numbers.map { integer(Int64($0)) })
        case .int64Array(let numbers): array(numbers.map(integer))
        case .doubleArray(let numbers): array(numbers.map(double))
        case .boolArray(let values): array(values.map(bool))
        default: nil
        }
    }

    private static func string(_ text: String) -> JSONValue { ["stringValue": .string(text)] }
    // 64-bit integers are texts in this encoding.
    private static func integer(_ number: Int64) -> JSONValue { ["intValue": .string("\(number)")] }
    private static func double(_ number: Double) -> JSONValue { ["doubleValue": .double(number)] }
    private static func bool(_ value: Bool) -> JSONValue { ["boolValue": .bool(value)] }
    private static func array(_ values: [JSONValue]) -> JSONValue { ["arrayValue": ["values": .array(values)]] }
}
