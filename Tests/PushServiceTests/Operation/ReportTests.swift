import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Reports", .suiteLimit)
struct ReportTests {
    private func report(_ kind: JourneyEvent.Kind, _ service: TestService) -> JourneyEvent {
        JourneyEvent(date: service.clock.date, station: .device, kind: kind)
    }

    @Test(
        "The details of a push have the members of the Report API in its order; all counts of an unknown push are null"
    )
    func details() throws {
        for (counts, number) in [(nil, "null"), (MessageCounts(), "0")] as [(MessageCounts?, String)] {
            func members(_ names: String...) -> String { names.map { "\"\($0)\":\(number)" }.joined(separator: ",") }
            let part = members("target", "sent", "received", "display", "click")
            let answer = MessageDetailAnswer(counts, of: MessageID(7))
            let expected = """
                {"msg_id":"7","details":{"notification":{\(part),"sub_ios":{"apns":{\(part)},"voip":{\(part)}}},\
                "message":{\(part),"sub_ios":{"jg_ios":{\(part)}}}},"jpush":{\(part),"online_push":null,\
                \(members("msg_click"))},"android_pns":{\(members("pns_target", "pns_sent", "pns_received", "pns_display"))},\
                "ios":{\(members("apns_target", "apns_sent", "apns_received", "apns_click", "apns_display")),\
                \(members("msg_target", "msg_received", "msg_click", "msg_display"))},\
                "winphone":null,"quickapp_jpush":null,"quickapp_pns":null}
                """
            let json = JSONCoding.json(of: answer)
            #expect(json.text == expected)
            let read: MessageDetailAnswer = try JSONCoding.read(from: json)
            #expect(JSONCoding.json(of: read).text == expected)
        }
    }

    @Test("Targets are who it went to, sent is whom APNs took; an answer after a crash is the one before")
    func countsSurviveACrash() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let left = folder.appending(path: "left")
            let refused = testToken(1, 1)
            let sender = ScriptedSender { push in
                push.token == refused
                    ? SendOutcome(.refused(.unregistered, unregisteredAt: nil)) : SendOutcome(.sent)
            }
            var before: [MessageID: MessageCounts] = [:]
            var result: PushResult?
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.addDevices(600)
                try await service.addDevice(environment: .development)
                let push = try await service.push(pushBody())
                result = push
                try await service.waitForSent(599)
                try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
                for sent in service.sender.sent.elements where [2, 5].contains(sent.push.token.bytes[28]) {
                    service.core.journeyLog.record(report(.delivered, service), of: .push(apnsID: sent.push.id))
                }
                before = try await service.core.reports.counts(of: [push.messageID], app: service.app.id)
                try copyStore(folder, to: left)
            }
            let push = try #require(result)
            #expect(before[push.messageID]?.target == 600)
            #expect(before[push.messageID]?.sent == 599)
            // Of 600 ordinals three end in each of these bytes, but the last.
            #expect(before[push.messageID]?.received == 6)
            try await TestService.run(in: left, clock: clock) { service in
                let after = try await service.core.reports.counts(of: [push.messageID], app: service.app.id)
                #expect(after == before)
            }
        }
    }

    @Test("Without a credential devices count as targets, and nothing as sent")
    func paused() async throws {
        let sender = ScriptedSender { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
        try await TestService.run(sender: sender) { service in
            try await service.addDevices(3)
            let push = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            let counts = try await service.core.reports.counts(of: [push.messageID], app: service.app.id)
            #expect(counts[push.messageID]?.target == 3)
            #expect(counts[push.messageID]?.sent == 0)
        }
    }

    @Test("A status tells delivered, not delivered, another app's device and no target apart")
    func status() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            let other = try await service.addApp()
            let foreign = try await service.addDevice(app: other)
            let ids = devices.map { service.registrationID($0).text }
            let audience = "{\"registration_id\":[\"\(ids[0])\",\"\(ids[1])\"]}"
            let push = try await service.push(pushBody(audience: audience))
            try await service.waitForSent(2)
            let journey = try await service.journey(push, devices[0])
            service.core.journeyLog.record(
                report(.delivered, service),
                of: .push(apnsID: try #require(journey.apnsID))
            )
            let asked = ids + [service.registrationID(foreign).text, "nobody"]
            func ask(_ message: MessageID) async throws -> [ReportQueries.DeliveryStatus] {
                let names = asked.map { "\"\($0)\"" }.joined(separator: ",")
                let query = try MessageStatusQuery(
                    parsing: Array("{\"msg_id\":\(message),\"registration_ids\":[\(names)]}".utf8)
                )
                return try await service.core.reports.status(of: query, app: service.app.id).map(\.status)
            }
            #expect(
                try await ask(push.messageID)
                    == [.delivered, .notDelivered, .noTarget, .notOfThisApp, .notOfThisApp]
            )
            #expect(
                try await ask(MessageID(5)) == [.noTarget, .noTarget, .noTarget, .notOfThisApp, .notOfThisApp],
                "There is no such message."
            )
        }
    }

    private func register(_ service: TestService, _ installation: String) async throws -> (TestLink, Identity) {
        let link = TestLink(to: service)
        let registration = SDKRegistration(
            appKey: service.app.key.text,
            bundleID: service.app.bundleID,
            channel: "store",
            environment: .production,
            system: "iOS 17.0",
            installation: installation
        )
        link.say(.register(registration))
        guard case .registered(let id, let secret, let userID) = try await link.hear(),
            case .loggedIn = try await link.hear()
        else { throw CancellationError() }
        return (link, Identity(registrationID: id, secret: secret, userID: userID))
    }

    private func users(
        _ service: TestService,
        _ unit: String,
        _ start: String,
        _ duration: String
    ) async throws
        -> [String: [UseMeasure: Int]]
    {
        let query = try UsersQuery(unit: unit, start: start, duration: duration)
        return try await service.core.reports.users(query, of: service.app.id)
    }

    /// The service's zone is Asia/Shanghai, and its clock begins at 16:00 there.
    @Test(
        "New, online and active devices are counted by hour, day and month in the service's zone, also over a restart"
    )
    func usersAreCounted() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await TestService.run(in: folder, clock: clock) { service in
                let (stays, identity) = try await register(service, "stays")
                let (goes, _) = try await register(service, "goes")
                goes.hangUp()
                try await eventually("the link that hung up counts as closed") {
                    service.core.registry.linkedDevices.count == 1
                }
                _ = stays
                _ = try await register(service, "third")
                // The next hour begins: who has a link is online in it, and active when it logs in again.
                await clock.advance(by: .seconds(3600))
                #expect(
                    try await users(service, "HOUR", "2026-01-01 16", "2") == [
                        "2026-01-01 16": [.new: 3, .online: 3, .active: 3], "2026-01-01 17": [.online: 2],
                    ]
                )
                let again = TestLink(to: service)
                again.say(
                    .login(
                        appKey: service.app.key.text,
                        registrationID: identity.registrationID,
                        secret: identity.secret
                    )
                )
                guard case .loggedIn = try await again.hear() else { throw CancellationError() }
                let hours = try await users(service, "HOUR", "2026-01-01 17", "9")
                #expect(hours["2026-01-01 17"]?[.active] == 1)
                // 18:00 UTC is the next day in China.
                await clock.advance(by: .seconds(7 * 3600))
                let days = try await users(service, "DAY", "2026-01-01", "3")
                #expect(days["2026-01-02"] == [.online: 2])
            }
            try await TestService.run(in: folder, clock: clock) { service in
                await service.core.housekeeper.tidy()
                #expect(
                    try await users(service, "DAY", "2026-01-01", "3") == [
                        "2026-01-01": [.new: 3, .online: 3, .active: 3], "2026-01-02": [.online: 2],
                    ]
                )
                let month = try await users(service, "MONTH", "2026-01", "1")
                #expect(month["2026-01"]?[.online] == 3)
            }
        }
    }
}
