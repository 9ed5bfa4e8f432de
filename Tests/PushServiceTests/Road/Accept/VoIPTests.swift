import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// VoIP pushes go to the tokens for PushKit, alone or beside a notification.
@Suite("VoIP pushes", .suiteLimit)
struct VoIPTests {
    private static let call = #"{"caller":"Ana","number":null}"#

    private static func body(
        alert: String? = nil,
        audience: String = "\"all\"",
        options: String = "",
        more: String = ""
    ) -> String {
        let alert = alert.map { #""alert":"\#($0)","# } ?? ""
        return """
            {"platform":"all","audience":\(audience),"notification":{\(alert)"voip":\(call)},"options":{\(options)}\(more)}
            """
    }

    private static func token(_ byte: UInt8) -> DeviceToken { DeviceToken(bytes: [UInt8](repeating: byte, count: 32)) }

    private func keep(
        _ byte: UInt8,
        of device: RegisteredDevice,
        _ environment: APNSEnvironment = .production,
        in service: TestService
    ) async throws {
        let token = ChannelToken(channel: .voip, name: "", token: Self.token(byte), environment: environment)
        try await service.store.setChannelToken(token, of: device.id, limit: 1, at: service.clock.date)
    }

    private func counts(_ result: PushResult, in service: TestService) async throws -> MessageCounts {
        try #require(
            try await service.core.reports.counts(of: [result.messageID], app: service.app.id)[result.messageID]
        )
    }

    @Test("Alone, it goes unchanged to the token for PushKit, with its topic, type and priority; no token is explained")
    func alone() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            try await keep(1, of: devices[0], in: service)
            try await keep(2, of: devices[1], .development, in: service)
            let result = try await service.push(Self.body(options: "\"time_to_live\":30"))
            try await service.waitForSent(1)
            let sent = try #require(service.sender.sent.elements.first).push
            #expect(service.sender.sent.elements.count == 1 && sent.token == Self.token(1))
            #expect(sent.topic == "com.example.first.voip" && sent.pushType == .voip && sent.priority == 10)
            #expect(String(decoding: sent.payload, as: UTF8.self) == Self.call)
            #expect(sent.expiration == .at(service.clock.date.addingTimeInterval(30)))
            #expect(try await service.journey(result, devices[0]).verdict.state == .sent)
            let other = try await service.journey(result, devices[1])
            #expect(other.events.map(\.kind) == [.accepted, .targeted, .suppressed(.environment)])
            let without = try await service.journey(result, devices[2])
            #expect(without.events.map(\.kind) == [.accepted, .targeted, .suppressed(.noToken)])
            #expect(JSONCoding.json(of: without).object?["push_type"] == "voip")
            let counts = try await counts(result, in: service)
            #expect(counts.isForVoIP && counts.target == 1 && counts.sent == 1 && counts.voip == MessageCounts().voip)
        }
    }

    @Test("Beside a notification a device gets two pushes, which journeys, apns-ids and counts tell apart")
    func beside() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            try await keep(1, of: devices[0], in: service)
            let result = try await service.push(Self.body(alert: "Missed call"))
            try await service.waitForSent(3)
            let sent = service.sender.sent.elements.map(\.push)
            #expect(Set(sent.map(\.id)).count == 3)
            let call = try #require(sent.first { $0.pushType == .voip })
            #expect(call.token == Self.token(1) && sent.filter { $0.pushType == .alert }.count == 2)
            let journey = try await service.journey(result, devices[0])
            #expect(journey.verdict.state == .sent && journey.voip?.verdict.state == .sent)
            #expect(journey.voip?.apnsID == call.id && journey.apnsID != call.id)
            let without = try await service.journey(result, devices[1])
            #expect(without.verdict.state == .sent)
            #expect(without.voip?.events.map(\.kind) == [.accepted, .targeted, .suppressed(.noToken)])
            // The apns-id of the VoIP push leads to its journey, and from there to the push.
            let found = try #require(try await service.core.journeys.journey(ofAPNsID: call.id, app: service.app))
            #expect(JSONCoding.json(of: found).object?["voip_of"] == .string(result.messageID.description))
            service.core.journeyLog.record(
                JourneyEvent(date: service.clock.date, station: .device, kind: .delivered),
                of: .push(apnsID: call.id)
            )
            try await service.core.journeyLog.flush()
            let counts = try await counts(result, in: service)
            #expect(counts.target == 2 && counts.sent == 2 && counts.received == 0 && !counts.isForVoIP)
            #expect(counts.voip.target == 1 && counts.voip.sent == 1 && counts.voip.received == 1)
            let list = try await service.store.messages(of: service.app.id, before: nil, limit: 10)
            #expect(list.messages.map(\.message.id) == [result.messageID], "One push, one row.")
        }
    }

    @Test(
        "A token for PushKit that APNs refuses is deleted; the token for notifications stays, and the notification arrives"
    )
    func refused() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(1, of: device, in: service)
            service.sender.answer { push in
                push.pushType == .voip ? SendOutcome(.refused(.unregistered, unregisteredAt: nil)) : SendOutcome(.sent)
            }
            let result = try await service.push(Self.body(alert: "hi"))
            try await service.waitFor(1) { $0 == .refused(.unregistered) }
            try await service.waitForSent(1)
            try await eventually("the token is deleted") {
                try await service.store.channelTokens(of: device.id).isEmpty
            }
            #expect(try await service.store.device(device.id)?.token == device.token)
            let journey = try await service.journey(result, device)
            #expect(journey.verdict.state == .sent && journey.voip?.verdict.state == .refused)
        }
    }

    @Test("Each of the two is retried on its own; a repeat has the same apns-id")
    func retries() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(1, of: device, in: service)
            service.sender.answer { push in
                push.pushType == .voip ? SendOutcome(.undecided("503", after: nil)) : SendOutcome(.sent)
            }
            let result = try await service.push(Self.body(alert: "hi"))
            try await service.waitForSent(1)
            try await service.waitFor(1) { if case .retried = $0 { true } else { false } }
            service.sender.answer { _ in SendOutcome(.sent) }
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(120))
            try await service.waitForSent(2)
            let sent = service.sender.sent.elements.map(\.push)
            #expect(sent.filter { $0.pushType == .alert }.count == 1)
            let calls = sent.filter { $0.pushType == .voip }
            #expect(calls.count == 2 && Set(calls.map(\.id)).count == 1)
            #expect(try await service.journey(result, device).voip?.verdict.state == .sent)
        }
    }

    @Test("A repeated cid sends neither of them again")
    func repeated() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(1, of: device, in: service)
            let cid = "\(service.app.key.text)-0f9b3a52-1c1e-4b6f-9a52-4d6a8f3f8a11"
            let body = Self.body(alert: "hi", more: ",\"cid\":\"\(cid)\"")
            let first = try await service.push(body)
            #expect(try await service.push(body) == first)
            try await service.waitForSent(2)
            #expect(service.sender.sent.elements.count == 2)
            #expect(try service.rows(in: "message") == 2 && service.rows(in: "voipPush") == 1)
        }
    }

    @Test("A withdrawal ends both; validating sends and stores neither")
    func withdrawnAndValidated() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            for (byte, device) in devices.enumerated() { try await keep(UInt8(byte + 1), of: device, in: service) }
            _ = try await service.core.acceptor.validate(
                try PushRequest(parsing: Array(Self.body(alert: "hi").utf8)),
                Array(Self.body(alert: "hi").utf8),
                for: service.app
            )
            #expect(try service.rows(in: "message") == 0)
            let result = try await service.push(Self.body(alert: "hi", options: "\"big_push_duration\":2"))
            try await service.waitForSent(2)
            try await service.core.acceptor.withdraw(result.messageID.description, of: service.app)
            try await service.waitFor(2) { $0 == .withdrawn }
            let journey = try await service.journey(result, devices[1])
            #expect(journey.verdict.state == .withdrawn && journey.voip?.verdict.state == .withdrawn)
            #expect(try await service.store.pacedMessages(of: service.app.id) == 0)
        }
    }

    @Test("In a batch, to a group, and by schedule it is the same push")
    func otherRoads() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            for (byte, device) in devices.enumerated() { try await keep(UInt8(byte + 1), of: device, in: service) }
            let entries = devices.enumerated().map { number, device -> String in
                let alert = number == 0 ? "\"alert\":\"hi\"," : ""
                return """
                    "\(service.app.key.text)-0f9b3a52-1c1e-4b6f-9a52-4d6a8f3f8a1\(number)":{"platform":"all",
                    "target":"\(service.registrationID(device))","notification":{\(alert)"voip":\(Self.call)}}
                    """
            }
            let batch = try PushBatch(
                parsing: Array("{\"pushlist\":{\(entries.joined(separator: ","))}}".utf8),
                to: .registrationID
            )
            let results = try await service.core.acceptor.accept(batch, for: service.app).map { try $0.get() }
            try await service.waitForSent(3)
            #expect(service.sender.sent.elements.count { $0.push.pushType == .voip } == 2)
            #expect(try await service.journey(results[0], devices[0]).voip?.verdict.state == .sent)
            #expect(try await service.journey(results[1], devices[1]).verdict.state == .sent)

            let made = try await service.core.store.createGroup(
                name: "G",
                apps: [service.app.id],
                at: service.clock.date
            )
            let body = Array(Self.body(alert: "all").utf8)
            _ = try await service.core.acceptor.accept(body, for: made.group, file: .refused)
            try await service.waitForSent(7)
        }
    }

    @Test("A crash after the answer leaves both messages; one before it leaves neither")
    func crash() async throws {
        try await withTemporaryFolder { folder in
            let left = folder.appending(path: "left")
            let clock = VirtualClock()
            let gate = Gate()
            let sender = ScriptedSender { _ in
                await gate.pass()
                return SendOutcome(.sent)
            }
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                let device = try await service.addDevice()
                try await keep(1, of: device, in: service)
                _ = try await service.push(Self.body(alert: "hi"))
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitForSent(2)
            }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                try await service.waitForSent(2)
                #expect(Set(second.sent.elements.map(\.push.pushType)) == [.voip, .alert])
                #expect(Set(second.sent.elements.map(\.push.id)) == Set(sender.sent.elements.map(\.push.id)))
            }
        }
    }

    @Test("Quiet hours hold back the notification and not the call")
    func quietHours() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            try await keep(1, of: device, in: service)
            let quiet = #""x_quiet_hours":{"from":"00:00","to":"23:59","zone":"UTC"}"#
            _ = try await service.push(Self.body(alert: "hi", options: quiet))
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.map(\.push.pushType) == [.voip])
        }
    }
}
