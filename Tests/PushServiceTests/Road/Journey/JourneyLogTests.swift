import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Journeys that come back", .suiteLimit)
struct JourneyLogTests {
    private func event(
        _ kind: JourneyEvent.Kind,
        _ station: JourneyEvent.Station = .device,
        at date: Date
    ) -> JourneyEvent {
        JourneyEvent(date: date, station: station, kind: kind)
    }

    @Test("Reports find their push by its apns-id, in either case, and lead the verdict on")
    func reportsFindTheirPush() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            let apnsID = try #require(service.sender.sent.elements.first).push.id
            let date = service.clock.date
            let log = service.core.journeyLog
            log.record(event(.stored, .gateway, at: date), of: .push(apnsID: apnsID))
            #expect(try await service.journey(result, device).verdict.state == .stored)
            log.record(event(.delivered, at: date.addingTimeInterval(1)), of: .push(apnsID: apnsID.uppercased()))
            log.record(event(.presented(.banner), at: date.addingTimeInterval(2)), of: .push(apnsID: apnsID))
            log.record(event(.opened, at: date.addingTimeInterval(3)), of: .push(apnsID: apnsID))
            log.record(event(.opened, at: date.addingTimeInterval(3)), of: .push(apnsID: apnsID))
            let journey = try await service.journey(result, device)
            #expect(
                journey.events.map(\.kind)
                    == [.accepted, .targeted, .sent, .stored, .delivered, .presented(.banner), .opened]
            )
            #expect(journey.verdict.state == .opened)
            let expected = """
                {"msg_id":"\(result.messageID)","registration_id":"\(service.registrationID(device))",\
                "request_id":null,"apns_id":"\(apnsID)","verdict":{"state":"opened",
                """
            let text = JSONCoding.json(of: journey).text
            #expect(text.hasPrefix(expected), "\(text)")
        }
    }

    @Test("A reader that is older than the service passes over states, events and members that it does not know")
    func newerService() throws {
        let newer: JSONValue = [
            "msg_id": "7", "registration_id": "abc123", "request_id": .null, "apns_id": .null,
            "verdict": ["state": "teleported", "sentence": "it is there already"],
            "events": [
                ["at": "2026-01-01T08:00:00.000Z", "by": "service", "event": "accepted"],
                ["at": "2026-01-01T08:00:01.000Z", "by": "service", "event": "teleported"],
            ],
            "colour": "red",
        ]
        let journey: Journey = try JSONCoding.read(from: newer)
        #expect(journey.verdict.state == .unknown && journey.verdict.sentence == "it is there already")
        #expect(journey.events.map(\.kind) == [.accepted])
    }

    @Test("Reports of others' pushes and of local notifications are passed over")
    func foreignReports() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            let log = service.core.journeyLog
            let opened = event(.opened, at: service.clock.date)
            log.record(opened, of: .push(apnsID: "123e4567-e89b-12d3-a456-426614174000"))
            log.record(opened, of: .push(apnsID: "nonsense"))
            log.record(opened, of: .local(device: "d", app: "a", request: "r"))
            #expect(try await service.journey(result, device).verdict.state == .sent)
        }
    }

    @Test("An app sees its own journeys alone")
    func ownJourneys() async throws {
        try await TestService.run { service in
            let other = try await service.addApp()
            let device = try await service.addDevice()
            let theirs = try await service.addDevice(app: other)
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            let apnsID = try #require(service.sender.sent.elements.first).push.id
            let book = service.core.journeys
            #expect(try await book.journey(ofAPNsID: apnsID, app: service.app) != nil)
            #expect(try await book.journey(ofAPNsID: apnsID, app: other) == nil)
            #expect(try await book.journey(ofAPNsID: "nonsense", app: service.app) == nil)
            let registry = service.core.registry
            let mine = registry.registrationID(of: device.id)
            let foreign = registry.registrationID(of: theirs.id)
            #expect(try await book.journey(of: result.messageID, to: mine, app: other) == nil)
            #expect(try await book.journey(of: result.messageID, to: foreign, app: other) == nil)
            #expect(try await book.journey(of: result.messageID, to: foreign, app: service.app) == nil)
            #expect(try await book.journey(of: MessageID(5), to: mine, app: service.app) == nil)
        }
    }

    @Test("A thousand reports at the same time are all kept")
    func manyReports() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(1000)
            let result = try await service.push(pushBody())
            try await service.waitForSent(1000)
            let date = service.clock.date
            let ids = service.sender.sent.elements.map(\.push.id)
            await withTaskGroup(of: Void.self) { group in
                for id in ids {
                    group.addTask {
                        service.core.journeyLog.record(event(.delivered, at: date), of: .push(apnsID: id))
                    }
                }
            }
            try await service.core.journeyLog.flush()
            for device in devices {
                #expect(try await service.journey(result, device).verdict.state == .delivered)
            }
        }
    }

    @Test("When flush returns, what was reported before can be read, though the log writes at the same time")
    func flushWaits() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            let apnsID = try #require(service.sender.sent.elements.first).push.id
            for number in 0..<300 {
                let acted = event(.acted("\(number)"), at: service.clock.date)
                service.core.journeyLog.record(acted, of: .push(apnsID: apnsID))
                await Task.yield()
                try await service.core.journeyLog.flush()
                let facts = try #require(try await service.store.journey(of: result.messageID, to: device.id.ordinal))
                #expect(facts.events.contains(acted), "\(number)")
            }
        }
    }
}
