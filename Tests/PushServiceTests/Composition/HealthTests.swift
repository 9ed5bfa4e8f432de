import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("The state of the service for operators", .suiteLimit)
struct HealthTests {
    private static func health(_ service: TestService) async throws -> JSONObject {
        try await service.core.operators.perform("health.show", [])
    }

    @Test("Health has readiness, links, the disk, and a lane for what waits, with its lag")
    func show() async throws {
        try await TestService.run { service in
            for _ in 0..<3 { _ = try await service.addDevice() }
            let idle = try await Self.health(service)
            #expect(idle["ready"] == true && idle["store"] == "ok" && idle["draining"] == false)
            #expect(idle["links"] == 0 && idle["lanes"] == [])
            #expect(idle["apns"] == ["development": "ok", "production": "ok"])
            // A service without a data folder of its own does not look at the disk.
            #expect(idle["free_bytes"] == .null)
            _ = try await service.push(pushBody(options: "\"apns_production\":true,\"big_push_duration\":10"))
            let lanes = try await Self.health(service)["lanes"]?.array?.compactMap(\.object) ?? []
            try #require(lanes.count == 1)
            #expect(lanes[0]["app"] == .string(service.app.key.text))
            #expect(lanes[0]["environment"] == "production" && lanes[0]["class"] == "bulk")
            #expect(lanes[0]["paused_until"] == .null)
            #expect(lanes[0]["due_at"]?.string != nil && lanes[0]["lag"]?.integer != nil)
        }
    }

    @Test("Health has the connections to APNs of each app, by environment")
    func connections() async throws {
        try await TestService.run { service in
            _ = try await service.addDevice()
            #expect(try await Self.health(service)["connections"] == [])
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
            let environment = try #require(service.sender.sent.elements.first?.environment)
            #expect(
                try await Self.health(service)["connections"] == [
                    [
                        "app": .string(service.app.key.text), "environment": .string(environment.rawValue),
                        "credential": 1, "open": 1, "waiting": 0, "credential_refused": false,
                        "last_trouble": "scripted",
                    ]
                ]
            )
        }
    }

    @Test("Health takes no parameters, and leaves nothing in the audit log")
    func parameters() async throws {
        try await TestService.run { service in
            await #expect(throws: OperatorError.self) {
                _ = try await service.core.operators.perform("health.show", Array(#"{"app":"x"}"#.utf8))
            }
            _ = try await Self.health(service)
            #expect(try await service.store.auditEntries(before: nil, limit: 10).isEmpty)
        }
    }

    @Test("Outcomes count the devices of each reason: those that APNs refused, and those that did not show the push")
    func outcomes() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(5)
            let bad = Set(devices.prefix(2).map(\.token))
            service.sender.answer { push in
                bad.contains(push.token)
                    ? SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil)) : SendOutcome(.sent)
            }
            let result = try await service.push(pushBody())
            try await service.waitForSent(3)
            let journey = try await service.journey(result, devices[4])
            let apnsID = try #require(journey.apnsID)
            for kind in [JourneyEvent.Kind.delivered, .suppressed(.foreground), .suppressed(.foreground)] {
                let event = JourneyEvent(date: service.clock.date, station: .device, kind: kind)
                service.core.journeyLog.record(event, of: .push(apnsID: apnsID))
            }
            _ = try await service.journey(result, devices[4])
            let found = try #require(
                try await service.core.messages.message(result.messageID, of: service.app.id)
            )
            #expect(found.outcomesComplete)
            #expect(found.outcomes.map(\.devices) == [2, 1])
            #expect(found.outcomes.map(\.event) == ["refused", "suppressed"])
            #expect(found.outcomes.map(\.reason) == ["BadDeviceToken", "foreground"])
            let names = devices.map { service.core.registry.name(of: $0.id).text }
            #expect(found.outcomes.map(\.registrationIDs) == [Array(names[..<2]), [names[4]]])
        }
    }

    @Test("Outcomes name a hundred devices, and say when there are more events than were read")
    func limits() {
        let events = (0..<150).map { (event: JourneyEvent.Kind.expired, ordinals: [DeviceOrdinal($0)]) }
        let found = MessageOutcomes([], MessageExceptions(events: events + events, isComplete: false))
        #expect(!found.isComplete)
        #expect(found.outcomes.map(\.devices) == [150])
        #expect(found.outcomes.first?.first.count == MessageOutcomes.named)
    }
}
