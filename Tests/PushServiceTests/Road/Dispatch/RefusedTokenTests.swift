import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// A token that APNs refuses is told of once, and left out of what is pushed afterwards.
@Suite("Refused tokens", .suiteLimit)
struct RefusedTokenTests {
    /// APNs takes every push but those to this token.
    private func refuse(_ token: DeviceToken?, _ reason: APNSReason, in service: TestService) {
        service.sender.answer { push in
            push.token == token ? SendOutcome(.refused(reason, unregisteredAt: nil)) : SendOutcome(.sent)
        }
    }

    @Test(
        "A wrong token is refused once; the next push leaves it out and says why",
        arguments: [APNSReason.badDeviceToken, .deviceTokenNotForTopic]
    )
    func leftOut(_ reason: APNSReason) async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            refuse(devices[1].token, reason, in: service)
            let first = try await service.push(pushBody())
            try await service.waitForSent(2)
            try await service.waitFor(1) { $0 == .refused(reason) }
            #expect(try await service.journey(first, devices[1]).verdict.state == .refused)
            #expect(try await service.store.device(devices[1].id)?.tokenRefusal == reason)
            let second = try await service.push(pushBody())
            try await service.waitForSent(4)
            #expect(service.sender.sent.elements.count == 5)
            let journey = try await service.journey(second, devices[1])
            #expect(journey.events.map(\.kind) == [.accepted, .targeted, .suppressed(.tokenRefused)])
            #expect(journey.verdict.state == .suppressed)
            #expect(journey.verdict.sentence.contains("refused the device's token"))
            // One that is named is left out too, and is a target all the same.
            let named = "{\"registration_id\":[\"\(service.registrationID(devices[1]))\"]}"
            let third = try await service.push(pushBody(audience: named))
            #expect(try await service.journey(third, devices[1]).verdict.state == .suppressed)
        }
    }

    @Test("A device whose app has registered again gets pushes")
    func registersAgain() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            refuse(device.token, .badDeviceToken, in: service)
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .refused(.badDeviceToken) }
            let token = try #require(device.token)
            // Its SDK tells the token at each launch, the same or another.
            let changed = try await service.store.setToken(token, .production, of: device.id, at: service.clock.date)
            service.core.registry.apply(changed)
            service.sender.answer { _ in SendOutcome(.sent) }
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
            #expect(try await service.store.device(device.id)?.tokenRefusal == nil)
        }
    }

    @Test("A step that has the device in hand leaves it out too, and says why")
    func inHand() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let gate = Gate()
            service.sender.answer { _ in
                await gate.pass()
                return SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil))
            }
            _ = try await service.push(pushBody())
            try await service.sender.sent.wait(for: 1)
            // Accepted while nobody knows yet that the token is refused.
            let later = try await service.push(pushBody())
            gate.open()
            try await service.waitFor(1) { $0 == .suppressed(.tokenRefused) }
            #expect(service.sender.sent.elements.count == 1)
            #expect(try await service.journey(later, device).verdict.state == .suppressed)
        }
    }

    @Test("A restart knows them, and custom messages go to them all the same")
    func afterRestart() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender { _ in SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil)) }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.addDevices(2)
                _ = try await service.push(pushBody())
                try await service.waitFor(2) { $0 == .refused(.badDeviceToken) }
            }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                let registry = service.core.registry
                let now = clock.date
                let found = registry.resolve(.all, of: service.app.id, environment: .production, at: now)
                #expect(found.refused == [0, 1])
                #expect(found.reachable == [])
                #expect(found.withoutToken == [])
                let body = "{\"platform\":\"all\",\"audience\":\"all\",\"message\":{\"msg_content\":\"hi\"}}"
                let result = try await service.push(body)
                let id = registry.registrationID(of: DeviceID(app: service.app.id, ordinal: 1))
                let journey = try await service.core.journeys.journey(of: result.messageID, to: id, app: service.app)
                #expect(journey?.events.map(\.kind) == [.accepted, .targeted, .stored])
                #expect(sender.sent.elements.count == 2)
            }
        }
    }

    @Test("OneSignal-Cordova-SDK #483: what is wrong with the token is told apart, as far as it can be known")
    func toldApart() async throws {
        try await TestService.run { service in
            let other = try await service.addApp()
            let devices = try await service.addDevices(5)
            let foreign = try #require(try await service.addDevice(app: other).token)
            let hexadecimal = Array((0..<32).map { _ in "a1" }.joined().utf8)
            let tokens = [DeviceToken(bytes: hexadecimal), DeviceToken(bytes: [1, 2, 3]), foreign]
            for (device, token) in zip(devices, tokens) {
                let changed = try await service.store.setToken(
                    token,
                    .production,
                    of: device.id,
                    at: service.clock.date
                )
                service.core.registry.apply(changed)
            }
            service.sender.answer { _ in SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil)) }
            let result = try await service.push(pushBody())
            try await service.waitFor(5) { $0 == .refused(.badDeviceToken) }
            // The app is installed again from another source.
            let moved = try await service.store.setToken(
                testToken(77, 1),
                .development,
                of: devices[3].id,
                at: service.clock.date
            )
            service.core.registry.apply(moved)
            let words = [
                "hexadecimal twice", "has 3 bytes", "another app, com.example.second",
                "registered as a development build",
                "malformed, was never issued, or belongs to the other environment",
            ]
            for (device, words) in zip(devices, words) {
                let sentence = try await service.journey(result, device).verdict.sentence
                #expect(sentence.hasPrefix("refused by APNs: BadDeviceToken: "))
                #expect(sentence.contains(words), "\(sentence)")
            }
        }
    }

    @Test("Another bundle id has all of them tried again, some at a time")
    func forgotten() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(5)
            let good = devices[2].token
            service.sender.answer { push in
                push.token == good
                    ? SendOutcome(.sent) : SendOutcome(.refused(.deviceTokenNotForTopic, unregisteredAt: nil))
            }
            _ = try await service.push(pushBody())
            try await service.waitFor(4) { $0 == .refused(.deviceTokenNotForTopic) }
            let store = service.store
            let first = try await store.forgetRefusals(of: service.app.id, after: nil, limit: 3)
            #expect(first.map(\.id.ordinal) == [0, 1, 3])
            let rest = try await store.forgetRefusals(of: service.app.id, after: 3, limit: 3)
            #expect(rest.map(\.id.ordinal) == [4])
            #expect(try await store.forgetRefusals(of: service.app.id, after: 4, limit: 3).isEmpty)
            service.core.registry.apply(first + rest)
            service.sender.answer { _ in SendOutcome(.sent) }
            _ = try await service.push(pushBody())
            try await service.waitForSent(6)
        }
    }
}
