import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// A push of a custom message.
func messageBody(
    _ content: String,
    audience: String = "\"all\"",
    options: String = "",
    notification: String? = nil
) -> String {
    let notification = notification.map { ",\"notification\":{\"alert\":\"\($0)\"}" } ?? ""
    return """
        {"platform":"ios","audience":\(audience),"message":{"msg_content":"\(content)"},"options":{\(options)}\(notification)}
        """
}

extension TestLink {
    /// The next frame, which is to be a custom message.
    func hearMessage() async throws -> SDKMessage {
        let frame = try await hear()
        guard case .message(let message) = frame else {
            Issue.record("A message was expected, not \(frame).")
            throw CancellationError()
        }
        return message
    }
}

@Suite("Custom messages over the SDK link", .suiteLimit)
struct CustomMessageDeliveryTests {
    private func name(_ identity: Identity) -> String { "{\"registration_id\":[\"\(identity.registrationID)\"]}" }

    @Test("A device with an open link gets a message at once, without a token, as it was written")
    func atOnce() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            let body = """
                {"platform":"all","audience":"all","message":{"msg_content":"hallo","title":"T","content_type":"text",
                "extras":{"n":1,"deep":{"x":[true]}}}}
                """
            let result = try await service.push(body)
            let message = try await link.hearMessage()
            #expect(message.messageID == result.messageID.number)
            #expect(message.content == "hallo")
            #expect(message.title == "T")
            #expect(message.contentType == "text")
            #expect(message.extras == ["n": 1, "deep": ["x": [true]]])
            #expect(service.sender.sent.elements.isEmpty, "Nothing of it goes to APNs.")
        }
    }

    @Test("A push with both goes both ways, whatever APNs environment the device is of")
    func both() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .development))
            _ = try await service.push(messageBody("m", notification: "n"))
            let message = try await link.hearMessage()
            #expect(message.content == "m")
            _ = try await service.push(
                messageBody("m2", options: "\"apns_production\":false", notification: "n2")
            )
            try await service.waitForSent(1)
            let second = try await link.hearMessage()
            #expect(second.content == "m2")
            #expect(second.position > message.position)
            #expect(service.sender.sent.elements.count == 1)
        }
    }

    @Test("Only the audience gets it")
    func audience() async throws {
        try await TestService.run { service in
            let (one, first) = try await service.enrol("1")
            let (two, second) = try await service.enrol("2")
            _ = try await two.ask(.addTags(["vip"]))
            _ = try await service.push(messageBody("a", audience: name(first)))
            _ = try await service.push(messageBody("b", audience: name(second)))
            _ = try await service.push(messageBody("c", audience: "{\"tag\":[\"vip\"]}"))
            _ = try await service.push(messageBody("d"))
            let heard = [try await one.hearMessage(), try await one.hearMessage()].map(\.content)
            let other = [try await two.hearMessage(), try await two.hearMessage(), try await two.hearMessage()]
            #expect(heard == ["a", "d"])
            #expect(other.map(\.content) == ["b", "c", "d"])
        }
    }

    @Test("A late device gets the newest five, oldest first, and none of them again once it has acknowledged them")
    func newestFive() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            link.hangUp()
            for number in 0..<7 { _ = try await service.push(messageBody("\(number)")) }
            let second = try await service.logIn(identity)
            var messages: [SDKMessage] = []
            for _ in 0..<5 { messages.append(try await second.hearMessage()) }
            #expect(messages.map(\.content) == ["2", "3", "4", "5", "6"])
            #expect(messages.map(\.position) == messages.map(\.position).sorted())
            second.say(.acknowledge(position: messages[2].position))
            let answer = try await second.ask(.pushStatus)
            #expect(answer.code == 0)
            second.hangUp()
            let third = try await service.logIn(identity)
            let again = [try await third.hearMessage(), try await third.hearMessage()]
            #expect(again == Array(messages.suffix(2)), "The rest comes again, under the same positions.")
            third.hangUp()
            // What the device says to have is as good as acknowledged.
            let fourth = try await service.logIn(identity, position: again[0].position)
            let last = try await fourth.hearMessage()
            #expect(last == again[1])
            fourth.say(.acknowledge(position: last.position))
            _ = try await service.push(messageBody("new"))
            let new = try await fourth.hearMessage()
            #expect(new.content == "new")
        }
    }

    @Test("A message waits as long as its time to live: a day, as long as it says, or not at all")
    func timeToLive() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            link.hangUp()
            _ = try await service.push(messageBody("day"))
            _ = try await service.push(messageBody("never", options: "\"time_to_live\":0"))
            _ = try await service.push(messageBody("long", options: "\"time_to_live\":864000"))
            await service.clock.advance(by: .seconds(86_399))
            let second = try await service.logIn(identity)
            let two = [try await second.hearMessage(), try await second.hearMessage()].map(\.content)
            #expect(two == ["day", "long"])
            _ = try await service.push(messageBody("now", options: "\"time_to_live\":0"))
            let now = try await second.hearMessage()
            #expect(now.content == "now", "It is there at that moment.")
            second.hangUp()
            await service.clock.advance(by: .seconds(1))
            let third = try await service.logIn(identity)
            let one = try await third.hearMessage()
            #expect(one.content == "long")
            third.hangUp()
            await service.clock.advance(by: .seconds(777_600))
            let fourth = try await service.logIn(identity)
            let answer = try await fourth.ask(.pushStatus)
            #expect(answer.code == 0, "Its ten days are over.")
        }
    }

    @Test("A device that is made after a push is not among its audience")
    func latecomer() async throws {
        try await TestService.run { service in
            _ = try await service.enrol("1")
            _ = try await service.push(messageBody("old"))
            let (link, _) = try await service.enrol("2")
            _ = try await service.push(messageBody("new"))
            let message = try await link.hearMessage()
            #expect(message.content == "new")
        }
    }

    @Test("The newer of two links of a device takes its messages")
    func newerLink() async throws {
        try await TestService.run { service in
            let (old, identity) = try await service.enrol()
            let new = try await service.logIn(identity)
            let ready = try await new.ask(.pushStatus)
            #expect(ready.code == 0)
            _ = try await service.push(messageBody("m"))
            let message = try await new.hearMessage()
            #expect(message.content == "m")
            let answer = try await old.ask(.pushStatus)
            #expect(answer.code == 0, "It is still there, and was told nothing else.")
            old.hangUp()
            _ = try await service.push(messageBody("m2"))
            let second = try await new.hearMessage()
            #expect(second.content == "m2", "The end of the older one takes nothing away.")
        }
    }

    @Test("A link that wants no messages takes none away from the app's own, nor counts them as had")
    func receiptsOnly() async throws {
        try await TestService.run { service in
            let (app, identity) = try await service.enrol()
            _ = try await service.push(messageBody("m"))
            let first = try await app.hearMessage()
            let helper = TestLink(to: service)
            helper.say(
                .login(
                    appKey: service.app.key.text,
                    registrationID: identity.registrationID,
                    secret: identity.secret,
                    position: first.position,
                    takesMessages: false
                )
            )
            let answer = try await helper.hear()
            #expect(answer.isLoggedIn)
            _ = try await service.push(messageBody("m2"))
            let second = try await app.hearMessage()
            #expect(second.content == "m2")
            helper.hangUp()
            _ = try await service.push(messageBody("m3"))
            let third = try await app.hearMessage()
            #expect(third.content == "m3")
        }
    }

    @Test("Push that is switched off stops messages; those of before come when it is on again")
    func pushSwitch() async throws {
        try await TestService.run { service in
            let (first, identity) = try await service.enrol()
            first.hangUp()
            _ = try await service.push(messageBody("before"))
            let link = try await service.logIn(identity)
            let before = try await link.hearMessage()
            let off = try await link.ask(.pushSwitch(false))
            #expect(off.code == 0)
            let result = try await service.push(messageBody("off"))
            let again = try await service.logIn(identity)
            again.say(.request(number: 7, .pushSwitch(true)))
            let frame = try await again.hear()
            let reply = try await again.hear()
            #expect(frame == .message(before))
            #expect(reply == .reply(number: 7, SDKReply(code: 0, isOn: true)))
            _ = try await service.push(messageBody("on"))
            let last = try await again.hearMessage()
            #expect(last.content == "on")
            let device = try await service.device(identity)
            let verdict = try await service.journey(result, device).verdict
            #expect(verdict.sentence.contains("switched push off"))
        }
    }

    @Test(
        "A login may be sent again on a link: it brings what another link's switch has stopped, and begins or ends messages"
    )
    func loginAgain() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            func logIn(_ link: TestLink, takesMessages: Bool) async throws {
                link.say(
                    .login(
                        appKey: service.app.key.text,
                        registrationID: identity.registrationID,
                        secret: identity.secret,
                        takesMessages: takesMessages
                    )
                )
                let answer = try await link.hear()
                #expect(answer.isLoggedIn)
            }
            let helper = TestLink(to: service)
            try await logIn(helper, takesMessages: false)
            _ = try await helper.ask(.pushSwitch(false))
            _ = try await helper.ask(.pushSwitch(true))
            _ = try await service.push(messageBody("m1"))
            // The next frame is the reply, not a message.
            _ = try await link.ask(.pushStatus)
            try await logIn(link, takesMessages: true)
            let first = try await link.hearMessage()
            #expect(first.content == "m1")
            link.say(.acknowledge(position: first.position))
            try await logIn(link, takesMessages: false)
            _ = try await service.push(messageBody("m2"))
            _ = try await link.ask(.pushStatus)
            try await logIn(link, takesMessages: true)
            let second = try await link.hearMessage()
            #expect(second.content == "m2")
        }
    }

    @Test("A message that is withdrawn comes to nobody who has not had it")
    func withdrawn() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            link.hangUp()
            let result = try await service.push(messageBody("no"))
            _ = try await service.push(messageBody("yes"))
            try await service.core.acceptor.withdraw(result.messageID.description, of: service.app)
            let second = try await service.logIn(identity)
            let message = try await second.hearMessage()
            #expect(message.content == "yes")
        }
    }

    @Test("Acceptance and acknowledgements are known after a restart")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let kept = Recorder<Identity>()
            try await TestService.run(in: folder, clock: clock) { service in
                let (link, identity) = try await service.enrol()
                kept.add(identity)
                _ = try await service.push(messageBody("1"))
                let one = try await link.hearMessage()
                link.say(.acknowledge(position: one.position))
                _ = try await service.push(messageBody("2"))
                _ = try await link.hearMessage()
                let answer = try await link.ask(.pushStatus)
                #expect(answer.code == 0)
                try await service.core.journeyLog.flush()
                link.hangUp()
                _ = try await service.push(messageBody("3"))
            }
            try await TestService.run(in: folder, clock: clock) { service in
                let identity = try #require(kept.elements.first)
                let link = try await service.logIn(identity)
                let rest = [try await link.hearMessage(), try await link.hearMessage()]
                #expect(rest.map(\.content) == ["2", "3"])
                _ = try await service.push(messageBody("4"))
                let next = try await link.hearMessage()
                #expect(next.content == "4")
                #expect(next.position > rest[1].position, "Positions go on.")
            }
        }
    }

    @Test("A service that is restored from a backup gives no position, and no id, that a device has seen since then")
    func backup() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let backup = folder.appending(path: "backup")
            let kept = Recorder<(Identity, SDKMessage)>()
            let original = folder.appending(path: "original")
            try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
            try await TestService.run(in: original, clock: clock) { service in
                let (link, identity) = try await service.enrol()
                _ = try await service.push(messageBody("kept"))
                let first = try await link.hearMessage()
                try copyStore(original, to: backup)
                var last = first
                for number in 0..<20 {
                    _ = try await service.push(messageBody("lost \(number)"))
                    last = try await link.hearMessage()
                    link.say(.acknowledge(position: last.position))
                }
                kept.add((identity, last))
            }
            await clock.advance(by: .seconds(1))
            try await TestService.run(in: backup, clock: clock) { service in
                let (identity, last) = try #require(kept.elements.first)
                _ = try await service.push(messageBody("before the login"))
                let link = try await service.logIn(identity, position: last.position)
                _ = try await service.push(messageBody("after it"))
                let heard = [try await link.hearMessage(), try await link.hearMessage()]
                #expect(heard.map(\.content) == ["before the login", "after it"], "What it has is not sent again.")
                #expect(heard.allSatisfy { $0.position > last.position }, "It drops none of them.")
                #expect(heard.allSatisfy { $0.messageID > last.messageID })
            }
        }
    }

    @Test("Devices that come and go while messages are pushed get each once, in order, by dropping what they have")
    func comingAndGoing() async throws {
        try await TestService.run { service in
            let (first, identity) = try await service.enrol()
            first.hangUp()
            // In packs of as many as may wait, so that none is passed over.
            try await withThrowingTaskGroup(of: [SDKMessage].self) { group in
                var position: Int64 = 0
                for pack in 0..<20 {
                    group.addTask {
                        for number in 0..<5 { _ = try await service.push(messageBody("\(pack).\(number)")) }
                        return []
                    }
                    var messages: [SDKMessage] = []
                    while messages.count < 5 {
                        let link = try await service.logIn(identity, position: position)
                        for _ in 0..<Int.random(in: 1...3) where messages.count < 5 {
                            let message = try await link.hearMessage()
                            guard message.position > position else { continue }
                            position = message.position
                            messages.append(message)
                        }
                        if Bool.random() { link.say(.acknowledge(position: position)) }
                        link.hangUp()
                    }
                    #expect(messages.map(\.content) == (0..<5).map { "\(pack).\($0)" })
                }
                for try await _ in group {}
            }
        }
    }

    @Test("The only link of an app that opens while a message is accepted brings it, whichever of the two is first")
    func openingMeanwhile() async throws {
        try await TestService.run { service in
            let (first, identity) = try await service.enrol()
            first.hangUp()
            var position: Int64 = 0
            for round in 0..<300 {
                async let result = service.push(messageBody("\(round)"))
                let link = try await service.logIn(identity, position: position)
                let message = try await link.hearMessage()
                #expect(message.content == "\(round)")
                position = message.position
                link.hangUp()
                _ = try await result
            }
        }
    }

    @Test("A device that is slow gets all that is accepted while it has its link, each once, as it acknowledges")
    func slow() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            var results: [PushResult] = []
            for number in 0..<1600 { results.append(try await service.push(messageBody("\(number)"))) }
            // Neither has left yet.
            try await service.core.acceptor.withdraw(results[1400].messageID.description, of: service.app)
            let expected = (0..<1600).filter { $0 != 1400 }
            var heard: [String] = []
            while heard.count < expected.count {
                let message = try await link.hearMessage()
                heard.append(message.content)
                if heard.count % 100 == 0 { link.say(.acknowledge(position: message.position)) }
            }
            #expect(heard == expected.map(String.init))
            _ = try await service.push(messageBody("last"))
            let last = try await link.hearMessage()
            #expect(last.content == "last")
            #expect(!link.isClosed)
        }
    }

    @Test("An acknowledgement for each message of a burst is welcome, on a link that is not closed for it")
    func manyAcknowledgements() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            for number in 0..<300 { _ = try await service.push(messageBody("\(number)")) }
            var positions: [Int64] = []
            for _ in 0..<300 { positions.append(try await link.hearMessage().position) }
            for position in positions { link.say(.acknowledge(position: position)) }
            let answer = try await link.ask(.pushStatus)
            #expect(answer.code == 0)
            #expect(!link.isClosed)
            link.hangUp()
            let second = try await service.logIn(identity)
            _ = try await service.push(messageBody("last"))
            let last = try await second.hearMessage()
            #expect(last.content == "last")
        }
    }

    @Test("A link that acknowledges nothing is sent a thousand messages at most, and stays")
    func neverAcknowledges() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            for number in 0..<1100 { _ = try await service.push(messageBody("\(number)")) }
            var count = 0
            // Packs go whole or not at all.
            while count <= 1000 - 64 {
                _ = try await link.hearMessage()
                count += 1
            }
            link.say(.request(number: 7, .pushStatus))
            while case .message = try await link.hear() { count += 1 }
            #expect(count <= 1000)
            #expect(!link.isClosed)
        }
    }

    @Test("Each push of a batch has its own message")
    func batch() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let key = service.app.key
            let entries = (0..<3).map { number in
                """
                "\(key)-\(UUID().uuidString.lowercased())":{"platform":"all","target":"\(identity.registrationID)",\
                "message":{"msg_content":"\(number)"}}
                """
            }
            let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
            let batch = try PushBatch(parsing: Array(body.utf8), to: .registrationID)
            _ = try await service.core.acceptor.accept(batch, for: service.app)
            var contents: [String] = []
            for _ in 0..<3 { contents.append(try await link.hearMessage().content) }
            #expect(contents == ["0", "1", "2"])
        }
    }

    @Test("A message to thousands of devices comes to those of them that have a link")
    func manyDevices() async throws {
        try await TestService.run { service in
            var links: [TestLink] = []
            for number in 0..<50 { links.append(try await service.enrol("\(number)").link) }
            _ = try await service.addDevices(5000)
            _ = try await service.push(messageBody("all"))
            for link in links {
                let message = try await link.hearMessage()
                #expect(message.content == "all")
            }
        }
    }

    @Test("Ended messages leave the log, with their device, message or app, and an open message stays")
    func retention() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            link.hangUp()
            let device = try await service.device(identity).id
            _ = try await service.push(messageBody("short", options: "\"time_to_live\":10"))
            let long = try await service.push(messageBody("long", options: "\"time_to_live\":864000"))
            func log() async throws -> [MessageID] {
                try await service.store.customMessages(after: 0, limit: 10, audiencesOf: []).map(\.message)
            }
            await service.clock.advance(by: .seconds(3611))
            await service.core.housekeeper.tidy()
            let left = try await log()
            #expect(left == [long.messageID])
            let aging = try await service.store.agingMessages(after: MessageID(0), limit: 10)
            let waitsUntil = try #require(aging.last?.endedAt)
            #expect(waitsUntil.timeIntervalSince(service.clock.date) > 860_000)
            try await service.store.deleteApp(service.app.id, at: service.clock.date)
            while try await service.store.deleteOrphans(limit: 100) {}
            let none = try await log()
            #expect(none == [])
            let waiting = try await service.store.waitingMessages(
                of: device,
                acknowledgedThrough: 0,
                keptThrough: nil,
                limit: 5,
                at: service.clock.date
            )
            #expect(waiting.messages == [])
        }
    }
}
