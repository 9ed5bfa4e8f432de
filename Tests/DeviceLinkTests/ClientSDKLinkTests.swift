import PushModel
import Testing

@testable import DeviceLink

@Suite("SDK link, the app's end")
struct ClientSDKLinkTests {
    private static let registration = SDKRegistration(
        appKey: "key",
        bundleID: "app",
        channel: nil,
        environment: .development,
        system: "iOS 17.0",
        installation: "i"
    )
    private static let identity = SDKLinkClient.Identity(registrationID: "r", secret: "s", userID: 7)
    private static let login = SDKFrame.login(appKey: "key", registrationID: "r", secret: "s")
    private static let token = DeviceToken(bytes: [1])
    private var random = Counting()

    private func client(_ identity: SDKLinkClient.Identity? = nil) -> SDKLinkClient {
        SDKLinkClient(registration: Self.registration, identity: identity)
    }

    private func ready() -> SDKLinkClient {
        var client = client(Self.identity)
        _ = client.start()
        _ = client.opened()
        _ = client.received(.loggedIn)
        return client
    }

    @Test("Registers, keeps its identity, logs in on the next link")
    mutating func registers() {
        var client = client()
        #expect(client.start() == [.open])
        #expect(client.opened() == [.connected, .send(.register(Self.registration))])
        let answer = SDKFrame.registered(registrationID: "r", secret: "s", userID: 7)
        #expect(client.received(answer) == [.registered(Self.identity)])
        #expect(client.received(.loggedIn) == [.loggedIn(Self.identity)])
        _ = client.closed("lost", using: &random)
        _ = client.waited()
        #expect(client.opened() == [.connected, .send(Self.login)])
    }

    @Test("Sends the token first after each login, before the requests that wait")
    mutating func token() {
        var client = client(Self.identity)
        #expect(client.setToken(Self.token, environment: .development) == [])
        let (number, actions) = client.request(.setAlias("tom"), deadline: .fromNow)
        #expect(actions == [.watch(number: number, .seconds(20))])
        _ = client.start()
        _ = client.opened()
        #expect(
            client.received(.loggedIn) == [
                .loggedIn(Self.identity), .send(.request(number: 2, .token(Self.token, .development))),
                .send(.request(number: 1, .setAlias("tom"))),
            ]
        )
        #expect(client.setToken(Self.token, environment: .development) == [])
        // Until the service has answered, there is something to say.
        _ = client.received(.reply(number: 1, SDKReply(code: 0)))
        #expect(client.hasRequests)
        _ = client.received(.reply(number: 2, SDKReply(code: 0)))
        #expect(!client.hasRequests)
    }

    @Test("A request goes again after a lost link, and is answered once")
    mutating func repeats() {
        var client = ready()
        let (number, _) = client.request(.badge(1), deadline: .never)
        _ = client.closed("lost", using: &random)
        _ = client.waited()
        _ = client.opened()
        #expect(client.received(.loggedIn).last == .send(.request(number: number, .badge(1))))
        let reply = SDKFrame.reply(number: number, SDKReply(code: 0))
        #expect(client.received(reply) == [.answer(number: number, SDKReply(code: 0))])
        #expect(client.received(reply) == [])
    }

    @Test("Gives up after its patience with code 6002")
    func expires() {
        var client = ready()
        let (number, actions) = client.request(.getAlias, deadline: .fromNow)
        #expect(actions == [.watch(number: number, .seconds(20)), .send(.request(number: number, .getAlias))])
        #expect(
            client.expired(number) == [
                .answer(number: number, SDKReply(code: 6002, message: "the service did not answer in time"))
            ]
        )
        #expect(client.expired(number) == [])
        #expect(client.received(.reply(number: number, SDKReply(code: 0))) == [])
    }

    /// The requests among actions, by their numbers.
    private func sent(_ actions: [SDKLinkClient.Action]) -> [Int64] {
        actions.compactMap { if case .send(.request(let number, _)) = $0 { number } else { nil } }
    }

    private func ok(_ number: Int64, _ code: Int = 0) -> SDKFrame { .reply(number: number, SDKReply(code: code)) }

    @Test(
        "However many requests wait, the link carries few at a time, and each goes, in order, again after a lost link"
    )
    mutating func window() throws {
        var client = client(Self.identity)
        for badge in 0..<600 { _ = client.request(.badge(badge), deadline: .never) }
        _ = client.start()
        _ = client.opened()
        var underWay = sent(client.received(.loggedIn))
        // A service closes a link on which 256 frames wait, acknowledgements among them.
        #expect(underWay.count == 64)
        for _ in 0..<100 { underWay += sent(client.received(ok(underWay.removeFirst()))) }
        #expect(underWay == Array(101...164))
        _ = client.closed("lost", using: &random)
        _ = client.waited()
        _ = client.opened()
        underWay = sent(client.received(.loggedIn))
        #expect(underWay == Array(101...164))
        var answered = 100
        while let number = underWay.first {
            let actions = client.received(ok(number))
            #expect(actions.first == .answer(number: number, SDKReply(code: 0)))
            answered += 1
            underWay = underWay.dropFirst() + sent(actions)
            #expect(underWay.count <= 64)
        }
        #expect(answered == 600)
        #expect(!client.hasRequests)
    }

    @Test("Requests that have time and come too often wait, in their order, until they may come again")
    func paced() {
        var client = ready()
        var numbers: [Int64] = []
        var first: [Int64] = []
        for tag in 0..<14 {
            let (number, actions) = client.request(.addTags(["\(tag)"]), deadline: tag < 12 ? .never : .onceSent)
            numbers.append(number)
            first += sent(actions)
        }
        #expect(first == Array(numbers[..<10]), "The service takes ten.")
        // Another kind is not held up.
        #expect(sent(client.request(.badge(1), deadline: .never).actions).count == 1)
        // It had eight more than it took: the ninth is too many, and the tenth goes behind it.
        for number in numbers[..<8] { _ = client.received(ok(number)) }
        let pause = client.received(ok(numbers[8], 6011))
        #expect(pause == [.pause(numbers: [numbers[12], numbers[13]], .seconds(10))])
        for number in numbers[9...] { #expect(client.received(ok(number)).isEmpty, "It goes again.") }
        let (live, actions) = client.request(.getAllTags, deadline: .fromNow)
        #expect(sent(actions).isEmpty, "Nothing passes what waits.")
        let again = client.resumed()
        #expect(sent(again) == Array(numbers[8...]) + [live])
        #expect(again.contains(.watch(number: numbers[13], .seconds(20))))
        for number in numbers[8...] {
            #expect(client.received(ok(number)).first == .answer(number: number, SDKReply(code: 0)))
        }
        // Who waits is told at once.
        #expect(client.received(ok(live, 6011)) == [.answer(number: live, SDKReply(code: 6011))])
    }

    @Test("A refusal answers all that waits, and ends it", arguments: [1005, 1008, 1009])
    mutating func refused(_ code: Int) {
        var client = client()
        let (number, _) = client.request(.cleanTags, deadline: .fromNow)
        _ = client.start()
        _ = client.opened()
        #expect(
            client.received(.refused(code: code, message: "no")) == [
                .refused(code: code, message: "no"), .close,
                .answer(number: number, SDKReply(code: code, message: "no")),
            ]
        )
        #expect(client.closed("closed", using: &random) == [])
        let (later, actions) = client.request(.cleanTags, deadline: .fromNow)
        #expect(actions == [.answer(number: later, SDKReply(code: code))])
    }

    @Test("An identity that is not known is forgotten, and the next link registers anew")
    mutating func forgotten() {
        var client = client(Self.identity)
        _ = client.start()
        #expect(client.opened().last == .send(Self.login))
        #expect(client.received(.refused(code: 6016, message: "who?")) == [.forget, .close])
        #expect(client.identity == nil)
        _ = client.closed("closed", using: &random)
        _ = client.waited()
        #expect(client.opened().last == .send(.register(Self.registration)))
    }

    @Test("A service that knows nobody is refused at last, not asked for ever")
    func forgottenTwice() {
        var client = client()
        _ = client.start()
        _ = client.opened()
        #expect(client.received(.refused(code: 6016, message: "who?")).first == .refused(code: 6016, message: "who?"))
    }

    @Test("Passes over what comes at the wrong time")
    mutating func strange() {
        var client = client(Self.identity)
        #expect(client.received(.loggedIn) == [])
        #expect(client.opened() == [])
        #expect(client.waited() == [])
        #expect(client.closed("what?", using: &random) == [])
        #expect(client.stop() == [])
        var ready = ready()
        #expect(ready.received(.refused(code: 1005, message: "late")) == [])
        #expect(ready.stop() == [.close, .disconnected("the app closed the link")])
    }

    @Test("A request that waits for a login has its time from then on")
    func onceSent() {
        var client = client(Self.identity)
        let (number, actions) = client.request(.cleanTags, deadline: .onceSent)
        #expect(actions == [])
        _ = client.start()
        _ = client.opened()
        #expect(
            client.received(.loggedIn) == [
                .loggedIn(Self.identity), .watch(number: number, .seconds(20)),
                .send(.request(number: number, .cleanTags)),
            ]
        )
        #expect(client.hasRequests)
        _ = client.expired(number)
        #expect(!client.hasRequests)
    }

    @Test("A custom message is handed on once, acknowledged when it is kept, and told at the next login")
    mutating func messages() {
        var client = ready()
        let first = Self.message(4)
        let second = Self.message(9)
        #expect(client.received(.message(first)) == [.message(first)])
        #expect(client.received(.message(first)) == [])
        #expect(client.received(.message(second)) == [.message(second)])
        #expect(client.kept(4) == [.send(.acknowledge(position: 4)), .gather(.seconds(1))])
        #expect(client.received(.message(first)) == [.send(.acknowledge(position: 4))])
        _ = client.closed("lost", using: &random)
        #expect(client.kept(9) == [])
        _ = client.waited()
        #expect(
            client.opened().last == .send(.login(appKey: "key", registrationID: "r", secret: "s", position: 9))
        )
        _ = client.received(.loggedIn)
        #expect(client.received(.message(second)) == [.send(.acknowledge(position: 9))])
    }

    @Test("The first five of a burst are acknowledged at once, what follows together: every second, or every hundred")
    mutating func gathersAcknowledgements() {
        var client = ready()
        func keep(_ positions: ClosedRange<Int64>) -> [SDKLinkClient.Action] {
            positions.flatMap { position in
                _ = client.received(.message(Self.message(position)))
                return client.kept(position)
            }
        }
        func sent(_ positions: Int64...) -> [SDKLinkClient.Action] {
            positions.map { .send(.acknowledge(position: $0)) }
        }
        #expect(keep(1...1) == sent(1) + [.gather(.seconds(1))])
        #expect(keep(2...8) == sent(2, 3, 4, 5))
        #expect(client.gathered() == sent(8) + [.gather(.seconds(1))])
        #expect(keep(9...208) == sent(108, 208))
        #expect(client.gathered() == [])
        // After a second of silence each is acknowledged at once again.
        #expect(keep(209...210) == sent(209) + [.gather(.seconds(1))] + sent(210))

        // An end that comes by itself leaves what is left to the next login, one that the app wants does not.
        #expect(keep(211...220) == sent(211, 212, 213))
        _ = client.closed("lost", using: &random)
        #expect(client.gathered() == [])
        _ = client.waited()
        #expect(
            client.opened().last == .send(.login(appKey: "key", registrationID: "r", secret: "s", position: 220))
        )
        _ = client.received(.loggedIn)
        #expect(keep(221...226) == sent(221) + [.gather(.seconds(1))] + sent(222, 223, 224, 225))
        #expect(client.stop() == sent(226) + [.close, .disconnected("the app closed the link")])
        #expect(client.gathered() == [])
    }

    @Test("A position that the app kept counts from the start, and means nothing to a new identity")
    mutating func keptPosition() {
        var client = SDKLinkClient(registration: Self.registration, identity: Self.identity, position: 9)
        _ = client.start()
        #expect(
            client.opened().last == .send(.login(appKey: "key", registrationID: "r", secret: "s", position: 9))
        )
        _ = client.received(.refused(code: 6016, message: "who?"))
        #expect(client.kept(10) == [])
        _ = client.closed("closed", using: &random)
        _ = client.waited()
        _ = client.opened()
        _ = client.received(.registered(registrationID: "r", secret: "s", userID: 7))
        _ = client.received(.loggedIn)
        #expect(client.received(.message(Self.message(1))) == [.message(Self.message(1))])
    }

    @Test("A link that the app closed is opened again by a start, and a refusal is not")
    func restarts() {
        var client = ready()
        #expect(client.stop() == [.close, .disconnected("the app closed the link")])
        #expect(!client.isStarted)
        #expect(client.start() == [.open])
        _ = client.opened()
        _ = client.received(.refused(code: 1005, message: "no"))
        #expect(client.stop() == [])
        #expect(client.start() == [])
    }

    private static func message(_ position: Int64) -> SDKMessage {
        SDKMessage(position: position, messageID: position * 10, content: "text")
    }
}
