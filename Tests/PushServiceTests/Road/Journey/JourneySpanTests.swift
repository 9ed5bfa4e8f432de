import DeviceLink
import Foundation
import InMemoryTracing
import PushClock
import PushModel
import PushService
import TestSupport
import Testing
import Tracing

@Suite("Spans of journeys", .suiteLimit)
struct JourneySpanTests {
    private struct Fields: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    }

    @Test("Reports of gateway and device, receipts and acknowledgements are spans within the request of their push")
    func reports() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestService.run { service in
                let (link, _) = try await service.enrol()
                _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
                let request = tracer.startSpan("request")
                var trace: [String: String] = [:]
                tracer.inject(request.context, into: &trace, using: Fields())
                let origin = RequestOrigin(requestID: "order-1", trace: trace)
                let result = try await RequestOrigin.$current.withValue(origin) {
                    try await service.push(messageBody("m", notification: "n"))
                }
                request.end()
                try await service.waitForSent(1)
                let message = try await link.hearMessage()
                let id = try #require(service.sender.sent.elements.first).push.id
                let date = service.clock.date
                for (station, kind) in [
                    (JourneyEvent.Station.gateway, JourneyEvent.Kind.stored), (.device, .presented(.banner)),
                    (.device, .callback(name: "didReceive", state: .background)),
                ] {
                    let event = JourneyEvent(date: date, station: station, kind: kind)
                    service.core.journeyLog.record(event, of: .push(apnsID: id))
                }
                try await service.core.journeyLog.flush()
                let opened = SDKReceipt(messageID: result.messageID.number, event: .opened, time: 0)
                _ = try await link.ask(.receipts([opened]))
                link.say(.acknowledge(position: message.position))
                _ = try await link.ask(.pushStatus)
                try await service.core.journeyLog.flush()
                let spans = tracer.finishedSpans.filter { $0.attributes.get("push.device") != nil }
                #expect(
                    spans.map(\.operationName) == [
                        "gateway.stored", "device.presented", "device.callback", "receipt.opened",
                        "receipt.acknowledged",
                    ]
                )
                for span in spans {
                    #expect(span.traceID == request.traceID)
                    #expect(span.parentSpanID == request.spanID)
                    #expect(span.attributes.get("push.id") == .string(result.messageID.description))
                    #expect(span.startInstant.nanosecondsSinceEpoch == span.endInstant.nanosecondsSinceEpoch)
                    let seconds = Double(span.startInstant.nanosecondsSinceEpoch) / 1e9
                    #expect(abs(seconds - date.timeIntervalSince1970) < 0.001)
                }
                #expect(spans.dropFirst().first?.attributes.get("push.event.how") == .string("banner"))
            }
        }
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("A push without a trace and one of another app have no such spans; 512 reports at once have")
    func bounds() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestService.run { service in
                let stranger = try await service.addDevice(app: try await service.addApp())
                let device = try await service.addDevice()
                let untraced = try await service.push(pushBody())
                let origin = RequestOrigin(
                    requestID: "order-2",
                    trace: [InMemoryTracer.traceIDKey: "trace", InMemoryTracer.spanIDKey: "span"]
                )
                let traced = try await RequestOrigin.$current.withValue(origin) { try await service.push(pushBody()) }
                try await service.waitForSent(2)
                let all = [untraced, traced].map {
                    DeviceReceipt(SDKReceipt(messageID: $0.messageID.number, event: .opened, time: 0))
                }
                let registrations = service.core.registrations
                _ = try await registrations.record(all, of: stranger.id)
                _ = try await registrations.record([all[0]], of: device.id)
                _ = try await registrations.record(Array(repeating: all[1], count: 600), of: device.id)
                let spans = tracer.finishedSpans.filter { $0.attributes.get("push.device") != nil }
                #expect(spans.count == 512)
                #expect(spans.allSatisfy { $0.traceID == "trace" && $0.parentSpanID == "span" })
                // The clock of a phone may be turned to any year.
                let sent = try #require(try await service.journey(traced, device).apnsID)
                let far = Date(timeIntervalSince1970: 253_402_300_799)
                let event = JourneyEvent(date: far, station: .device, kind: .presented(.banner))
                service.core.journeyLog.record(event, of: .push(apnsID: sent))
                try await service.core.journeyLog.flush()
                let last = try #require(tracer.finishedSpans.last { $0.operationName == "device.presented" })
                #expect(last.startInstant.nanosecondsSinceEpoch == 9_999_999_999_000_000_000)
            }
        }
    }
}
