import Foundation
import PushModel
import Testing

@testable import PushService

@Suite("Decisions of quiet hours")
struct QuietHoursRuleTests {
    private static let night = """
        "x_quiet_hours":{"from":"22:00","to":"07:00","zone":"device","allow_time_sensitive":true}
        """

    private func rule(
        _ body: String,
        ofApp hours: QuietHours? = nil,
        fallback: String = "Asia/Shanghai"
    ) throws -> QuietHoursRule? {
        QuietHoursRule(
            try PushRequest(parsing: Array(body.utf8)),
            ofApp: hours,
            fallback: try #require(TimeZone(identifier: fallback))
        )
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func decision(
        _ body: String,
        _ zone: String?,
        at now: String,
        expiry: String = "2027-01-01T00:00:00Z"
    ) throws -> QuietHoursDecision? {
        try rule(body)?.decision(
            for: try zone.map { try #require(TimeZone(identifier: $0)) },
            at: try date(now),
            expiry: try date(expiry)
        )
    }

    @Test("Each device is asked by its own zone; one that has told none by the service's")
    func zones() throws {
        let body = pushBody(options: Self.night)
        // 23:00 in Shanghai, 16:00 in Berlin.
        let now = "2026-01-10T15:00:00Z"
        let held = QuietHoursDecision.hold(until: try date("2026-01-10T23:00:00Z"))
        #expect(try decision(body, "Asia/Shanghai", at: now) == held)
        #expect(try decision(body, nil, at: now) == held)
        #expect(try decision(body, "Europe/Berlin", at: now) == .send)
        let named = pushBody(options: Self.night.replacing("\"device\"", with: "\"Asia/Shanghai\""))
        #expect(try decision(named, "Europe/Berlin", at: now) == held)
    }

    @Test("A push that lives as long as the quiet hours is held; one that does not is not sent at all")
    func expiry() throws {
        let body = pushBody(options: Self.night)
        let now = "2026-01-10T15:00:00Z"
        let end = try date("2026-01-10T23:00:00Z")
        let zone = "Asia/Shanghai"
        #expect(try decision(body, zone, at: now, expiry: "2026-01-10T23:00:01Z") == .hold(until: end))
        #expect(try decision(body, zone, at: now, expiry: "2026-01-10T23:00:00Z") == .suppress(until: end))
        #expect(try decision(body, zone, at: now, expiry: now) == .suppress(until: end))
        #expect(QuietHoursDecision.hold(until: end).event == .quietHours(until: end, isHeld: true))
        #expect(QuietHoursDecision.suppress(until: end).event == .quietHours(until: end, isHeld: false))
        #expect(QuietHoursDecision.send.event == nil)
    }

    /// New York's clocks jump from 02:00 to 03:00 on 8 March 2026, and go back from 02:00 to 01:00 on 1 November.
    @Test("A night in which clocks change is an hour shorter, or longer")
    func daylightSaving() throws {
        let body = pushBody(options: Self.night)
        let zone = "America/New_York"
        let spring = try decision(body, zone, at: "2026-03-08T03:00:00Z")
        #expect(try spring == .hold(until: date("2026-03-08T11:00:00Z")))
        let autumn = try decision(body, zone, at: "2026-11-01T02:00:00Z")
        #expect(try autumn == .hold(until: date("2026-11-01T12:00:00Z")))
    }

    @Test("Time-sensitive and critical pushes pass if they may; silent ones are held by none")
    func exceptions() throws {
        for level in ["time-sensitive", "critical"] {
            let ios = "\"alert\":\"x\",\"interruption-level\":\"\(level)\""
            #expect(try rule(pushBody(ios: ios, options: Self.night)) == nil)
            #expect(try rule(pushBody(ios: ios, options: Self.night.replacing("true", with: "false"))) != nil)
        }
        #expect(
            try rule(pushBody(ios: "\"alert\":\"x\",\"interruption-level\":\"active\"", options: Self.night)) != nil
        )
        let silent = """
            {"platform":"all","audience":"all","notification":{"ios":{"content-available":true}},"options":{\(Self.night)}}
            """
        #expect(try rule(silent) == nil)
    }

    @Test("The app's quiet hours hold for a push that says nothing; its own, or false, go before them")
    func ofApp() throws {
        let hours = try #require(QuietHours(from: 0, to: 60, zone: .named("Asia/Shanghai")))
        // 00:00 in Shanghai.
        let now = try date("2026-01-10T16:00:00Z")
        let later = try date("2026-01-11T16:00:00Z")
        func decision(_ options: String) throws -> QuietHoursDecision? {
            try rule(pushBody(options: options), ofApp: hours)?.decision(for: nil, at: now, expiry: later)
        }
        #expect(try decision("") == .hold(until: now.addingTimeInterval(60)))
        #expect(try decision("\"x_quiet_hours\":false") == nil)
        #expect(try decision(Self.night) == .hold(until: try date("2026-01-10T23:00:00Z")))
        #expect(try rule(pushBody()) == nil)
    }

    @Test("The devices of a step are decided by their zones together; nothing is said where all are to be sent")
    func steps() throws {
        let rule = try #require(try rule(pushBody(options: Self.night)))
        let zones = DeviceZones(
            zones: [nil, TimeZone(identifier: "Asia/Shanghai"), TimeZone(identifier: "Europe/Berlin")],
            numbers: [2, 1, 0]
        )
        let now = try date("2026-01-10T15:00:00Z")
        let later = try date("2026-01-12T15:00:00Z")
        let held = QuietHoursDecision.hold(until: try date("2026-01-10T23:00:00Z"))
        #expect(rule.decisions(for: zones, count: 4, at: now, expiry: later) == [.send, held, held, held])
        let berlin = DeviceZones(zones: zones.zones, numbers: [2, 2])
        #expect(rule.decisions(for: berlin, count: 2, at: now, expiry: later) == nil)
        #expect(try rule.decisions(for: zones, count: 3, at: date("2026-01-10T12:00:00Z"), expiry: later) == nil)
    }
}
