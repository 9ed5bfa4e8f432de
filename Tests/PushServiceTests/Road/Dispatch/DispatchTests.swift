import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Dispatching pushes", .suiteLimit)
struct DispatchTests {
    private static func refused(_ reason: APNSReason, at milliseconds: Int64? = nil) -> ScriptedSender.Answer {
        { _ in SendOutcome(.refused(reason, unregisteredAt: milliseconds)) }
    }

    private static func milliseconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970 * 1000) }

    @Test("A push arrives as it was asked for, and its journey says so")
    func happyPath() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let body = pushBody(
                ios: "\"alert\":\"hi\",\"badge\":\"+1\",\"extras\":{\"k\":\"v\"}",
                options: "\"time_to_live\":600,\"apns_collapse_id\":\"deal\""
            )
            let result = try await service.push(body)
            try await service.waitForSent(1)
            let sent = try #require(service.sender.sent.elements.first)
            let expected = """
                {"aps":{"alert":"hi","badge":1},"k":"v","_j_msgid":\(result.messageID),"_j_uid":\(device.id.userID),\
                "_j_business":1}
                """
            #expect(String(decoding: sent.push.payload, as: UTF8.self) == expected)
            #expect(sent.push.token == device.token)
            #expect(sent.push.topic == service.app.bundleID)
            #expect(sent.push.pushType == .alert)
            #expect(sent.push.priority == 10)
            #expect(sent.push.expiration == .at(service.clock.date.addingTimeInterval(600)))
            #expect(sent.push.collapseID == "deal")
            #expect(sent.environment == .production)
            #expect(sent.app == service.app)
            let journey = try await service.journey(result, device)
            #expect(journey.events.map(\.kind) == [.accepted, .targeted, .sent])
            #expect(journey.verdict.state == .sent)
            #expect(journey.apnsID == sent.push.id)
            #expect(
                try await service.core.journeys.journey(ofAPNsID: sent.push.id, app: service.app)?.verdict
                    == journey.verdict
            )
        }
    }

    @Test("Each device gets the alert with its own attributes")
    func variables() async throws {
        try await TestService.run { service in
            let named = try await service.addDevice { $0.attributes = ["first_name": "Ana"] }
            try await service.addDevice()
            _ = try await service.push(pushBody(ios: "\"alert\":\"Hi {{first_name|there}}\""))
            try await service.waitForSent(2)
            for sent in service.sender.sent.elements {
                let alert = try JSONValue(parsing: sent.push.payload).object?["aps"]?.object?["alert"]
                #expect(alert == (sent.push.token == named.token ? "Hi Ana" : "Hi there"))
            }
        }
    }

    @Test("Each device gets its own attributes, of neighbours and of devices far apart", arguments: [2, 40])
    func manyNames(_ step: Int) async throws {
        try await TestService.run { service in
            var devices: [RegisteredDevice] = []
            for number in 0..<120 {
                devices.append(
                    try await service.addDevice { device in
                        if number % 3 > 0 { device.attributes = ["first_name": "A\(number)", "city": "Ulm"] }
                        if number % step == 0 { device.tags = ["some"] }
                    }
                )
            }
            let ios = "\"alert\":\"Hi {{first_name|there}}\""
            _ = try await service.push(pushBody(ios: ios, audience: "{\"tag\":[\"some\"]}"))
            let numbers = Array(stride(from: 0, to: 120, by: step))
            try await service.waitForSent(numbers.count)
            for number in numbers {
                let sent = service.sender.sent.elements.filter { $0.push.token == devices[number].token }
                let alerts = try sent.map { try JSONValue(parsing: $0.push.payload).object?["aps"]?.object?["alert"] }
                #expect(alerts == [.string(number % 3 > 0 ? "Hi A\(number)" : "Hi there")])
            }
        }
    }

    @Test("A silent push is a background push with priority 5; time to live 0 asks for one attempt")
    func silent() async throws {
        try await TestService.run { service in
            try await service.addDevice(environment: .development)
            let options = "\"time_to_live\":0,\"apns_production\":false"
            _ = try await service.push(pushBody(ios: "\"content-available\":true", options: options))
            try await service.waitForSent(1)
            let sent = try #require(service.sender.sent.elements.first)
            #expect(sent.push.pushType == .background)
            #expect(sent.push.priority == 5)
            #expect(sent.push.expiration == 0)
            #expect(sent.push.collapseID == nil)
            #expect(sent.environment == .development)
        }
    }

    @Test("A 410 removes the token: the device is not pushed to again, also after a restart")
    func aerogearUPS_deadTokenIsRemoved() async throws {
        for reason in [APNSReason.unregistered, .expiredToken] {
            try await TestService.run { service in
                let device = try await service.addDevice()
                let now = Self.milliseconds(service.clock.date)
                service.sender.answer(Self.refused(reason, at: now))
                let result = try await service.push(pushBody())
                try await service.waitFor(1) { $0 == .refused(reason) }
                #expect(try await service.store.device(device.id)?.token == nil)
                let verdict = try await service.journey(result, device).verdict
                #expect(verdict.state == .refused)
                #expect(verdict.sentence.contains(reason.rawValue))
                let next = try await service.push(pushBody())
                let nextVerdict = try await service.journey(next, device).verdict
                #expect(nextVerdict.sentence.contains("has no APNs device token"))
                #expect(service.sender.sent.elements.count == 1)
                let again = try await Registry(store: service.store, keys: testKeys)
                #expect(again.targets([0], of: service.app.id, environment: .production).map(\.token) == [nil])
            }
        }
    }

    @Test("A 410 without a moment means now")
    func deadWithoutMoment() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer(Self.refused(.unregistered))
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .refused(.unregistered) }
            #expect(try await service.store.device(device.id)?.token == nil)
        }
    }

    @Test("A 410 older than the device's latest registration does not remove the token")
    func houston34_oldUnregisteredKeepsToken() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer(Self.refused(.unregistered, at: Self.milliseconds(service.clock.date) - 1))
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .refused(.unregistered) }
            #expect(try await service.store.device(device.id)?.token == device.token)
            service.sender.answer { _ in SendOutcome(.sent) }
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
        }
    }

    @Test(
        "Other refusals keep the token and end the journey in a sentence",
        arguments: [
            APNSReason.badDeviceToken, .deviceTokenNotForTopic, .payloadTooLarge, .topicDisallowed, .tooManyRequests,
            APNSReason(rawValue: "BrandNew"),
        ]
    )
    func otherRefusals(_ reason: APNSReason) async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer(Self.refused(reason))
            let result = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .refused(reason) }
            #expect(try await service.store.device(device.id)?.token == device.token)
            let verdict = try await service.journey(result, device).verdict
            #expect(verdict.state == .refused)
            #expect(verdict.sentence.hasPrefix("refused by APNs: \(reason.rawValue): "))
            #expect(try await service.store.nextDue() == nil, "It is over.")
        }
    }

    @Test("Pushes to one device each go side by side, those to the same device in their order")
    func sideBySide() async throws {
        let sender = ScriptedSender()
        let gate = Gate()
        sender.answer { _ in
            await gate.pass()
            return SendOutcome(.sent)
        }
        try await TestService.run(sender: sender) { service in
            var devices: [RegisteredDevice] = []
            for _ in 0..<40 { devices.append(try await service.addDevice()) }
            func audience(_ device: RegisteredDevice) -> String {
                "{\"registration_id\":[\"\(service.core.registry.registrationID(of: device.id))\"]}"
            }
            _ = try await service.push(pushBody(ios: "\"alert\":\"opening\"", audience: audience(devices[0])))
            try await service.sender.sent.wait(for: 1)
            for alert in ["first", "second"] {
                for device in devices {
                    _ = try await service.push(pushBody(ios: "\"alert\":\"\(alert)\"", audience: audience(device)))
                }
            }
            // None has its answer, and all but the one whose device is busy are under way.
            try await service.sender.sent.wait(for: 40)
            #expect(Set(sender.sent.elements.map(\.push.token)) == Set(devices.map(\.token)))
            gate.open()
            try await service.waitForSent(81)
            var alerts: [DeviceToken?: [String?]] = [:]
            for sent in sender.sent.elements {
                let aps = try JSONValue(parsing: sent.push.payload).object?["aps"]?.object
                alerts[sent.push.token, default: []].append(
                    aps?["alert"]?.string ?? aps?["alert"]?.object?["body"]?.string
                )
            }
            #expect(alerts[devices[0].token] == ["opening", "first", "second"])
            for device in devices.dropFirst() { #expect(alerts[device.token] == ["first", "second"]) }
        }
    }

    @Test("One refusal among many takes nobody else with it")
    func mixedOutcomes() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(50)
            let bad = devices[7].token
            service.sender.answer { push in
                push.token == bad ? SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil)) : SendOutcome(.sent)
            }
            let result = try await service.push(pushBody())
            try await service.waitForSent(49)
            for device in devices {
                let expected: Verdict.State = device.token == bad ? .refused : .sent
                #expect(try await service.journey(result, device).verdict.state == expected)
            }
            #expect(service.sender.sent.elements.count == 50)
        }
    }

    @Test("Retries on the way are reported")
    func retriesAreTold() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.sent, retries: ["TooManyRequests", "connection"]) }
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            let kinds = try await service.journey(result, device).events.map(\.kind)
            #expect(kinds == [.accepted, .targeted, .retried("TooManyRequests"), .retried("connection"), .sent])
        }
    }

    @Test(
        "apnotic #42: a push whose stream is reset at every attempt ends as refused, with that reason",
        arguments: [("PROTOCOL_ERROR", 5), ("INTERNAL_ERROR", 10)]
    )
    func apnotic42_streamIsResetAgainAndAgain(_ error: String, _ attempts: Int) async throws {
        try await TestService.run { service in
            let reset = APNSReason.streamReset(error)
            let device = try await service.addDevice()
            // Losses of the connection before it do not count.
            service.sender.answer { _ in SendOutcome(.unreachable("no answer"), retries: ["connection"]) }
            let result = try await service.push(pushBody())
            // A minute may have room for several attempts, as the first back-offs are shorter.
            func nextAttempt() async throws {
                try await service.untilAsleep()
                await service.clock.advance(to: try #require(try await service.store.nextDue()))
            }
            for count in 1...6 {
                try await service.waitFor(count) { $0 == .retried("connection") }
                if count == 6 {
                    service.sender.answer { _ in
                        SendOutcome(.undecided("the stream was reset", after: nil), retries: [reset.rawValue])
                    }
                }
                try await nextAttempt()
            }
            for count in 1..<attempts {
                try await service.waitFor(count) { $0 == .retried(reset.rawValue) }
                try await nextAttempt()
            }
            try await service.waitFor(1) { $0 == .refused(reset) }
            let verdict = try await service.journey(result, device).verdict
            #expect(verdict.state == .refused)
            #expect(verdict.sentence.contains("RST_STREAM \(error)") && verdict.sentence.contains("collapse id"))
            #expect(service.sender.sent.elements.count == 6 + attempts)
        }
    }

    @Test("Trouble with the credential pauses the app alone; a new credential lifts the pause")
    func pauseAndCredential() async throws {
        try await TestService.run { service in
            let other = try await service.addApp()
            let device = try await service.addDevice()
            try await service.addDevice(app: other)
            service.sender.answer { push in
                push.topic == "com.example.first"
                    ? SendOutcome(.paused(.noCredential, detail: "none")) : SendOutcome(.sent)
            }
            let result = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            let verdict = try await service.journey(result, device).verdict
            #expect(verdict.state == .paused)
            #expect(verdict.sentence.contains("add a p8 key"))
            // While it is paused its later pushes are accepted and not tried; another app's go out.
            let second = try await service.push(pushBody())
            _ = try await service.push(pushBody(), for: other)
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.count == 2)
            #expect(try await service.journey(second, device).verdict.state == .paused)

            service.sender.answer { _ in SendOutcome(.sent) }
            let vault = CredentialVault(store: service.store, keys: testKeys)
            let key = Credential(keyID: "K", teamID: "T", privateKey: "P")
            try await vault.add(key, of: service.app.id, at: service.clock.date)
            let stored = try await vault.store.credentials(of: service.app.id)
            #expect(try stored.map(vault.open) == [.key(key)])
            #expect(try await service.store.nextDue() != nil)
            // Whoever sets a credential raises the signal by whatever he does next; here another push.
            _ = try await service.push(pushBody(), for: other)
            try await service.waitForSent(4)
            #expect(try await service.journey(result, device).verdict.state == .sent)
            #expect(try await service.journey(second, device).verdict.state == .sent)
        }
    }

    @Test("A paused app is tried again by itself after 60 seconds, and its audience is not spent")
    func pauseEndsByItself() async throws {
        try await TestService.run { service in
            try await service.addDevices(3)
            service.sender.answer { _ in SendOutcome(.paused(.credentialRefused, detail: "InvalidProviderToken")) }
            let result = try await service.push(pushBody())
            try await service.waitFor(3) { $0 == .paused(.credentialRefused) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(59))
            #expect(service.sender.sent.elements.count == 3)
            await service.clock.advance(by: .seconds(1))
            // One push finds out that nothing has changed.
            try await service.waitFor(4) { $0 == .paused(.credentialRefused) }
            service.sender.answer { _ in SendOutcome(.sent) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(60))
            try await service.waitForSent(3)
            #expect(Set(service.sender.sent.elements.map(\.push.id)).count == 3)
            for ordinal: DeviceOrdinal in 0..<3 {
                let id = service.core.registry.registrationID(of: DeviceID(app: service.app.id, ordinal: ordinal))
                let journey = try await service.core.journeys.journey(of: result.messageID, to: id, app: service.app)
                #expect(journey?.verdict.state == .sent)
            }
        }
    }

    @Test("An unreachable APNs is tried again after 1, 2, 4 … seconds, a minute at most, under the same apns-id")
    func backOff() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.unreachable("connection")) }
            let result = try await service.push(pushBody())
            for (index, wait) in [1, 2, 4, 8, 16, 32, 60, 60, 60].enumerated() {
                try await service.waitFor(index + 1) { $0 == .retried("connection") }
                try await service.untilAsleep()
                #expect(try await service.store.nextDue() == service.clock.date.addingTimeInterval(Double(wait)))
                await service.clock.advance(by: .seconds(wait) - .milliseconds(10))
                #expect(service.sender.sent.elements.count == index + 1)
                await service.clock.advance(by: .milliseconds(10))
            }
            try await service.waitFor(10) { $0 == .retried("connection") }
            #expect(Set(service.sender.sent.elements.map(\.push.id)).count == 1)
            let verdict = try await service.journey(result, device).verdict
            #expect(verdict.state == .waiting)
            #expect(verdict.sentence.contains("connection"))
        }
    }

    @Test("A refused device is not sent to again when the rest of the step is repeated")
    func refusedIsOver() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            let tokens = devices.compactMap(\.token)
            service.sender.answer { push in
                switch push.token {
                case tokens[0]: SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil))
                case tokens[1]: SendOutcome(.unreachable("x"))
                default: SendOutcome(.sent)
                }
            }
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .retried("x") }
            try await service.untilAsleep()
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(1))
            try await service.waitForSent(2)
            #expect(service.sender.sent.elements.map(\.push.token).filter { $0 == tokens[0] }.count == 1)
            #expect(service.sender.sent.elements.count == 4)
        }
    }

    @Test("A dead environment holds up no other")
    func lanes() async throws {
        try await TestService.run { service in
            let slow = try await service.addDevice(environment: .development)
            let live = try await service.addDevice(environment: .production)
            let gate = Gate()
            service.sender.answer { push in
                if push.token == slow.token { await gate.pass() }
                return SendOutcome(.sent)
            }
            _ = try await service.push(pushBody(options: "\"apns_production\":false"))
            try await service.sender.sent.wait(for: 1)
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            #expect(try await service.journey(result, live).verdict.state == .sent)
            gate.open()
            try await service.waitForSent(2)
        }
    }

    @Test("Only what was not sent is tried again")
    func repeatsTheRestAlone() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(10)
            let odd = Set(devices.filter { $0.id.ordinal % 2 == 1 }.compactMap(\.token))
            service.sender.answer { odd.contains($0.token) ? SendOutcome(.unreachable("x")) : SendOutcome(.sent) }
            let result = try await service.push(pushBody(ios: "\"alert\":\"a\",\"badge\":\"+1\""))
            try await service.waitFor(5) { $0 == .retried("x") }
            try await service.untilAsleep()
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(1))
            try await service.waitForSent(10)
            #expect(service.sender.sent.elements.count == 15)
            #expect(Set(service.sender.sent.elements.dropFirst(10).map(\.push.token)) == odd)
            for sent in service.sender.sent.elements { #expect(try badge(in: sent.push) == 1) }
            for device in devices {
                #expect(try await service.journey(result, device).verdict.state == .sent)
                #expect(try await service.store.device(device.id)?.badge == 1)
            }
        }
    }

    @Test("A refusal before an interruption stays the verdict")
    func refusalSurvivesRepeat() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            let dead = devices[0].token
            service.sender.answer { push in
                push.token == dead
                    ? SendOutcome(.refused(.unregistered, unregisteredAt: nil)) : SendOutcome(.unreachable("x"))
            }
            let result = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .retried("x") }
            try await service.untilAsleep()
            service.sender.answer { _ in SendOutcome(.sent) }
            await service.clock.advance(by: .seconds(1))
            try await service.waitForSent(1)
            #expect(try await service.journey(result, devices[0]).verdict.state == .refused)
            #expect(try await service.journey(result, devices[1]).verdict.state == .sent)
        }
    }

    @Test("When its time to live has passed a push is given up and the journey says so")
    func expiry() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.unreachable("x")) }
            let result = try await service.push(pushBody(options: "\"time_to_live\":2"))
            try await service.waitFor(1) { $0 == .retried("x") }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(1))
            try await service.waitFor(2) { $0 == .retried("x") }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(2))
            try await service.waitFor(1) { $0 == .expired }
            #expect(service.sender.sent.elements.count == 2)
            #expect(try await service.journey(result, device).verdict.state == .expired)
            #expect(try await service.store.nextDue() == nil)
        }
    }

    @Test("A push that waited behind a pause until its time was over is not sent")
    func expiryBehindAPause() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            service.sender.answer { _ in SendOutcome(.paused(.noCredential, detail: "none")) }
            _ = try await service.push(pushBody())
            try await service.waitFor(1) { $0 == .paused(.noCredential) }
            let short = try await service.push(pushBody(options: "\"time_to_live\":30"))
            service.sender.answer { _ in SendOutcome(.sent) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(60))
            try await service.waitFor(1) { $0 == .expired }
            #expect(service.sender.sent.elements.count == 2)
            #expect(try await service.journey(short, device).verdict.state == .expired)
        }
    }

    @Test("A device in the other environment is not sent to, and is told which of the two disagrees")
    func environmentMismatch() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice(environment: .development)
            let bystander = try await service.addDevice { $0.tags = ["other"] }
            let result = try await service.push(pushBody(audience: "{\"tag_not\":[\"other\"]}"))
            let journey = try await service.journey(result, device)
            #expect(journey.events.map(\.kind) == [.accepted, .targeted, .suppressed(.environment)])
            let words = """
                not sent: the app was registered as a development build and the push asked for production; build, \
                credential and push must agree
                """
            #expect(journey.verdict.sentence.hasPrefix(words), "\(journey.verdict.sentence)")
            #expect(try await service.journey(result, bystander).verdict == .notInAudience)
            #expect(try await service.store.nextDue() == nil)
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.map(\.push.token) == [bystander.token])
        }
    }

    @Test("Each device has its own badge, counted once a push")
    func badges() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            for device in devices {
                let ordinal = Int(device.id.ordinal)
                let changed = try #require(try await service.store.updateDevice(device.id) { $0.badge = ordinal * 10 })
                service.core.registry.apply([changed])
            }
            for (change, badges) in [
                ("\"+1\"", [1, 11, 21]), ("\"-5\"", [0, 6, 16]), ("7", [7, 7, 7]), ("\"\"", [0, 0, 0]),
            ] {
                let before = service.sender.sent.elements.count
                _ = try await service.push(pushBody(ios: "\"alert\":\"a\",\"badge\":\(change)"))
                try await service.waitForSent(before + 3)
                let sent = service.sender.sent.elements.dropFirst(before)
                for (device, expected) in zip(devices, badges) {
                    let push = try #require(sent.first { $0.push.token == device.token }?.push)
                    #expect(try badge(in: push) == Int64(expected))
                    #expect(try await service.store.device(device.id)?.badge == expected)
                }
            }
        }
    }

    @Test("A large audience goes out in steps, each device once")
    func largeAudience() async throws {
        try await TestService.run { service in
            try await service.addDevices(4600)
            _ = try await service.push(pushBody())
            try await service.waitForSent(4600)
            #expect(service.sender.sent.elements.count == 4600)
            #expect(Set(service.sender.sent.elements.map(\.push.token)).count == 4600)
        }
    }
}
