import DeviceLink
import Foundation
import PushModel
import Testing

@Suite("The gateway's end of the courier link")
struct ServerCourierTests {
    private let app = CourierServer.DeviceApp(device: "phone", topic: "com.example.app", environment: .development)
    private static func text(_ character: Character, _ count: Int) -> String {
        String(repeating: character, count: count)
    }

    private let key = String(repeating: "0f", count: 32)
    private let token = DeviceToken(bytes: [1, 2, 3, 4])

    private func push(_ id: String) -> CourierPush {
        CourierPush(
            apnsID: id,
            topic: app.topic,
            environment: app.environment,
            pushType: .alert,
            priority: 10,
            collapseID: nil,
            payload: Array("{}".utf8)
        )
    }

    /// A server with the app registered on a link.
    private func connected() -> (CourierServer, CourierServer.LinkID) {
        var server = CourierServer()
        let link = server.opened()
        let prove = CourierServer.Action.prove(device: app.device, key: key, link)
        #expect(server.received(CourierFrame.hello(device: app.device, key: key).text, on: link) == [prove])
        #expect(server.welcome(app.device, on: link) == [])
        let register = CourierFrame.register(topic: app.topic, environment: app.environment)
        #expect(server.received(register.text, on: link) == [.register(app)])
        _ = server.registered(app, token: token)
        return (server, link)
    }

    @Test("Answers a registration with the token, on the device's link")
    func registers() {
        var server = CourierServer()
        let link = server.opened()
        _ = server.welcome(app.device, on: link)
        #expect(!server.canReach(app))
        let answer = CourierFrame.registered(topic: app.topic, environment: app.environment, token: token)
        #expect(server.registered(app, token: token) == [.send(answer, link)])
        #expect(server.canReach(app))
    }

    @Test("Hands over pushes in their order; each is acknowledged once")
    func delivers() {
        var (server, link) = connected()
        #expect(server.deliver(push("a"), to: app) == [.send(.push(push("a")), link)])
        #expect(server.deliver(push("b"), to: app) == [.send(.push(push("b")), link)])
        let ack = CourierFrame.ack(apnsID: "b").text
        #expect(server.received(ack, on: link) == [.acknowledged(app, apnsID: "b")])
        // Perhaps one of a channel message: the owner knows.
        #expect(server.received(ack, on: link) == [.heard(apnsID: "b", by: app.device)])
    }

    @Test("An app is lost with its link, and nothing is delivered to it then")
    func loses() {
        var (server, link) = connected()
        #expect(server.closed(link) == [.lost(app)])
        #expect(server.closed(link) == [])
        #expect(!server.canReach(app))
        #expect(server.deliver(push("a"), to: app) == [])
    }

    @Test("A second hello of a device replaces its older link")
    func replaces() {
        var (server, old) = connected()
        let new = server.opened()
        let actions = server.welcome(app.device, on: new)
        #expect(actions == [.close(old), .lost(app)])
        _ = server.registered(app, token: token)
        #expect(server.deliver(push("a"), to: app) == [.send(.push(push("a")), new)])
        #expect(server.closed(old) == [])
        #expect(server.canReach(app))
    }

    @Test("Events are told once each, and what is known is acknowledged again")
    func events() {
        var (server, link) = connected()
        let seen = JourneyEvent(date: Date(timeIntervalSince1970: 0), station: .device, kind: .opened)
        let first = CourierEvent(number: 1, apnsID: "a", event: seen)
        let second = CourierEvent(number: 2, apnsID: "b", event: seen)
        #expect(
            server.received(CourierFrame.events([first]).text, on: link)
                == [.record(first, by: app.device), .send(.eventsAck(through: 1), link)]
        )
        _ = server.closed(link)
        let again = server.opened()
        _ = server.welcome(app.device, on: again)
        #expect(
            server.received(CourierFrame.events([first, second]).text, on: again)
                == [.record(second, by: app.device), .send(.eventsAck(through: 2), again)]
        )
    }

    @Test(
        "A link that talks nonsense, or talks before hello, is closed",
        arguments: [
            "", "[]", #"{"type":"push"}"#, CourierFrame.ack(apnsID: "a").text, CourierFrame.eventsAck(through: 1).text,
        ]
    )
    func refuses(_ text: String) {
        var server = CourierServer()
        let link = server.opened()
        #expect(server.received(text, on: link) == [.close(link)])
        #expect(server.received(CourierFrame.hello(device: app.device, key: key).text, on: link) == [])
    }

    @Test("A device tells of what it has seen itself, in words of a sensible length; the rest is passed over")
    func ownEvents() {
        var (server, link) = connected()
        func event(_ number: Int64, _ station: JourneyEvent.Station, _ kind: JourneyEvent.Kind) -> CourierEvent {
            let event = JourneyEvent(date: Date(timeIntervalSince1970: 0), station: station, kind: kind)
            return CourierEvent(number: number, apnsID: "a", event: event)
        }
        let fits = String(repeating: "x", count: 1024)
        let long = String(repeating: "x", count: 1025)
        let events = [
            event(1, .gateway, .delivered), event(2, .service, .sent), event(3, .device, .crashed(long)),
            event(4, .device, .callback(name: long, state: .active)), event(5, .device, .acted(fits)),
        ]
        #expect(
            server.received(CourierFrame.events(events).text, on: link)
                == [.record(events[4], by: app.device), .send(.eventsAck(through: 5), link)]
        )
    }

    @Test(
        "Words that are too long are refused, with a sentence that says which",
        arguments: [
            (CourierFrame.hello(device: text("d", 129), key: text("0", 64)), "device"),
            (.hello(device: "", key: text("0", 64)), "device"), (.hello(device: "d", key: text("0", 63)), "key"),
            (.hello(device: "d", key: text("G", 64)), "key"),
            (.register(topic: text("t", 256), environment: .development), "topic"),
            (.unregister(topic: "", environment: .development), "topic"),
            (.subscribe(topic: "t", environment: .development, channel: text("c", 129)), "channel"),
        ]
    )
    func limits(_ frame: CourierFrame, _ word: String) {
        var (server, link) = connected()
        let actions = server.received(frame.text, on: link)
        guard case .send(.refused(let message), link) = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(message.contains(word))
        #expect(actions.dropFirst() == [.close(link), .lost(app)])
    }

    @Test("A device has so many apps and no more")
    func apps() {
        var (server, link) = connected()
        for number in 1..<1000 {
            let more = CourierServer.DeviceApp(device: app.device, topic: "t\(number)", environment: .production)
            _ = server.registered(more, token: token)
        }
        let again = CourierFrame.register(topic: app.topic, environment: app.environment)
        #expect(server.received(again.text, on: link) == [.register(app)])
        let last = CourierFrame.register(topic: "one more", environment: .production)
        guard case .send(.refused, link) = server.received(last.text, on: link).first else {
            Issue.record("It is taken.")
            return
        }
    }

    @Test("A device that sleeps says so for all its apps, once, and no longer than its link lasts")
    func sleeps() {
        var (server, link) = connected()
        #expect(server.isAwake(app.device))
        #expect(server.received(CourierFrame.awake(false).text, on: link) == [.awake(app, false)])
        #expect(server.received(CourierFrame.awake(false).text, on: link) == [])
        #expect(!server.isAwake(app.device))
        #expect(server.apps(of: app.device) == [app])
        let new = server.opened()
        _ = server.welcome(app.device, on: new)
        #expect(server.isAwake(app.device))
        #expect(server.apps(of: app.device) == [])
    }

    @Test("A removed app is unregistered and cannot be reached")
    func unregisters() {
        var (server, link) = connected()
        let frame = CourierFrame.unregister(topic: app.topic, environment: app.environment)
        #expect(server.received(frame.text, on: link) == [.lost(app), .unregister(app)])
        #expect(!server.canReach(app))
    }
}
