import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Withdrawing pushes", .suiteLimit)
struct WithdrawTests {
    private func withdraw(_ result: PushResult, in service: TestService) async throws {
        try await service.core.acceptor.withdraw(result.messageID.description, of: service.app)
    }

    @Test("A device with the push is asked once to remove it; the others get a reason, and nothing later")
    func paced() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            let result = try await service.push(pushBody(options: "\"big_push_duration\":3"))
            try await service.waitForSent(1)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(5))
            try await withdraw(result, in: service)
            try await service.waitFor(2) { $0 == .withdrawn }
            try await eventually("nothing is due") { try await service.store.nextDue() == nil }
            #expect(try await service.journey(result, devices[0]).verdict.state == .sent)
            for device in devices.dropFirst() {
                let journey = try await service.journey(result, device)
                #expect(journey.events.map(\.kind) == [.accepted, .targeted, .withdrawn])
                #expect(journey.events.last?.date == service.clock.date)
                #expect(journey.verdict.state == .withdrawn)
                #expect(journey.verdict.sentence.hasPrefix("not sent: it was withdrawn"))
            }
            // A second time is as good as the first, and changes nothing.
            try await withdraw(result, in: service)
            await service.clock.advance(by: .seconds(600))
            #expect(service.sender.sent.elements.count == 2)
            #expect(service.seen.elements.filter { $0.kind == .withdrawn }.count == 2)
            #expect(try await service.store.pacedMessages(of: service.app.id) == 0)
        }
    }

    @Test("The steps that are under way are finished, and no other begun")
    func underWay() async throws {
        try await TestService.run { service in
            let gate = Gate()
            service.sender.answer { _ in
                await gate.pass()
                return SendOutcome(.sent)
            }
            let devices = try await service.addDevices(LanePlan.window + 100)
            let result = try await service.push(pushBody())
            try await service.sender.sent.wait(for: LanePlan.window)
            try await withdraw(result, in: service)
            gate.open()
            try await service.waitFor(100) { $0 == .withdrawn }
            // The devices that got it are asked to remove it.
            try await service.waitForSent(2 * LanePlan.window)
            let alerts = service.sender.sent.elements.filter { $0.push.headers.pushType != .background }
            #expect(alerts.count == LanePlan.window)
            for (place, device) in devices.enumerated() where place % 50 == 0 {
                let state: Verdict.State = place < LanePlan.window ? .sent : .withdrawn
                #expect(try await service.journey(result, device).verdict.state == state)
            }
            // The worker is free for the next push.
            _ = try await service.push(
                pushBody(audience: "{\"registration_id\":[\"\(service.registrationID(devices[0]))\"]}")
            )
            try await service.waitForSent(2 * LanePlan.window + 1)
        }
    }

    @Test("Undecided devices of a withdrawn push are withdrawn, whatever steps came after it")
    func undecidedAmongSteps() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(1500)
            let first = Gate()
            let second = Gate()
            let early = Set(devices[..<500].compactMap(\.token))
            let unlucky = devices[10].token
            service.sender.answer { push in
                await (early.contains(push.token) ? first : second).pass()
                return push.token == unlucky ? SendOutcome(.unreachable("connection")) : SendOutcome(.sent)
            }
            let result = try await service.push(pushBody())
            try await service.sender.sent.wait(for: 1500)
            try await withdraw(result, in: service)
            first.open()
            try await service.waitForSent(499)
            second.open()
            try await service.waitForSent(1499)
            try await service.waitFor(1) { $0 == .withdrawn }
            #expect(try await service.journey(result, devices[10]).verdict.state == .withdrawn)
            #expect(try await service.journey(result, devices[1400]).verdict.state == .sent)
        }
    }

    @Test("A push that APNs does not take is not tried again once it is withdrawn")
    func unreachable() async throws {
        try await TestService.run { service in
            let gate = Gate()
            service.sender.answer { push in
                await gate.pass()
                // The device may have it, so it is asked to remove it.
                return SendOutcome(push.headers.pushType == .background ? .sent : .unreachable("connection"))
            }
            let device = try await service.addDevice()
            let result = try await service.push(pushBody())
            try await service.sender.sent.wait(for: 1)
            try await withdraw(result, in: service)
            gate.open()
            try await service.waitFor(1) { $0 == .withdrawn }
            try await eventually("nothing is due") { try await service.store.nextDue() == nil }
            #expect(try await service.journey(result, device).verdict.state == .withdrawn)
        }
    }

    @Test("A push that waits for a credential can be withdrawn")
    func paused() async throws {
        try await TestService.run { service in
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            let device = try await service.addDevice()
            let result = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            try await service.untilAsleep()
            try await withdraw(result, in: service)
            #expect(try await service.journey(result, device).verdict.state == .withdrawn)
            try await eventually("nothing is due") { try await service.store.nextDue() == nil }
        }
    }

    @Test("A push that is not the app's, is older than a day, or is none is 1003")
    func unknown() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let result = try await service.push(pushBody())
            let acceptor = service.core.acceptor
            let other = try await service.addApp()
            for (id, app) in [
                (result.messageID.description, other), ("17", service.app), ("x", service.app), ("", service.app),
                ("-1", service.app), ("99999999999999999999", service.app),
            ] {
                let error = await #expect(throws: JPushError.self) { try await acceptor.withdraw(id, of: app) }
                #expect(error?.code == 1003)
            }
            try await service.waitForSent(1)
            await service.clock.advance(by: .seconds(86_400))
            try await withdraw(result, in: service)
            await service.clock.advance(by: .seconds(1))
            await #expect(throws: JPushError.self) { try await withdraw(result, in: service) }
        }
    }
}
