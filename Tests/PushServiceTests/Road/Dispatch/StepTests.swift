import Foundation
import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

/// 429 for one token, as APNs answers when a device gets too much.
private let tooMany = SendOutcome(.undecided("TooManyRequests", after: nil), retries: ["TooManyRequests"])

@Suite("Steps of a chunk", .suiteLimit)
struct StepTests {
    @Test("A step goes to APNs as one batch")
    func batches() async throws {
        try await TestService.run { service in
            try await service.addDevices(1200)
            _ = try await service.push(pushBody())
            try await service.waitForSent(1200)
            #expect(service.sender.batches.elements.sorted() == [200, 500, 500])
        }
    }

    @Test("Several steps are under way at one time, of 2,000 devices at most")
    func window() async throws {
        try await TestService.run { service in
            let gate = Gate()
            service.sender.answer { _ in
                await gate.pass()
                return SendOutcome(.sent)
            }
            try await service.addDevices(LanePlan.window + 500)
            _ = try await service.push(pushBody())
            try await service.sender.sent.wait(for: LanePlan.window)
            #expect(service.sender.batches.elements == [500, 500, 500, 500])
            gate.open()
            try await service.waitForSent(LanePlan.window + 500)
        }
    }

    @Test(
        "An undecided push holds up nothing behind it, and every device has its attempt, also without time to live"
    )
    func undecidedGoesAlone() async throws {
        for timeToLive in [0, 600] {
            try await TestService.run { service in
                let devices = try await service.addDevices(4200)
                let unlucky = devices[10].token
                service.sender.answer { $0.token == unlucky ? tooMany : SendOutcome(.sent) }
                let result = try await service.push(pushBody(options: "\"time_to_live\":\(timeToLive)"))
                try await service.waitForSent(4199)
                try await service.waitFor(1) { $0 == .retried("TooManyRequests") }
                #expect(service.sender.sent.elements.count == 4200)
                let journey = try await service.journey(result, devices[10])
                #expect(journey.events.map(\.kind) == [.accepted, .targeted, .retried("TooManyRequests")])
                #expect(journey.verdict.state == .waiting)
                try await service.untilAsleep()
                service.sender.answer { _ in SendOutcome(.sent) }
                await service.clock.advance(by: .seconds(1))
                if timeToLive == 0 {
                    try await service.waitFor(1) { $0 == .expired }
                    #expect(try await service.journey(result, devices[10]).verdict.state == .expired)
                } else {
                    try await service.waitForSent(4200)
                    let journey = try await service.journey(result, devices[10])
                    #expect(journey.events.map(\.kind) == [.accepted, .targeted, .retried("TooManyRequests"), .sent])
                    // The retry is the same push to APNs, and counts where the first attempt does.
                    let pushes = service.sender.sent.elements.filter { $0.push.token == unlucky }
                    #expect(Set(pushes.map(\.push.id)).count == 1)
                    let counts = try await service.store.counts(of: [result.messageID], app: service.app.id)
                    #expect(counts[result.messageID]?.target == 4200)
                    #expect(counts[result.messageID]?.sent == 4200)
                }
                #expect(try await service.store.nextDue() == nil)
            }
        }
    }

    @Test("APNs' own Retry-After is kept to where it is longer than the back-off")
    func retryAfter() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.undecided("TooManyRequests", after: .seconds(30))) }
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .retried("TooManyRequests") }
            #expect(try await service.store.nextDue() == service.clock.date.addingTimeInterval(30))
        }
    }

    @Test("A retry that is withdrawn is not sent, and its journey says so")
    func withdrawnRetry() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            let unlucky = devices[1].token
            service.sender.answer { $0.token == unlucky ? tooMany : SendOutcome(.sent) }
            let result = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .retried("TooManyRequests") }
            try await service.untilAsleep()
            try await service.core.acceptor.withdraw(result.messageID.description, of: service.app)
            try await eventually("nothing is due") { try await service.store.nextDue() == nil }
            #expect(try await service.journey(result, devices[0]).verdict.state == .sent)
            #expect(try await service.journey(result, devices[1]).verdict.state == .withdrawn)
        }
    }

    @Test("After a pause one push finds out whether the credential is good again, however many wait")
    func oneTrial() async throws {
        try await TestService.run { service in
            service.sender.answer { _ in SendOutcome(.paused(.credentialRefused, detail: "InvalidProviderToken")) }
            try await service.addDevices(700)
            _ = try await service.push(pushBody())
            try await service.waitFor(700) { $0 == .paused(.credentialRefused) }
            try await service.untilAsleep()
            let before = service.sender.batches.elements.count
            await service.clock.advance(by: .seconds(60))
            try await service.waitFor(701) { $0 == .paused(.credentialRefused) }
            #expect(service.sender.batches.elements.dropFirst(before) == [1])
            try await service.untilAsleep()
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(60))
            try await service.waitForSent(700)
            #expect(service.sender.batches.elements.dropFirst(before).prefix(2) == [1, 1])
        }
    }

    @Test("A chunk leased while a pause is found waits for its end, and goes then")
    func leasedIntoPause() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(600)
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            // Many small pushes, so that one lease does not take them all.
            for device in devices {
                let audience = "{\"registration_id\":[\"\(service.registrationID(device))\"]}"
                _ = try await service.push(pushBody(audience: audience))
            }
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            try await service.untilAsleep()
            #expect(try await service.store.waiting(for: .onlyNode, at: service.clock.date).count == 1)
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(60))
            try await service.waitForSent(600)
            #expect(try await service.store.nextDue() == nil)
        }
    }

    @Test("A push that a pause has stopped goes before those that came later")
    func orderAfterPauses() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            _ = try await service.push(pushBody(ios: "\"alert\":\"first\""))
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(30))
            _ = try await service.push(pushBody(ios: "\"alert\":\"second\""))
            // A trial in vain, later than the second.
            await service.clock.advance(by: .seconds(30))
            try await service.waitFor(2) { $0 == .paused(.noCredential) }
            try await service.untilAsleep()
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(60))
            try await service.waitForSent(2)
            let alerts = try service.sender.sent.elements.suffix(2).map { sent in
                try JSONValue(parsing: sent.push.payload).object?["aps"]?.object?["alert"]?.string
            }
            #expect(alerts == ["first", "second"])
        }
    }

    @Test("A push whose answer is awaited holds up pushes to its own device alone")
    func othersPassBy() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            let gate = Gate()
            let slow = devices[0].token
            service.sender.answer { push in
                if push.token == slow { await gate.pass() }
                return SendOutcome(.sent)
            }
            func push(to device: RegisteredDevice) async throws {
                let audience = "{\"registration_id\":[\"\(service.registrationID(device))\"]}"
                _ = try await service.push(pushBody(audience: audience))
            }
            try await push(to: devices[0])
            try await service.sender.sent.wait(for: 1)
            try await push(to: devices[0])
            try await push(to: devices[1])
            try await push(to: devices[2])
            try await service.waitForSent(2)
            #expect(service.sender.sent.elements.map(\.push.token) == [slow, devices[1].token, devices[2].token])
            gate.open()
            try await service.waitForSent(4)
        }
    }

    @Test("A push with a send rate is due piece by piece, so that nobody takes up what cannot go yet")
    func ratedPieces() async throws {
        try await TestService.run { service in
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            try await service.addDevices(9000)
            let start = service.clock.date
            _ = try await service.push(pushBody(options: "\"x_rate\":100"))
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            let due = try service.strings("SELECT dueAt FROM chunk ORDER BY number").compactMap(Int64.init)
            let begin = Int64(start.timeIntervalSince1970 * 1000)
            #expect(due.dropFirst().map { $0 - begin } == [30_000, 60_000])
        }
    }

    @Test("An event of one kind that befalls a step is one row, and each device's journey has it")
    func oneRow() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(300)
            service.sender.answer { _ in SendOutcome(.refused(.unregistered, unregisteredAt: nil)) }
            let result = try await service.push(pushBody())
            try await service.waitFor(300) { $0 == .refused(.unregistered) }
            for device in [devices[0], devices[150], devices[299]] {
                let journey = try await service.journey(result, device)
                #expect(journey.events.map(\.kind) == [.accepted, .targeted, .refused(.unregistered)])
            }
            #expect(try service.rows(in: "stepEvent") == 1)
            #expect(try service.rows(in: "journeyEvent") == 0)
        }
    }

    @Test("A push for an app that another process has made since is sent")
    func appOfAnotherProcess() async throws {
        try await TestService.run { service in
            let created = try await TestService.createApp("com.example.late", in: service.store, at: service.clock.date)
            let device = try await service.addDevice(app: created.app)
            let now = service.clock.date
            let body = Array(pushBody().utf8)
            let push = PushStoreContract.message(77, of: created.app.id, at: now, body: body, timeToLive: 600)
            let chunk = PushStoreContract.chunk(push, 0, [device.id.ordinal], at: push.acceptedAt)
            let prepared = PreparedPush(message: push, chunks: [chunk], isPaced: false)
            _ = try await service.store.accept([prepared], cidsSince: service.clock.date)
            // Whatever wakes the dispatcher.
            try await service.addDevice()
            _ = try await service.push(pushBody())
            try await service.waitForSent(2)
            #expect(service.sender.sent.elements.contains { $0.app == created.app })
        }
    }

    @Test("A damaged push is closed and told; the others are sent")
    func damaged() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            let broken = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            let other = try await service.push(pushBody())
            try await service.untilAsleep()
            try service.damage("UPDATE chunk SET kind = 'nonsense' WHERE message = \(broken.messageID)")
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(60))
            try await service.waitForSent(1)
            #expect(try await service.journey(other, device).verdict.state == .sent)
            #expect(service.sender.sent.elements.count == 2)
            #expect(try await service.store.nextDue() == nil)
        }
    }
}
