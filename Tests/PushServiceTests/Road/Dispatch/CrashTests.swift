import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("After a crash", .suiteLimit)
struct CrashTests {
    @Test(
        "A half-done campaign goes on: what was under way is repeated, under the same apns-ids, and badges count once"
    )
    func pushok133_crashDoesNotRepeatACampaign() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let left = folder.appending(path: "left")
            let gate = Gate()
            let first = ScriptedSender()
            // Two steps are answered, and four are under way until the gate is opened.
            let done = 1000
            let all = 1000 + LanePlan.window
            try await TestService.run(in: folder, clock: clock, sender: first) { service in
                let early = Set((0..<done).map { testToken(DeviceOrdinal($0), service.app.id) })
                first.answer { push in
                    if !early.contains(push.token) { await gate.pass() }
                    return SendOutcome(.sent)
                }
                try await service.addDevices(all)
                _ = try await service.push(pushBody(ios: "\"alert\":\"a\",\"badge\":\"+1\""))
                try await service.waitForSent(done)
                try await first.sent.wait(for: all)
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitForSent(all)
            }
            let firstIDs = Dictionary(first.sent.elements.map { ($0.push.token, $0.push.id) }) { $1 }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                try await service.waitForSent(LanePlan.window)
                let repeated = second.sent.elements
                #expect(repeated.count == LanePlan.window, "What was under way, and no more.")
                let tokens = (done..<all).map { testToken(DeviceOrdinal($0), service.app.id) }
                #expect(Set(repeated.map(\.push.token)) == Set(tokens))
                for sent in repeated {
                    #expect(sent.push.id == firstIDs[sent.push.token])
                    #expect(try badge(in: sent.push) == 1)
                }
                for ordinal: DeviceOrdinal in [0, 999, 1000, 1499, 1500, 2999] {
                    #expect(try await service.store.device(DeviceID(app: service.app.id, ordinal: ordinal))?.badge == 1)
                }
                let next = try await service.store.nextDue()
                #expect(next == nil)
            }
        }
    }

    @Test("A push that was answered and not yet sent goes out after the restart")
    func acceptedIsNotForgotten() async throws {
        try await withTemporaryFolder { folder in
            let left = folder.appending(path: "left")
            let clock = VirtualClock()
            let gate = Gate()
            let sender = ScriptedSender { _ in
                await gate.pass()
                return SendOutcome(.sent)
            }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.addDevice()
                for _ in 0..<10 { _ = try await service.push(pushBody()) }
                try await sender.sent.wait(for: 1)
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitForSent(10)
            }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                try await service.waitForSent(10)
                #expect(Set(second.sent.elements.map(\.push.id)).count == 10)
                #expect(second.sent.elements.count == 10)
            }
        }
    }

    @Test("A pause outlives the process")
    func pauseIsKept() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.addDevice()
                _ = try await service.push(pushBody())
                try await service.waitFor(1) { $0 == .paused(.noCredential) }
            }
            sender.answer { _ in SendOutcome(.sent) }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                try await service.untilAsleep()
                #expect(sender.sent.elements.count == 1)
                await clock.advance(by: .seconds(60))
                try await service.waitForSent(1)
            }
            #expect(sender.sent.elements.count == 2)
        }
    }

    @Test("A push withdrawn while a step was under way is not sent again")
    func withdrawnStaysWithdrawn() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let left = folder.appending(path: "left")
            let gate = Gate()
            let first = ScriptedSender { _ in
                await gate.pass()
                return SendOutcome(.unreachable("connection"))
            }
            let pushed = Recorder<PushResult>()
            try await TestService.run(in: folder, clock: clock, sender: first) { service in
                try await service.addDevice()
                let result = try await service.push(pushBody())
                pushed.add(result)
                try await first.sent.wait(for: 1)
                try await service.core.acceptor.withdraw(result.messageID.description, of: service.app)
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitFor(1) { $0 == .withdrawn }
            }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                let result = try #require(pushed.elements.first)
                let device = try #require(try await service.store.device(DeviceID(app: service.app.id, ordinal: 0)))
                #expect(try await service.journey(result, device).verdict.state == .withdrawn)
                // APNs may have taken it, so that the device is asked to remove it. The next one is sent.
                let next = try await service.push(pushBody())
                try await service.waitForSent(2)
                #expect(try await service.journey(next, device).verdict.state == .sent)
                #expect(second.sent.elements.count == 2)
            }
        }
    }
}
