import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Pushes of a batch on their way", .suiteLimit)
struct BatchDispatchTests {
    /// One push to each device; `ios`: what it says, by its place.
    private func push(
        to devices: [RegisteredDevice],
        options: String = "",
        in service: TestService,
        ios: (Int) -> String = { "\"alert\":\"\($0)\"" }
    ) async throws -> [PushResult] {
        let entries = devices.enumerated().map { place, device in
            """
            "\(service.app.key.makeCID())":{"platform":["ios"],"target":"\(service.registrationID(device))",\
            "notification":{"ios":{\(ios(place))}},"options":{\(options)}}
            """
        }
        let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
        let batch = try PushBatch(parsing: Array(body.utf8), to: .registrationID)
        return try await service.core.acceptor.accept(batch, for: service.app).map { try $0.get() }
    }

    private func alert(in push: APNSPush) throws -> String? {
        try JSONValue(parsing: push.payload).object?["aps"]?.object?["alert"]?.string
    }

    @Test("Each device has its own words, its own badge and an apns-id of its own message")
    func ownContent() async throws {
        try await TestService.run { service in
            // In an order that is not that of their ordinals.
            let devices = Array(try await service.addDevices(30).reversed())
            let results = try await push(to: devices, in: service) { place in
                let badge = place % 3 == 0 ? "" : ",\"badge\":\(place % 3 == 1 ? "\"+2\"" : "5")"
                return "\"alert\":\"to \(place)\"\(badge)"
            }
            try await service.waitForSent(30)
            for (place, device) in devices.enumerated() {
                let sent = try #require(service.sender.sent.elements.first { $0.push.token == device.token }?.push)
                #expect(try alert(in: sent) == "to \(place)")
                #expect(try await service.journey(results[place], device).apnsID == sent.id)
                let badge = [0, 2, 5][place % 3]
                #expect(try await service.store.device(device.id)?.badge == badge)
                if badge > 0 {
                    #expect(
                        try JSONValue(parsing: sent.payload).object?["aps"]?.object?["badge"] == .integer(Int64(badge))
                    )
                }
                #expect(try await service.journey(results[place], device).verdict.state == .sent)
            }
        }
    }

    @Test("Each push of a batch has variables of its own")
    func variables() async throws {
        try await TestService.run { service in
            var devices: [RegisteredDevice] = []
            for name in ["Ana", "Ben", "Eve \"E\""] {
                devices.append(try await service.addDevice { $0.attributes = ["name": name, "city": "Ulm"] })
            }
            devices.append(try await service.addDevice())
            _ = try await push(to: devices, in: service) {
                "\"alert\":\"\(["{{name|you}}", "no", "{{city|}} {{name|you}} {{none|x}}", "{{name|you}}"][$0])\""
            }
            try await service.waitForSent(4)
            for (device, text) in zip(devices, ["Ana", "no", "Ulm Eve \"E\" x", "you"]) {
                let sent = try #require(service.sender.sent.elements.first { $0.push.token == device.token }?.push)
                #expect(try alert(in: sent) == text)
            }
        }
    }

    @Test("A device that is named twice is sent both, in their order")
    func sameDevice() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            let results = try await push(to: [devices[1], devices[0], devices[1], devices[1]], in: service)
            try await service.waitForSent(4)
            let alerts = try service.sender.sent.elements.filter { $0.push.token == devices[1].token }
                .map { try alert(in: $0.push) }
            #expect(alerts == ["0", "2", "3"])
            #expect(Set(results.map(\.messageID)).count == 4)
        }
    }

    @Test("A refusal by APNs is explained for the one push, and its token is dropped")
    func refused() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            let dead = devices[1].token
            service.sender.answer { push in
                SendOutcome(push.token == dead ? .refused(.unregistered, unregisteredAt: nil) : .sent)
            }
            let results = try await push(to: devices, in: service)
            try await service.waitForSent(2)
            try await service.waitFor(1) { $0 == .refused(.unregistered) }
            for (place, state) in [Verdict.State.sent, .refused, .sent].enumerated() {
                #expect(try await service.journey(results[place], devices[place]).verdict.state == state)
            }
            #expect(try await service.store.device(devices[1].id)?.token == nil)
            let counts = try await service.store.counts(of: results.map(\.messageID), app: service.app.id)
            #expect(results.map { counts[$0.messageID]?.sent } == [1, 0, 1])
        }
    }

    @Test("One that is withdrawn while it is tried again leaves the others of the retry as they are")
    func withdrawnRetry() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(20)
            let unlucky = Set(devices[10...].compactMap(\.token))
            service.sender.answer { push in
                unlucky.contains(push.token)
                    ? SendOutcome(.undecided("TooManyRequests", after: nil)) : SendOutcome(.sent)
            }
            let results = try await push(to: devices, in: service)
            try await service.waitFor(10) { $0 == .retried("TooManyRequests") }
            try await service.untilAsleep()
            // The sixth of the retry; the sixth of the batch is none of it.
            try await service.core.acceptor.withdraw(results[15].messageID.description, of: service.app)
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(1))
            try await service.waitForSent(19)
            #expect(service.sender.sent.elements.count == 29)
            for (place, device) in devices.enumerated() {
                let state: Verdict.State = place == 15 ? .withdrawn : .sent
                #expect(try await service.journey(results[place], device).verdict.state == state, "\(place)")
            }
        }
    }

    @Test("One that is withdrawn while steps before it are under way is not sent; the others are")
    func withdrawn() async throws {
        try await TestService.run { service in
            let gate = Gate()
            service.sender.answer { _ in
                await gate.pass()
                return SendOutcome(.sent)
            }
            let devices = try await service.addDevices(LanePlan.window + 100)
            var results: [PushResult] = []
            for start in stride(from: 0, to: devices.count, by: 1000) {
                let some = Array(devices[start..<min(start + 1000, devices.count)])
                results += try await push(to: some, in: service) { "\"alert\":\"\($0)\",\"badge\":\"+1\"" }
            }
            try await service.sender.sent.wait(for: LanePlan.window)
            for place in [3, 2050] {
                let id = results[place].messageID.description
                try await service.core.acceptor.withdraw(id, of: service.app)
            }
            gate.open()
            try await service.waitForSent(LanePlan.window + 99)
            #expect(service.sender.sent.elements.count == LanePlan.window + 99)
            for (place, badge) in [(3, 1), (2049, 1), (2050, 0), (2051, 1)] {
                #expect(try await service.store.device(devices[place].id)?.badge == badge)
            }
            for (place, state) in [
                (3, Verdict.State.sent), (4, .sent), (2049, .sent), (2050, .withdrawn), (2051, .sent),
            ] {
                #expect(try await service.journey(results[place], devices[place]).verdict.state == state, "\(place)")
            }
        }
    }

    @Test("The fate of one push holds back none that another step sends, also where each has one attempt")
    func oneAttempt() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(600)
            let unlucky = devices[0].token
            service.sender.answer { push in
                SendOutcome(push.token == unlucky ? .unreachable("connection") : .sent)
            }
            let results = try await push(to: devices, options: "\"time_to_live\":0", in: service)
            try await service.waitForSent(599)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(5))
            try await service.waitFor(1) { $0 == .expired }
            #expect(try await service.journey(results[0], devices[0]).verdict.state == .expired)
            for place in [1, 499, 500, 599] {
                #expect(try await service.journey(results[place], devices[place]).verdict.state == .sent)
            }
        }
    }

    @Test("Pushes that wait for a credential expire, each by itself")
    func expires() async throws {
        try await TestService.run { service in
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            let devices = try await service.addDevices(2)
            let results = try await push(to: devices, options: "\"time_to_live\":30", in: service)
            try await service.waitFor(2) { $0 == .paused(.noCredential) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(120))
            try await service.waitFor(2) { $0 == .expired }
            for (result, device) in zip(results, devices) {
                #expect(try await service.journey(result, device).verdict.state == .expired)
            }
        }
    }

    @Test("A batch that was answered goes out after a crash; what was sent is not sent again")
    func crash() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let left = folder.appending(path: "left")
            let gate = Gate()
            let first = ScriptedSender()
            try await TestService.run(in: folder, clock: clock, sender: first) { service in
                let late = Set((500..<600).map { testToken(DeviceOrdinal($0), service.app.id) })
                first.answer { push in
                    // The first step is answered; the second waits.
                    if late.contains(push.token) { await gate.pass() }
                    return SendOutcome(.sent)
                }
                let devices = try await service.addDevices(600)
                _ = try await push(to: devices, in: service)
                try await first.sent.wait(for: 600)
                try await service.waitForSent(500)
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitForSent(600)
            }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                try await service.waitForSent(100)
                let again = second.sent.elements
                #expect(again.count == 100)
                let words = Dictionary(try again.map { ($0.push.token, try alert(in: $0.push)) }) { first, _ in first }
                for ordinal: DeviceOrdinal in 500..<600 {
                    #expect(words[testToken(ordinal, service.app.id)] == "\(ordinal)")
                }
            }
        }
    }
}
