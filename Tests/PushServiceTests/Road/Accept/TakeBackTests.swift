import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Taking pushes back", .suiteLimit)
struct TakeBackTests {
    private func withdraw(_ result: PushResult, in service: TestService) async throws {
        try await service.core.acceptor.withdraw(result.messageID.description, of: service.app)
    }

    private func takenBack(
        _ result: PushResult,
        in service: TestService
    ) async throws
        -> MessageStandingAnswer.TakenBack?
    {
        try await service.core.messages.message(result.messageID, of: service.app.id)?.second.takenBack
    }

    private func receive(
        _ event: SDKReceipt.Event,
        of id: Int64,
        on device: RegisteredDevice,
        in service: TestService
    )
        async throws
    {
        let link = SDKRequest.receipts([SDKReceipt(messageID: id, event: event, time: 0)])
        #expect(try await service.core.registrations.carryOut(link, for: device.id).code == 0)
    }

    /// The id and the message of the order in a silent push.
    private func order(in push: APNSPush) throws -> SDKTakeBack {
        let payload = try #require(try JSONValue(parsing: push.payload).object)
        #expect(payload["aps"] == ["content-available": 1])
        #expect(push.headers.pushType == .background && push.headers.priority == 5)
        return SDKTakeBack(
            id: try #require(payload["_j_msgid"]?.integer),
            messageID: try #require(payload["_j_undo"]?.integer)
        )
    }

    @Test("Devices without a link are asked once by a silent push, and each answer is told")
    func silentPush() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(4)
            let older = try await service.addDevice()
            await service.clock.advance(by: .seconds(2))
            let result = try await service.push(pushBody(options: "\"apns_collapse_id\":\"c\""))
            try await service.waitForSent(5)
            try await receive(.opened, of: result.messageID.number, on: devices[3], in: service)
            for _ in 0..<2 { try await withdraw(result, in: service) }
            try await service.waitForSent(9)
            await service.clock.advance(by: .seconds(2))
            // It comes, and its client does not know the order.
            let now = service.clock.date
            let seen = try await service.store.updateDevice(older.id, note: nil) { $0.lastSeen = now }
            service.core.registry.apply([try #require(seen)])
            let pushes = service.sender.sent.elements.dropFirst(5).map(\.push)
            #expect(Set(pushes.map(\.token)) == Set((devices[..<3] + [older]).compactMap(\.token)))
            let order = try order(in: pushes[0])
            #expect(order.messageID == result.messageID.number)
            #expect(pushes[0].headers.collapseID == "c")

            try await receive(.removed, of: order.id, on: devices[0], in: service)
            try await receive(.absent, of: order.id, on: devices[0], in: service)
            try await receive(.absent, of: order.id, on: devices[1], in: service)
            let told = try #require(try await takenBack(result, in: service))
            #expect(told.msgID == "\(order.id)")
            #expect((told.removed, told.absent, told.opened) == (1, 1, 1))
            #expect((told.waiting, told.impossible) == (1, 1))
            #expect(told.outcomes.isEmpty)
            let removed = try #require(try await service.journey(result, devices[0]).takenBack)
            #expect(removed.events.map(\.kind) == [.accepted, .targeted, .sent, .takenBack(wasShown: true)])
            #expect(removed.verdict.sentence == "taken back: the app removed the notification")
            let absent = try #require(try await service.journey(result, devices[1]).takenBack)
            #expect(absent.verdict.sentence.hasPrefix("taken back: the notification was not there any more"))
            #expect(try await service.journey(result, devices[2]).takenBack?.verdict.state == .sent)
            let impossible = try #require(try await service.journey(result, older).takenBack)
            #expect(impossible.verdict.sentence.hasPrefix("asked to remove the notification, and not answered"))
            #expect(try await service.journey(result, devices[3]).takenBack == nil)
            let list = try await service.core.messages.list(of: service.app.id, before: nil, limit: 10)
            #expect(list.messages.map(\.message.id) == [result.messageID])
        }
    }

    @Test("A device with a link is asked over it, without a silent push, and again at each login until it answers")
    func link() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            let result = try await service.push(pushBody())
            try await service.waitForSent(1)
            try await withdraw(result, in: service)
            guard case .takeBack(let orders) = try await link.hear(), let order = orders.first else {
                Issue.record("'take-back' was expected.")
                return
            }
            #expect(order.messageID == result.messageID.number)
            try await service.waitFor(1) { $0 == .suppressed(.askedOverLink) }
            #expect(service.sender.sent.elements.count == 1)
            #expect(try await takenBack(result, in: service)?.outcomes.map(\.reason) == ["askedOverLink"])
            link.hangUp()
            let next = try await service.logIn(identity)
            #expect(try await next.hear() == .takeBack([order]))
            let receipt = SDKReceipt(messageID: order.id, event: .removed, time: 0)
            _ = try await next.ask(.receipts([receipt]))
            next.hangUp()
            let last = try await service.logIn(identity)
            #expect(try await last.ask(.pushStatus).code == 0, "Nothing comes before the reply.")
            let told = try #require(try await takenBack(result, in: service))
            #expect((told.removed, told.waiting, told.outcomes.count) == (1, 0, 0))
        }
    }

    @Test("What shows nothing, what nobody has got and what is too old is not taken back")
    func nothing() async throws {
        try await TestService.run { service in
            try await service.addDevices(2)
            let silent = try await service.push(pushBody(ios: "\"content-available\":true"))
            try await service.waitForSent(2)
            try await withdraw(silent, in: service)
            service.sender.answer { _ in SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil)) }
            let refused = try await service.push(pushBody())
            try await service.waitFor(2) { if case .refused = $0 { true } else { false } }
            try await withdraw(refused, in: service)
            for result in [silent, refused] { #expect(try await takenBack(result, in: service) == nil) }
            #expect(try service.rows(in: "message") == 2)
        }
    }

    @Test("A service that is killed while it sends asks all that may have the push, once")
    func killed() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let left = folder.appending(path: "left")
            let gate = Gate()
            let first = ScriptedSender()
            let results = Recorder<PushResult>()
            try await TestService.run(in: folder, clock: clock, sender: first) { service in
                let devices = try await service.addDevices(1000)
                let early = Set(devices[..<500].compactMap(\.token))
                first.answer { push in
                    if push.headers.pushType == .background || !early.contains(push.token) { await gate.pass() }
                    return SendOutcome(.sent)
                }
                results.add(try await service.push(pushBody()))
                try await service.waitForSent(500)
                try await first.sent.wait(for: 1000)
                try await withdraw(results.elements[0], in: service)
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitForSent(1000)
            }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                try await service.waitForSent(1000)
                for _ in 0..<2 { try await withdraw(results.elements[0], in: service) }
                #expect(Set(second.sent.elements.map(\.push.token)).count == 1000)
                #expect(second.sent.elements.count == 1000)
                #expect(try service.rows(in: "takeBackOrder") == 1)
            }
            // The next process does not ask again.
            let third = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: third) { service in
                try await withdraw(results.elements[0], in: service)
                #expect(try await service.store.nextDue() == nil)
                #expect(third.sent.elements.isEmpty)
            }
        }
    }

    @Test("A push that replaces a wrong one has its place, and all that have the wrong one are asked to remove it")
    func replaced() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3)
            await service.clock.advance(by: .seconds(2))
            let thread = "\"alert\":\"wrong\",\"thread-id\":\"t\""
            let wrong = try await service.push(pushBody(ios: thread, options: "\"apns_collapse_id\":\"c\""))
            try await service.waitForSent(3)
            try await receive(.opened, of: wrong.messageID.number, on: devices[2], in: service)
            let audience = "{\"registration_id\":[\"\(service.registrationID(devices[0]))\"]}"
            let undo = "\"x_undo\":\(wrong.messageID)"
            let right = try await service.push(pushBody(ios: "\"alert\":\"right\"", audience: audience, options: undo))
            try await service.waitForSent(6)
            let sent = service.sender.sent.elements.dropFirst(3).map(\.push)
            let new = try #require(sent.first { $0.headers.pushType == .alert })
            #expect(new.token == devices[0].token && new.headers.collapseID == "c")
            let aps = try JSONValue(parsing: new.payload).object?["aps"]?.object
            #expect(aps?["alert"] == "right" && aps?["thread-id"] == "t")
            let orders = sent.filter { $0.headers.pushType == .background }
            #expect(Set(orders.map(\.token)) == Set(devices[..<2].compactMap(\.token)))
            for push in orders {
                #expect(push.headers.collapseID == nil, "At APNs it would take the place of the new push.")
                #expect(try order(in: push).messageID == wrong.messageID.number)
            }
            let told = try #require(try await takenBack(wrong, in: service))
            #expect((told.opened, told.waiting) == (1, 2))
            #expect(try await takenBack(right, in: service) == nil)
            // What the new push says goes before the place of the wrong one.
            let own = "\"apns_collapse_id\":\"d\",\"x_undo\":\(right.messageID)"
            _ = try await service.push(pushBody(audience: audience, options: own))
            try await service.waitForSent(8)
            #expect(service.sender.sent.elements.compactMap(\.push.headers.collapseID).last == "d")
        }
    }

    @Test("A push replaces only one of its own app's last day, alone, and once for its cid")
    func notReplaced() async throws {
        try await TestService.run { service in
            try await service.addDevices(1)
            let wrong = try await service.push(pushBody())
            try await service.waitForSent(1)
            let undo = "\"x_undo\":\(wrong.messageID)"
            let other = try await service.store.createApp(
                name: "b",
                bundleID: "b",
                defaultEnvironment: .production,
                at: service.clock.date
            ).app
            for body in [pushBody(options: "\"x_undo\":1"), pushBody(options: "\"x_undo\":\"a\"")] {
                #expect(try await service.refusal(body).code == 1003)
            }
            let ofAnother = await #expect(throws: JPushError.self) {
                try await service.core.acceptor.accept(Array(pushBody(options: undo).utf8), for: other)
            }
            #expect(
                ofAnother?.message
                    == "'options.x_undo' names \(wrong.messageID), which is not a push of the app in the last day."
            )
            let nobody = pushBody(audience: "{\"tag\":[\"nobody\"]}", options: undo)
            #expect(try await service.refusal(nobody).code == 1011)
            #expect(try await takenBack(wrong, in: service) == nil, "A refused push withdraws nothing.")
            let cid = service.app.key.makeCID()
            let body = pushBody(options: undo, cid: cid)
            let first = try await service.push(body)
            #expect(try await service.push(body) == first)
            try await service.waitForSent(3)
            #expect(try service.rows(in: "message") == 3)
            let again = try await service.refusal(pushBody(options: undo))
            let said =
                "'options.x_undo' names \(wrong.messageID), which push \(first.messageID) has replaced; replace or withdraw that one."
            #expect((again.code, again.message) == (1003, said))
            let checked = await #expect(throws: JPushError.self) {
                let body = Array(pushBody(options: undo).utf8)
                _ = try await service.core.acceptor.validate(try PushRequest(parsing: body), body, for: service.app)
            }
            #expect(checked?.message == said)
            #expect(SentenceTable.chinese.translated(again.message) != nil)
            #expect(try service.rows(in: "message") == 3, "A refused push is not stored.")
            try await withdraw(wrong, in: service)
            #expect(try await service.push(body) == first)
            // The one that has replaced it can be replaced, once.
            _ = try await service.push(pushBody(options: "\"x_undo\":\(first.messageID)"))
            try await service.waitForSent(5)
            #expect(try await service.push(body) == first)
            await service.clock.advance(by: .seconds(86_401))
            #expect(try await service.refusal(pushBody(options: "\"x_undo\":\(first.messageID)")).code == 1003)
        }
    }

    @Test(
        "A service that is killed right after it has accepted a push that replaces another one sends it and asks, once"
    )
    func killedAfterReplacement() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let left = folder.appending(path: "left")
            let results = Recorder<PushResult>()
            let gate = Gate()
            let first = ScriptedSender()
            try await TestService.run(in: folder, clock: clock, sender: first) { service in
                try await service.addDevices(2)
                results.add(try await service.push(pushBody()))
                try await service.waitForSent(2)
                first.answer { _ in
                    await gate.pass()
                    return SendOutcome(.sent)
                }
                results.add(try await service.push(pushBody(options: "\"x_undo\":\(results.elements[0].messageID)")))
                try copyStore(folder, to: left)
                gate.open()
                try await service.waitForSent(6)
            }
            let second = ScriptedSender()
            try await TestService.run(in: left, clock: clock, sender: second) { service in
                try await service.waitForSent(4)
                #expect(second.sent.elements.count { $0.push.headers.pushType == .alert } == 2)
                try await withdraw(results.elements[0], in: service)
                #expect(second.sent.elements.count == 4)
                #expect(try service.rows(in: "message") == 3)
            }
        }
    }

    @Test("A push that is opened on one device of an alias goes away on the others, each of which is asked once")
    func readGroup() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(4) { $0.alias = "ann" }
            let other = try await service.addDevice { $0.alias = "bob" }
            await service.clock.advance(by: .seconds(2))
            let options = "\"x_read_group\":true,\"apns_collapse_id\":\"c\""
            let result = try await service.push(pushBody(options: options))
            let plain = try await service.push(pushBody())
            try await service.waitForSent(10)
            func open(_ result: PushResult, on device: RegisteredDevice) async throws {
                try await receive(.opened, of: result.messageID.number, on: device, in: service)
            }
            try await open(plain, on: devices[0])
            try await open(result, on: other)
            #expect(try await takenBack(plain, in: service) == nil)
            #expect(try await takenBack(result, in: service) == nil)
            for _ in 0..<2 { try await open(result, on: devices[0]) }
            try await service.waitForSent(13)
            let pushes = service.sender.sent.elements.dropFirst(10).map(\.push)
            #expect(Set(pushes.map(\.token)) == Set(devices[1...].compactMap(\.token)))
            #expect(pushes.allSatisfy { $0.headers.collapseID == "c" })
            let orders = try pushes.map { try order(in: $0) }
            #expect(orders.allSatisfy { $0.messageID == result.messageID.number })
            func answer(_ event: SDKReceipt.Event, by device: RegisteredDevice) async throws {
                let place = try #require(pushes.firstIndex { $0.token == device.token })
                try await receive(event, of: orders[place].id, on: device, in: service)
            }
            try await answer(.removed, by: devices[1])
            try await answer(.absent, by: devices[2])
            let told = try #require(try await takenBack(result, in: service))
            #expect((told.removed, told.absent, told.opened, told.waiting, told.impossible) == (1, 1, 2, 1, 0))
            let journey = try await service.journey(result, devices[1])
            #expect(journey.readElsewhere?.verdict.sentence == "taken back: the app removed the notification")
            #expect(journey.takenBack == nil)
            #expect(try await service.journey(result, devices[0]).readElsewhere == nil)
            let open = try await service.core.registrations.openTakeBacks(of: devices[3].id)
            #expect(open.map(\.messageID) == [result.messageID.number])
            // Nobody is left to ask when it is withdrawn: two have opened it, and three were asked.
            try await withdraw(result, in: service)
            #expect(try service.rows(in: "takeBackOrder") == 3)
            try await withdraw(plain, in: service)
            #expect(try service.rows(in: "takeBackOrder") == 4)
            let list = try await service.core.messages.list(of: service.app.id, before: nil, limit: 10)
            #expect(list.messages.count == 2)
        }
    }
}
