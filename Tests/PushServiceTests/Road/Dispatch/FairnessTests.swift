import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("The order of lanes", .suiteLimit)
struct FairnessTests {
    @Test("A push to one device does not wait behind its own app's campaign")
    func immediateBeforeBulk() async throws {
        try await TestService.run { service in
            let gate = Gate()
            let devices = try await service.addDevices(6000)
            let other = try await service.addDevice { $0.tags = ["otp"] }
            let code = other.token
            service.sender.answer { push in
                if push.token != code { await gate.pass() }
                return SendOutcome(.sent)
            }
            _ = try await service.push(pushBody(audience: "{\"tag_not\":[\"otp\"]}"))
            try await service.sender.sent.wait(for: LanePlan.window)
            let result = try await service.push(
                pushBody(audience: "{\"registration_id\":[\"\(service.registrationID(other))\"]}")
            )
            try await service.waitForSent(1)
            #expect(try await service.journey(result, other).verdict.state == .sent)
            #expect(service.sender.sent.elements.count == LanePlan.window + 1)
            gate.open()
            try await service.waitForSent(devices.count + 1)
        }
    }

    @Test("Pushes to a device keep their order within a class, also when they come while an earlier one is under way")
    func orderOfADevice() async throws {
        try await TestService.run { service in
            let gate = Gate()
            let device = try await service.addDevice()
            service.sender.answer { push in
                if String(decoding: push.payload, as: UTF8.self).contains("\"n0\"") { await gate.pass() }
                return SendOutcome(.sent)
            }
            let audience = "{\"registration_id\":[\"\(service.registrationID(device))\"]}"
            for number in 0..<4 {
                _ = try await service.push(pushBody(ios: "\"alert\":\"n\(number)\"", audience: audience))
                if number == 0 { try await service.sender.sent.wait(for: 1) }
            }
            #expect(service.sender.sent.elements.count == 1)
            gate.open()
            try await service.waitForSent(4)
            let alerts = try service.sender.sent.elements.map {
                try JSONValue(parsing: $0.push.payload).object?["aps"]?.object?["alert"]?.string
            }
            #expect(alerts == ["n0", "n1", "n2", "n3"])
        }
    }

    @Test("An app whose APNs does not answer holds up no other, however many there are of it")
    func silentApps() async throws {
        try await TestService.run { service in
            let gate = Gate()
            let last = service.app
            service.sender.answer { push in
                if push.topic != last.bundleID { await gate.pass() }
                return SendOutcome(.sent)
            }
            for number in 0..<20 {
                let created = try await TestService.createApp(
                    "com.example.silent\(number)",
                    in: service.store,
                    at: service.clock.date
                )
                let app = try #require(try await service.core.registry.app(created.app.key))
                try await service.addDevice(app: app)
                _ = try await service.push(pushBody(), for: app)
            }
            try await service.addDevice()
            try await service.sender.sent.wait(for: 16)
            _ = try await service.push(pushBody())
            // The places of those without an answer are free after a second.
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(1))
            try await service.waitForSent(1)
            gate.open()
            try await service.waitForSent(21)
        }
    }

    @Test("A push with a rate leaves so many pushes a second, and nothing else waits for it")
    func rate() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(1000)
            let result = try await service.push(pushBody(options: "\"x_rate\":200"))
            var expected = 0
            for second in 1...5 {
                expected += 200
                try await service.waitForSent(expected)
                // Not any sleeper: under load the one of the next step comes late.
                if second < 5 { try await service.clock.sleeper(for: .seconds(1)) }
                await service.clock.advance(by: .milliseconds(500))
                if second == 2 {
                    let id = service.registrationID(devices[0])
                    _ = try await service.push(pushBody(audience: "{\"registration_id\":[\"\(id)\"]}"))
                    expected += 1
                    try await service.waitForSent(expected)
                    try await service.clock.sleeper(for: .milliseconds(500))
                }
                await service.clock.advance(by: .milliseconds(499))
                #expect(service.sender.sent.elements.count == expected)
                await service.clock.advance(by: .milliseconds(1))
            }
            #expect(try await service.journey(result, devices[999]).verdict.state == .sent)
        }
    }

    @Test("A rate holds from one chunk of a push to the next, and a chunk waits until it is its turn")
    func rateOfTwoChunks() async throws {
        try await TestService.run { service in
            // Two chunks of 2,500, which are five steps each.
            let count = Chunking.size + 1000
            let devices = try await service.addDevices(count)
            let result = try await service.push(pushBody(options: "\"x_rate\":4000"))
            for step in 1...count / 500 {
                try await service.waitForSent(step * 500)
                // Who is in the second chunk cannot have been sent to before its time.
                #expect(service.sender.sent.elements.count == step * 500)
                guard step < count / 500 else { break }
                try await service.untilAsleep()
                await service.clock.advance(by: .milliseconds(124))
                #expect(service.sender.sent.elements.count == step * 500)
                await service.clock.advance(by: .milliseconds(1))
            }
            for device in [devices[0], devices[count - 1]] {
                #expect(try await service.journey(result, device).verdict.state == .sent)
            }
            // Each was leased once for each of its steps: nobody took the second up to find that it has to wait.
            #expect(try service.strings("SELECT CAST(fence AS TEXT) FROM chunk ORDER BY number") == ["5", "5"])
        }
    }

    @Test("A rate that is none is refused", arguments: ["0", "-1", "1000001", "\"5x\"", "1.5"])
    func badRate(_ rate: String) async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let error = try await service.refusal(pushBody(options: "\"x_rate\":\(rate)"))
            #expect(error.code == 1003)
            #expect(error.message.contains("x_rate"))
        }
    }
}
