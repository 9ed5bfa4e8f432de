import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Forecasts", .suiteLimit)
struct ForecastTests {
    private static let options = #""x_topic":"news","time_to_live":86400,"x_quiet_hours":{"from":"22:00","to":"07:00"}"#

    private func request(_ body: String) throws -> (PushRequest, [UInt8]) {
        let body = Array(body.utf8)
        return (try PushRequest(parsing: body), body)
    }

    private func forecast(_ body: String, _ service: TestService) async throws -> PushForecast {
        let (push, body) = try request(body)
        return try await service.core.acceptor.forecast(push, body, for: service.app).forecast
    }

    @Test("What a forecast says of each device is what becomes of the push")
    func comparison() async throws {
        try await TestService.run { service in
            let zones = ["Asia/Shanghai", "Europe/Berlin", "America/New_York", "Pacific/Auckland"]
            let cap = PushTopic(name: "news", cap: 1, period: .day, exemptsImmediate: false)
            try await service.store.setTopics([cap], of: service.app.id)
            var devices: [RegisteredDevice] = []
            for number in 0..<60 {
                let device = try await service.addDevice(environment: number % 10 == 9 ? .development : .production) {
                    device in
                    device.zone = zones[number % 4]
                    device.language = ["zh-Hans", "de", nil][number % 3]
                    if number % 10 == 8 { device.token = nil }
                    if number % 10 == 7 { device.isStopped = true }
                    if number % 10 == 6 { device.tags = ["had_one"] }
                    if number % 10 == 4 { device.tags = ["may_open"] }
                }
                devices.append(device)
                if number % 10 == 5 {
                    try await service.store.setDeclinedTopics(["news"], of: device.id, at: service.clock.date)
                }
            }
            let first = pushBody(audience: #"{"tag":["had_one"]}"#, options: #""x_topic":"news""#)
            _ = try await service.push(first)
            try await service.waitForSent(6)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            let earlier = try await service.push(pushBody(audience: #"{"tag":["may_open"]}"#))
            try await service.waitForSent(12)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            // One of them declines the topic as well: what was opened is looked at first.
            for device in [devices[4], devices[14], devices[24]] {
                try await service.store.record(
                    [earlier.messageID: [.received, .clicked]],
                    inApp: [:],
                    of: device.id,
                    at: service.clock.date
                )
            }
            try await service.store.setDeclinedTopics(["news"], of: devices[4].id, at: service.clock.date)
            let body = pushBody(
                ios: #""alert":"a","x_localized":{"zh":"b","de":"c"}"#,
                options: Self.options + #","x_unless_opened":\#(earlier.messageID)"#
            )
            let said = try await forecast(body, service)
            let again = try await forecast(body, service)
            #expect(said == again, "A forecast counts nothing.")
            let result = try await service.push(body)
            let kept = said.openedBefore + said.declined + said.capped
            let rest = said.targeted - said.noToken - said.otherEnvironment - said.pushOff - kept
            try await service.waitForSent(12 + rest - said.held - said.quiet)
            try await eventually("the rest waits for the end of quiet hours") {
                try await service.journey(result, devices[0]).events.last?.kind != .targeted
            }
            var found: [String: Int] = [:]
            for device in devices {
                let events = try await service.journey(result, device).events.map(\.kind)
                let reason =
                    switch events.last {
                    case .sent: "sent"
                    case .quietHours(_, let isHeld): isHeld ? "held" : "quiet"
                    case .suppressed(let reason): reason.rawValue
                    default: "\(events)"
                    }
                found[reason, default: 0] += 1
            }
            #expect(said.targeted == 60)
            #expect(said.held > 0 && said.capped > 0 && said.declined > 0 && said.openedBefore == 3)
            let expected = [
                "noToken": said.noToken, "environment": said.otherEnvironment, "pushOff": said.pushOff,
                "openedBefore": said.openedBefore, "topicDeclined": said.declined, "topicCapped": said.capped,
                "held": said.held, "quiet": said.quiet,
                "sent": rest - said.held - said.quiet,
            ].filter { $0.value > 0 }
            #expect(found == expected)
            let sent = service.sender.sent.elements.dropFirst(12)
            #expect(sent.count == expected["sent"])
            #expect(said.languages.reduce(0) { $0 + $1.devices } == rest - said.quiet)
            #expect(Set(said.languages.map(\.language)) == ["zh", "de", nil])
        }
    }

    @Test("A slowed push takes its time; a forecast belongs to the check of a push alone")
    func asked() async throws {
        try await TestService.run { service in
            try await service.addDevices(10)
            let slow = try await forecast(pushBody(options: #""x_rate":2"#), service)
            #expect(slow.seconds == 5)
            #expect(slow.languages.isEmpty)
            let asked = pushBody().dropLast() + #","x_forecast":true}"#
            await #expect(throws: JPushError.self) { _ = try await service.push(String(asked)) }
            let (push, body) = try request(String(asked))
            #expect(push.isForecast)
            #expect(try await service.core.acceptor.forecast(push, body, for: service.app).forecast.targeted == 10)
            #expect(throws: JPushError.self) { try request(pushBody().dropLast() + #","x_forecast":"often"}"#) }
        }
    }

    @Test("A push of a message alone is for all devices of the audience, with and without a token")
    func messageAlone() async throws {
        try await TestService.run { service in
            for number in 0..<4 {
                try await service.addDevice { device in
                    if number == 1 { device.token = nil }
                    if number == 2 { device.isStopped = true }
                }
            }
            let message = #"{"platform":"ios","audience":"all","message":{"msg_content":"m"}}"#
            let said = try await forecast(message, service)
            #expect(said.targeted == 4 && said.pushOff == 1 && said.noToken == 0)
            #expect(said.seconds == nil)
        }
    }

    @Test("The pace is that of many pushes in a row, whatever lies between two runs")
    func pace() {
        let pace = SendPace()
        let start = Date(timeIntervalSince1970: 0)
        #expect(pace.perSecond == nil)
        pace.note(1000, from: start, to: start + 1)
        #expect(pace.perSecond == nil)
        for second in 1..<5 { pace.note(1000, from: start + Double(second), to: start + Double(second) + 1) }
        #expect(pace.perSecond == 1000)
        pace.note(10, from: start + 1000, to: start + 1001)
        #expect(pace.perSecond == 1000, "Few pushes say nothing.")
        pace.note(3000, from: start + 1001, to: start + 1002)
        #expect(pace.perSecond == 1505)
    }
}
