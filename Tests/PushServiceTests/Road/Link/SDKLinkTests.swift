import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

/// One SDK at the other end of a link.
final class TestLink: LinkConnection {
    private let received = Recorder<SDKFrame>()
    private let closed = Recorder<Void>()
    private let next = Mutex(0)
    private let number = Mutex<Int64>(0)
    private let service = Mutex<LinkOwner?>(nil)

    init(to service: TestService) {
        let owner = LinkOwner(tell: service.core.links.accept(self))
        self.service.withLock { $0 = owner }
    }

    func send(_ text: String) {
        do { received.add(try SDKFrame(text: text)) } catch { Issue.record(error) }
    }

    func close() { closed.add(()) }

    var isClosed: Bool { !closed.elements.isEmpty }

    func say(text: String) { service.withLock { $0 }?.tell(.received(text)) }
    func say(_ frame: SDKFrame) { say(text: frame.text) }
    func hangUp() { service.withLock { $0 }?.tell(.closed("bye")) }

    /// The next frame from the service.
    func hear() async throws -> SDKFrame {
        let place = next.withLock { next in
            defer { next += 1 }
            return next
        }
        let frames = try await received.wait(for: place + 1)
        return try #require(place < frames.count ? frames[place] : nil)
    }

    func untilClosed() async throws { try await closed.wait(for: 1) }

    func ask(_ request: SDKRequest) async throws -> SDKReply {
        let number = number.withLock { number in
            number += 1
            return number
        }
        say(.request(number: number, request))
        guard case .reply(number, let reply) = try await hear() else {
            Issue.record("A reply to request \(number) was expected.")
            return SDKReply(code: -1)
        }
        return reply
    }
}

/// The values that a device keeps after it has registered.
struct Identity {
    var registrationID: String
    var secret: String
    var userID: Int64
}

@Suite("SDK link", .suiteLimit)
struct SDKLinkTests {
    private func registration(
        _ service: TestService,
        installation: String = "installation",
        environment: APNSEnvironment = .production
    ) -> SDKRegistration {
        SDKRegistration(
            appKey: service.app.key.text,
            bundleID: service.app.bundleID,
            channel: "store",
            environment: environment,
            system: "iOS 17.0",
            installation: installation
        )
    }

    private func register(_ link: TestLink, _ registration: SDKRegistration) async throws -> Identity {
        link.say(.register(registration))
        guard case .registered(let registrationID, let secret, let userID) = try await link.hear(),
            case .loggedIn = try await link.hear()
        else {
            Issue.record("'registered' and 'logged-in' were expected.")
            throw CancellationError()
        }
        return Identity(registrationID: registrationID, secret: secret, userID: userID)
    }

    private func device(_ identity: Identity, _ service: TestService) async throws -> RegisteredDevice {
        let id = try #require(RegistrationID(identity.registrationID))
        let device = try #require(service.core.registry.device(id, of: service.app.id))
        return try #require(try await service.store.device(device))
    }

    @Test("A device is online while any of its links is open, and was seen last when that closed")
    func presence() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            let identity = try await register(link, registration(service))
            let second = TestLink(to: service)
            second.say(
                .login(appKey: service.app.key.text, registrationID: identity.registrationID, secret: identity.secret)
            )
            guard case .loggedIn = try await second.hear() else {
                Issue.record("'logged-in' was expected.")
                return
            }
            func presence() -> Presence? {
                service.core.devices.presence(of: [identity.registrationID], app: service.app.id).first?.presence
            }
            await service.clock.advance(by: .seconds(5000))
            #expect(presence() == .online)
            link.hangUp()
            let closed = service.clock.date
            try await eventually("the device was seen last") { try await device(identity, service).lastSeen == closed }
            await service.clock.advance(by: .seconds(5000))
            #expect(presence() == .online, "The second link is open.")
            second.hangUp()
            let last = service.clock.date
            try await eventually("the device was seen last") { try await device(identity, service).lastSeen == last }
            await service.clock.advance(by: .seconds(700))
            // What is on disk is known before the link counts as closed.
            try await eventually("the device is offline") { presence() != .online }
            guard case .offline(let seen)? = presence() else {
                Issue.record("A device without a link is online.")
                return
            }
            #expect(abs(seen.timeIntervalSince(last)) < 1)
        }
    }

    @Test(
        "An app that registers and brings the token of an imported device is what the ids of others lead to from then on"
    )
    func takesOverWhatWasImported() async throws {
        try await TestService.run { service in
            let token = DeviceToken(bytes: [UInt8](repeating: 4, count: 32))
            let old = try #require(RegistrationID("1a0018970a91c0c8a3f"))
            var row = DeviceImport(registrationID: old, token: token)
            row.alias = .set("bob")
            row.tags = ["vip"]
            _ = try await service.core.importer.add([row], of: service.app.id, environment: .production)
            let link = TestLink(to: service)
            let identity = try await register(link, registration(service))
            #expect(try await link.ask(.token(token, .production)).code == 0)
            #expect(try await link.ask(.getAlias).alias == "bob")
            #expect(try await link.ask(.getAllTags).tags == ["vip"])
            let own = try await device(identity, service)
            #expect(service.core.registry.device(old, of: service.app.id) == own.id)
            #expect(service.core.registry.name(of: own.id).text == identity.registrationID)
            _ = try await service.push(pushBody(audience: "{\"registration_id\":[\"\(old)\"]}"))
            try await service.waitForSent(1)
            let audience = service.core.registry.resolve(
                .all,
                of: service.app.id,
                environment: .production,
                at: service.clock.date
            )
            #expect(audience.reachable == [own.id.ordinal])
            #expect(audience.withoutToken == [])
        }
    }

    @Test("A device whose link is open when the service ends was seen until then")
    func seenUntilTheEnd() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let identity = Recorder<DeviceID>()
            try await TestService.run(in: folder, clock: clock) { service in
                identity.add(
                    try await device(try await register(TestLink(to: service), registration(service)), service).id
                )
                await clock.advance(by: .seconds(86_400))
            }
            try await TestService.run(in: folder, clock: clock) { service in
                let id = try #require(identity.elements.first)
                #expect(try await service.store.device(id)?.lastSeen == clock.date)
            }
        }
    }

    @Test("A device that registers can be pushed to once it has brought its token")
    func registersAndReceives() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            let identity = try await register(link, registration(service))
            let device = try await device(identity, service)
            #expect(device.system == "iOS 17.0")
            #expect(device.channel == "store")
            #expect(device.environment == .production)
            #expect(device.lastSeen == service.clock.date)
            #expect(identity.userID == device.id.userID)
            let waiting = try await service.push(pushBody())
            #expect(try await service.journey(waiting, device).verdict.sentence.contains("no APNs device token"))
            let token = DeviceToken(bytes: [UInt8](repeating: 5, count: 32))
            #expect(try await link.ask(.token(token, .production)) == SDKReply(code: 0))
            _ = try await service.push(pushBody(audience: "{\"registration_id\":[\"\(identity.registrationID)\"]}"))
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.map(\.push.token) == [token])
            #expect(!link.isClosed)
        }
    }

    @Test("An installation that registers again keeps its registration id and gets a new secret")
    func registersAgain() async throws {
        try await TestService.run { service in
            let first = try await register(TestLink(to: service), registration(service))
            let second = try await register(TestLink(to: service), registration(service))
            let other = try await register(TestLink(to: service), registration(service, installation: "other"))
            #expect(first.registrationID == second.registrationID)
            #expect(first.secret != second.secret)
            #expect(other.registrationID != first.registrationID)
            let old = TestLink(to: service)
            old.say(
                .login(appKey: service.app.key.text, registrationID: first.registrationID, secret: first.secret)
            )
            guard case .refused(6016, _) = try await old.hear() else {
                Issue.record("The old secret is void.")
                return
            }
        }
    }

    @Test("An app built for the other environment does not keep the old environment's token")
    func otherBuild() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            _ = try await register(link, registration(service))
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            let again = TestLink(to: service)
            let identity = try await register(again, registration(service, environment: .development))
            let device = try await device(identity, service)
            #expect(device.environment == .development)
            #expect(device.token == nil, "A production token means nothing to the development environment.")
            _ = try await again.ask(.token(DeviceToken(bytes: [2]), .development))
            #expect(try await self.device(identity, service).token == DeviceToken(bytes: [2]))
        }
    }

    @Test("A build that stays the same keeps its token when it registers again")
    func sameBuild() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            _ = try await register(link, registration(service))
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            let identity = try await register(TestLink(to: service), registration(service))
            #expect(try await device(identity, service).token == DeviceToken(bytes: [1]))
        }
    }

    @Test("Logs in with id and secret, and is seen")
    func logsIn() async throws {
        try await TestService.run { service in
            let identity = try await register(TestLink(to: service), registration(service))
            await service.clock.advance(by: .seconds(3600))
            let link = TestLink(to: service)
            link.say(
                .login(appKey: service.app.key.text, registrationID: identity.registrationID, secret: identity.secret)
            )
            #expect(try await link.hear().isLoggedIn)
            #expect(try await device(identity, service).lastSeen == service.clock.date)
            #expect(try await link.ask(.getAlias) == SDKReply(code: 0))
        }
    }

    @Test("A login says what the service has; an operation that arrives again after a later one has no effect")
    func sequences() async throws {
        try await TestService.run { service in
            let first = TestLink(to: service)
            let identity = try await register(first, registration(service))
            let token = DeviceToken(bytes: [0xAB, 0xCD])
            _ = try await first.ask(.token(token, .production))
            for (sequence, alias) in [(4, "early"), (5, "late"), (4, "early")] as [(Int64, String)] {
                first.say(.request(number: sequence, sequence: sequence, .setAlias(alias)))
                #expect(try await first.hear() == .reply(number: sequence, SDKReply(code: 0, alias: alias)))
            }
            #expect(try await device(identity, service).alias == "late")
            let link = TestLink(to: service)
            link.say(
                .login(
                    appKey: service.app.key.text,
                    registrationID: identity.registrationID,
                    secret: identity.secret,
                    language: "zh-Hans",
                    permission: .summary
                )
            )
            let state = SDKDeviceState(hasToken: true, isOn: true, tokenDigest: token.digest, sequence: 5)
            #expect(try await link.hear() == .loggedIn(state))
            let known = try await device(identity, service)
            #expect(known.language == "zh-Hans" && known.permission == .summary)
            // A text that names no language counts as none.
            for (language, kept) in [("a b !!", "zh-Hans"), ("cn", "zh-Hans"), ("zh_CN", "zh-CN"), ("", "zh-CN")] {
                let link = TestLink(to: service)
                link.say(
                    .login(
                        appKey: service.app.key.text,
                        registrationID: identity.registrationID,
                        secret: identity.secret,
                        language: language
                    )
                )
                #expect(try await link.hear() == .loggedIn(state))
                #expect(try await device(identity, service).language == kept)
            }
        }
    }

    @Test("Refuses who is not known, says which, and hangs up")
    func refusals() async throws {
        try await TestService.run { service in
            let identity = try await register(TestLink(to: service), registration(service))
            let key = service.app.key.text
            let unknown = String(repeating: "z", count: 24)
            var malformed = registration(service)
            malformed.appKey = "short"
            var foreign = registration(service)
            foreign.appKey = unknown
            var otherBundle = registration(service)
            otherBundle.bundleID = "com.example.other"
            let id = identity.registrationID
            let table: [(SDKFrame, Int)] = [
                (.register(malformed), 1008), (.register(foreign), 1005), (.register(otherBundle), 1009),
                (.login(appKey: "short", registrationID: id, secret: identity.secret), 1008),
                (.login(appKey: unknown, registrationID: id, secret: identity.secret), 1005),
                (.login(appKey: key, registrationID: id, secret: "wrong"), 6016),
                (.login(appKey: key, registrationID: "0123456789abcdef", secret: identity.secret), 6016),
                (.login(appKey: key, registrationID: "no/id", secret: identity.secret), 6016),
                (.loggedIn(), 6017), (.reply(number: 1, SDKReply(code: 0)), 6017),
            ]
            for (frame, expected) in table {
                let link = TestLink(to: service)
                link.say(frame)
                guard case .refused(let code, let message) = try await link.hear() else {
                    Issue.record("\(frame) was not refused.")
                    continue
                }
                #expect(code == expected, "\(frame)")
                #expect(!message.isEmpty)
                try await link.untilClosed()
            }
            let link = TestLink(to: service)
            link.say(text: "{\"type\":\"register\",}")
            guard case .refused(6017, let message) = try await link.hear() else {
                Issue.record("What is no frame is refused.")
                return
            }
            #expect(message.contains("line 1"))
        }
    }

    @Test("Before login a request gets 6016 and the link stays open")
    func notLoggedIn() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            #expect(try await link.ask(.getAllTags).code == 6016)
            #expect(!link.isClosed)
            _ = try await register(link, registration(service))
            #expect(try await link.ask(.getAllTags) == SDKReply(code: 0, tags: []))
        }
    }

    @Test("Tags are added, replaced, taken away and targeted")
    func tags() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            let identity = try await register(link, registration(service))
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            #expect(try await link.ask(.addTags(["b", "a"])) == SDKReply(code: 0, tags: ["b", "a"]))
            #expect(try await link.ask(.addTags(["b", "中"])).code == 0)
            #expect(try await link.ask(.getAllTags).tags == ["a", "b", "中"])
            #expect(try await link.ask(.deleteTags(["a", "none"])).code == 0)
            #expect(try await link.ask(.getAllTags).tags == ["b", "中"])
            #expect(try await link.ask(.setTags(["vip"])).code == 0)
            #expect(try await device(identity, service).tags == ["vip"])
            _ = try await service.push(pushBody(audience: "{\"tag\":[\"vip\"]}"))
            #expect(try await service.refusal(pushBody(audience: "{\"tag\":[\"b\"]}")).code == 1011)
            #expect(try await link.ask(.cleanTags).code == 0)
            #expect(try await link.ask(.getAllTags).tags == [])
            #expect(try await service.refusal(pushBody(audience: "{\"tag\":[\"vip\"]}")).code == 1011)
        }
    }

    @Test("Tags beyond the rules are refused with the SDK's codes and change nothing")
    func badTags() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            _ = try await register(link, registration(service))
            #expect(try await link.ask(.addTags(["keep"])).code == 0)
            #expect(try await link.ask(.addTags([String(repeating: "a", count: 41)])).code == 6006)
            #expect(try await link.ask(.setTags(["ok", "a b"])).code == 6005)
            #expect(try await link.ask(.setTags([""])).code == 6005)
            #expect(try await link.ask(.addTags((0..<999).map { "t\($0)" })).code == 0)
            #expect(try await link.ask(.addTags(["t0"])).code == 0)
            #expect(try await link.ask(.addTags(["one-more".replacing("-", with: "_")])).code == 6007)
            #expect(try await link.ask(.getAllTags).tags?.count == 1000)
        }
    }

    @Test("An alias belongs to ten devices at most, then 6027, until one lets go")
    func aliasLimit() async throws {
        try await TestService.run { service in
            var links: [TestLink] = []
            for number in 0..<11 {
                let link = TestLink(to: service)
                _ = try await register(link, registration(service, installation: "\(number)"))
                links.append(link)
            }
            for link in links.prefix(10) {
                #expect(try await link.ask(.setAlias("bob")) == SDKReply(code: 0, alias: "bob"))
            }
            #expect(try await links[10].ask(.setAlias("bob")).code == 6027)
            #expect(try await links[10].ask(.getAlias).alias == nil)
            #expect(try await links[0].ask(.setAlias("bob")).code == 0, "It has it already.")
            #expect(try await links[0].ask(.deleteAlias).code == 0)
            #expect(try await links[10].ask(.setAlias("bob")).code == 0)
            #expect(try await links[10].ask(.setAlias("Bob")).code == 0)
            #expect(try await links[10].ask(.getAlias).alias == "Bob")
            #expect(try await links[10].ask(.setAlias("")).code == 6003)
            #expect(try await links[10].ask(.setAlias("a b")).code == 6003)
            #expect(try await links[10].ask(.setAlias(String(repeating: "a", count: 41))).code == 6004)
        }
    }

    @Test("A badge that the SDK sets is what a push adds to")
    func badges() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            _ = try await register(link, registration(service))
            _ = try await link.ask(.token(DeviceToken(bytes: [1]), .production))
            #expect(try await link.ask(.badge(41)).code == 0)
            #expect(try await link.ask(.badge(-1)).code == 6017)
            #expect(try await link.ask(.badge(100_000)).code == 6017)
            _ = try await service.push(pushBody(ios: "\"alert\":\"a\",\"badge\":\"+1\""))
            try await service.waitForSent(1)
            #expect(try badge(in: try #require(service.sender.sent.elements.first).push) == 42)
        }
    }

    @Test("A token that appears on another device leaves the first")
    func tokenMoves() async throws {
        try await TestService.run { service in
            let one = TestLink(to: service)
            let other = TestLink(to: service)
            let first = try await register(one, registration(service))
            let second = try await register(other, registration(service, installation: "other"))
            let token = DeviceToken(bytes: [UInt8](repeating: 3, count: 32))
            #expect(try await one.ask(.token(token, .production)).code == 0)
            #expect(try await other.ask(.token(token, .production)).code == 0)
            #expect(try await device(first, service).token == nil)
            #expect(try await device(second, service).token == token)
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.count == 1, "The phone is told once.")
        }
    }

    @Test("Requests are answered in their order, each once")
    func order() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            let identity = try await register(link, registration(service))
            for number in 100..<150 { link.say(.request(number: Int64(number), .badge(number))) }
            for number: Int64 in 100..<150 {
                #expect(try await link.hear() == .reply(number: number, SDKReply(code: 0)))
            }
            #expect(try await device(identity, service).badge == 149)
        }
    }

    @Test("A link on which nobody logs in is closed after a time; a request is no login, and a login in time is enough")
    func strangers() async throws {
        try await TestService.run { service in
            let silent = TestLink(to: service)
            let asking = TestLink(to: service)
            let member = TestLink(to: service)
            await service.clock.advance(by: .seconds(29))
            let answer = try await asking.ask(.getAlias)
            #expect(answer.code == 6016)
            _ = try await register(member, registration(service))
            #expect(!silent.isClosed && !asking.isClosed)
            // The wait begins a moment after the link, and a turn of it a moment after the one before.
            func wait(for link: TestLink) async throws {
                try await eventually("the link is closed") {
                    await service.clock.advance(by: .seconds(1))
                    return link.isClosed
                }
            }
            try await wait(for: silent)
            try await wait(for: asking)
            try await wait(for: TestLink(to: service))
            let reply = try await member.ask(.getAlias)
            #expect(reply.code == 0)
            #expect(!member.isClosed)
        }
    }

    @Test("A link that sends more than it lets be answered is closed")
    func flood() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            // Written once, so that whoever reads them is slower on any machine.
            let text = SDKFrame.request(number: 1, .getAlias).text
            for _ in 0..<1_000_000 where !link.isClosed { link.say(text: text) }
            try await link.untilClosed()
        }
    }

    @Test("Many links at the same time do not mix")
    func manyLinks() async throws {
        try await TestService.run { service in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let link = TestLink(to: service)
                        let identity = try await register(link, registration(service, installation: "i\(number)"))
                        #expect(try await link.ask(.setAlias("alias\(number)")).code == 0)
                        #expect(try await link.ask(.getAlias).alias == "alias\(number)")
                        link.hangUp()
                        return identity.registrationID
                    }
                }
                let ids = try await group.reduce(into: Set<String>()) { $0.insert($1) }
                #expect(ids.count == 50)
            }
        }
    }
}
