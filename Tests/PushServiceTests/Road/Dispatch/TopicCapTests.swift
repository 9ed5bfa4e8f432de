import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("What the cap of a topic counts", .suiteLimit)
struct TopicCapTests {
    private func withService(cap: Int, _ body: (TestService) async throws -> Void) async throws {
        try await TestService.run { service in
            let topics = "{\"topics\":[{\"name\":\"offers\",\"cap\":\(cap)}]}"
            _ = try await service.core.appSettings.changeTopics(Array(topics.utf8), of: service.app)
            try await body(service)
        }
    }

    private func offer(_ service: TestService, _ options: String = "") async throws {
        _ = try await service.push(pushBody(options: "\"x_topic\":\"offers\"\(options)"))
    }

    @Test("A push that APNs refuses does not count: one to the device's next token arrives, also after a restart")
    func refused() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender { push in
                SendOutcome(push.token.bytes == [1] ? .refused(.badDeviceToken, unregisteredAt: nil) : .sent)
            }
            var identity: Identity?
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                let topics = #"{"topics":[{"name":"offers","cap":1}]}"#
                _ = try await service.core.appSettings.changeTopics(Array(topics.utf8), of: service.app)
                let (link, enrolled) = try await service.enrol()
                identity = enrolled
                _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
                try await offer(service)
                try await service.waitFor(1) { $0 == .refused(.badDeviceToken) }
            }
            let known = try #require(identity)
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                let link = try await service.logIn(known)
                _ = try await link.ask(.token(DeviceToken(bytes: [2]), .production))
                try await offer(service)
                try await service.waitForSent(1)
                try await offer(service)
                try await service.waitFor(1) { $0 == .suppressed(.topicCapped) }
            }
        }
    }

    @Test("Of several refused pushes none counts, however close they came")
    func severalRefused() async throws {
        try await withService(cap: 2) { service in
            service.sender.answer { _ in SendOutcome(.refused(.payloadTooLarge, unregisteredAt: nil)) }
            _ = try await service.addDevice()
            for _ in 0..<2 { try await offer(service) }
            try await service.waitFor(2) { $0 == .refused(.payloadTooLarge) }
            service.sender.answer { _ in SendOutcome(.sent) }
            for _ in 0..<2 { try await offer(service) }
            try await service.waitForSent(2)
            try await offer(service)
            try await service.waitFor(1) { $0 == .suppressed(.topicCapped) }
        }
    }

    @Test("A push that expires before APNs has taken it does not count")
    func expired() async throws {
        try await withService(cap: 1) { service in
            service.sender.answer { _ in SendOutcome(.undecided("503", after: .seconds(60))) }
            _ = try await service.addDevice()
            try await offer(service, ",\"time_to_live\":60")
            try await service.waitFor(1) { if case .retried = $0 { true } else { false } }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(120))
            try await service.waitFor(1) { $0 == .expired }
            service.sender.answer { _ in SendOutcome(.sent) }
            try await offer(service)
            try await service.waitForSent(1)
        }
    }

    @Test("A push whose time ends within the quiet hours does not count")
    func quiet() async throws {
        try await withService(cap: 1) { service in
            _ = try await service.addDevice()
            // It is 16:00 in Shanghai.
            try await offer(service, ",\"time_to_live\":60,\"x_quiet_hours\":{\"from\":\"15:00\",\"to\":\"17:00\"}")
            try await service.waitFor(1) { if case .quietHours = $0 { true } else { false } }
            try await offer(service)
            try await service.waitForSent(1)
            try await offer(service)
            try await service.waitFor(1) { $0 == .suppressed(.topicCapped) }
        }
    }
}
