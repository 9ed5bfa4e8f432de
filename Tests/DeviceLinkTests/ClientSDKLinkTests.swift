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
        let (number, actions) = client.request(.setAlias("tom"), expires: true)
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
    }

    @Test("A request goes again after a lost link, and is answered once")
    mutating func repeats() {
        var client = ready()
        let (number, _) = client.request(.badge(1), expires: false)
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
        let (number, actions) = client.request(.getAlias, expires: true)
        #expect(actions == [.watch(number: number, .seconds(20)), .send(.request(number: number, .getAlias))])
        #expect(client.expired(number) == [.answer(number: number, SDKReply(code: 6002))])
        #expect(client.expired(number) == [])
        #expect(client.received(.reply(number: number, SDKReply(code: 0))) == [])
    }

    @Test("A refusal answers all that waits, and ends it", arguments: [1005, 1008, 1009])
    mutating func refused(_ code: Int) {
        var client = client()
        let (number, _) = client.request(.cleanTags, expires: true)
        _ = client.start()
        _ = client.opened()
        #expect(
            client.received(.refused(code: code, message: "no")) == [
                .refused(code: code, message: "no"), .close,
                .answer(number: number, SDKReply(code: code, message: "no")),
            ]
        )
        #expect(client.closed("closed", using: &random) == [])
        let (later, actions) = client.request(.cleanTags, expires: true)
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
}
