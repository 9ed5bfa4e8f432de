import Foundation
import PushClock
import PushModel
import Testing

@testable import DeviceLink

/// The same numbers every time.
struct Counting: RandomNumberGenerator {
    var word: UInt64 = 0
    mutating func next() -> UInt64 {
        word &+= 0x9E37_79B9_7F4A_7C15
        return word
    }
}

@Suite("Courier link, the device's end")
struct ClientCourierTests {
    private static let token = DeviceToken(bytes: [1, 2])
    private var client = CourierClient(device: "d", key: "k")
    private var random = Counting()

    private func push(_ id: String) -> CourierPush {
        CourierPush(
            apnsID: id,
            topic: "app",
            environment: .development,
            pushType: .alert,
            priority: 10,
            collapseID: nil,
            payload: []
        )
    }

    private func event(_ kind: JourneyEvent.Kind) -> JourneyEvent {
        JourneyEvent(date: Date(timeIntervalSince1970: 0), station: .device, kind: kind)
    }

    @Test("Says hello, then registers its topics")
    mutating func greets() {
        #expect(client.register(topic: "app", environment: .development) == [])
        #expect(client.start() == [.open])
        #expect(client.start() == [])
        #expect(
            client.opened() == [
                .send(.hello(device: "d", key: "k")), .connected,
                .send(.register(topic: "app", environment: .development)),
            ]
        )
        #expect(client.isConnected)
        let frame = CourierFrame.registered(topic: "app", environment: .development, token: Self.token)
        #expect(client.received(frame) == [.token(topic: "app", environment: .development, Self.token)])
    }

    @Test("Says that the device sleeps, before its topics, and when that changes")
    mutating func sleeps() {
        _ = client.register(topic: "app", environment: .development)
        #expect(client.setAwake(true) == [])
        #expect(client.setAwake(false) == [])
        _ = client.start()
        #expect(
            client.opened() == [
                .send(.hello(device: "d", key: "k")), .connected, .send(.awake(false)),
                .send(.register(topic: "app", environment: .development)),
            ]
        )
        #expect(client.setAwake(false) == [])
        #expect(client.setAwake(true) == [.send(.awake(true))])
    }

    @Test("A token for a topic that is gone is dropped")
    mutating func lateToken() {
        _ = client.start()
        _ = client.opened()
        _ = client.register(topic: "app", environment: .production)
        #expect(
            client.unregister(topic: "app", environment: .production) == [
                .send(.unregister(topic: "app", environment: .production))
            ]
        )
        #expect(client.received(.registered(topic: "app", environment: .production, token: Self.token)) == [])
    }

    @Test("Acknowledges each push, delivers it once")
    mutating func duplicates() {
        _ = client.start()
        _ = client.opened()
        #expect(client.received(.push(push("a"))) == [.send(.ack(apnsID: "a")), .deliver(push("a"))])
        #expect(client.received(.push(push("a"))) == [.send(.ack(apnsID: "a"))])
    }

    @Test("Remembers the last thousand pushes")
    mutating func bounded() {
        _ = client.start()
        _ = client.opened()
        for number in 0...CourierClient.memory { _ = client.received(.push(push("\(number)"))) }
        #expect(client.received(.push(push("1"))).count == 1)
        #expect(client.received(.push(push("0"))).count == 2)
    }

    @Test("Numbers events, and sends again what was not acknowledged")
    mutating func events() {
        let first = CourierEvent(number: 1, apnsID: "a", event: event(.opened))
        let second = CourierEvent(number: 2, apnsID: "a", event: event(.dismissed))
        #expect(client.report(first.event, of: "a") == [])
        _ = client.start()
        #expect(client.opened().last == .send(.events([first])))
        #expect(client.report(second.event, of: "a") == [.send(.events([second]))])
        #expect(client.received(.eventsAck(through: 1)) == [])
        _ = client.closed("lost", using: &random)
        _ = client.waited()
        #expect(client.opened().last == .send(.events([second])))
    }

    @Test(
        "Numbers on from where it is told, so that a gateway that knows the device hears it after it was switched on again"
    )
    func numbersOn() {
        var server = CourierServer()
        var recorded: [Int64] = []
        for firstNumber: Int64 in [1, 1_767_254_400_000_000] {
            var client = CourierClient(device: "d", key: "k", firstNumber: firstNumber)
            _ = client.start()
            _ = client.opened()
            let link = server.opened()
            _ = server.welcome("d", on: link)
            guard case .send(let frame) = client.report(event(.opened), of: "a").last else { continue }
            for case .record(let event, _) in server.received(frame.text, on: link) { recorded.append(event.number) }
        }
        #expect(recorded == [1, 1_767_254_400_000_000])
    }

    @Test("Sends what waits in frames of a hundred")
    mutating func batches() {
        for _ in 0..<250 { _ = client.report(event(.opened), of: "a") }
        _ = client.start()
        let sizes = client.opened().compactMap { action in
            if case .send(.events(let events)) = action { events.count } else { nil }
        }
        #expect(sizes == [100, 100, 50])
    }

    @Test("Waits longer each time, up to a minute, and short again after a word from the gateway")
    mutating func backoff() {
        _ = client.start()
        for longest in [1, 2, 4, 8, 16, 32, 60, 60] {
            guard case .wait(let delay) = client.closed("refused", using: &random).last else {
                Issue.record("The client does not wait.")
                return
            }
            #expect(delay <= .seconds(longest) && delay >= .seconds(longest) / 2)
            #expect(client.waited() == [.open])
        }
        _ = client.opened()
        _ = client.received(.eventsAck(through: 0))
        guard case .wait(let delay) = client.closed("lost", using: &random).last else {
            Issue.record("The client does not wait.")
            return
        }
        #expect(delay <= .seconds(1))
    }

    @Test("A link that opens and ends at once counts as a failure")
    mutating func flapping() {
        _ = client.start()
        var last = Duration.zero
        for _ in 0..<5 {
            _ = client.opened()
            if case .wait(let delay) = client.closed("lost", using: &random).last { last = delay }
            _ = client.waited()
        }
        #expect(last >= .seconds(8))
    }

    @Test("Stops in each state, and says so only if it was connected")
    mutating func stops() {
        #expect(client.stop() == [])
        _ = client.start()
        #expect(client.stop() == [.close])
        _ = client.start()
        _ = client.opened()
        #expect(client.stop() == [.close, .disconnected("the device closed the link")])
        #expect(client.closed("late", using: &random) == [])
        #expect(client.waited() == [])
        #expect(client.opened() == [])
        #expect(client.received(.push(push("a"))) == [])
    }

    @Test("Tells why the gateway has refused it, and waits longer each time")
    mutating func refusal() {
        _ = client.start()
        for longest in [1, 2, 4] {
            _ = client.opened()
            #expect(client.received(.refused(message: "another key")) == [])
            let actions = client.closed("code 1000", using: &random)
            #expect(actions.first == .disconnected("another key"))
            guard case .wait(let delay) = actions.last else {
                Issue.record("The client does not wait.")
                return
            }
            #expect(delay >= .seconds(longest) / 2)
            _ = client.waited()
        }
        _ = client.opened()
        #expect(client.closed("lost", using: &random).first == .disconnected("lost"))
    }

    @Test("Keys are 32 random bytes")
    func keys() {
        var random = SystemRandomNumberGenerator()
        let keys = (0..<10).map { _ in CourierClient.makeKey(using: &random) }
        #expect(Set(keys).count == 10)
        #expect(keys.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
    }

    @Test("Passes over what a gateway does not say")
    mutating func strange() {
        _ = client.start()
        _ = client.opened()
        #expect(client.received(.hello(device: "x", key: "k")) == [])
        #expect(client.received(.ack(apnsID: "a")) == [])
    }

    // MARK: - Channels

    private static func channel(_ id: String) -> CourierChannel {
        CourierChannel(topic: "app", environment: .development, id: id)
    }

    private func subscribe(_ id: String) -> CourierClient.Action {
        .send(.subscribe(topic: "app", environment: .development, channel: id))
    }

    private func unsubscribe(_ id: String) -> CourierClient.Action {
        .send(.unsubscribe(topic: "app", environment: .development, channel: id))
    }

    @Test("Subscribes to exactly the wanted channels: at once, after each connection, and without ended ones")
    mutating func channels() {
        #expect(client.setChannels([Self.channel("b"), Self.channel("a")]) == [])
        _ = client.start()
        #expect(client.opened().suffix(2) == [subscribe("a"), subscribe("b")])
        #expect(client.setChannels([Self.channel("b"), Self.channel("c")]) == [unsubscribe("a"), subscribe("c")])
        _ = client.closed("lost", using: &random)
        #expect(client.setChannels([Self.channel("a")]) == [])
        #expect(client.setChannels([Self.channel("a"), Self.channel("b")]) == [])
        _ = client.waited()
        #expect(client.opened().suffix(3) == [unsubscribe("c"), subscribe("a"), subscribe("b")])
        _ = client.closed("lost", using: &random)
        _ = client.waited()
        #expect(client.opened().suffix(2) == [subscribe("a"), subscribe("b")])
    }

    @Test("Ends a subscription that an earlier process of the device has left, and delivers its message")
    mutating func strayChannel() {
        _ = client.start()
        _ = client.opened()
        var message = push("1")
        message.channel = "a"
        let actions = client.received(.push(message))
        #expect(actions == [.send(.ack(apnsID: "1")), unsubscribe("a"), .deliver(message)])
        _ = client.setChannels([Self.channel("a")])
        message.apnsID = "2"
        #expect(client.received(.push(message)) == [.send(.ack(apnsID: "2")), .deliver(message)])
        #expect(client.received(.push(message)) == [.send(.ack(apnsID: "2"))])
    }

    @Test("A channel that does not exist is told once, and is not asked for again")
    mutating func endedChannel() {
        _ = client.setChannels([Self.channel("a")])
        _ = client.start()
        _ = client.opened()
        let gone = CourierFrame.unsubscribe(topic: "app", environment: .development, channel: "a")
        #expect(client.received(gone) == [.channelEnded(Self.channel("a"))])
        #expect(client.received(gone) == [])
        _ = client.closed("lost", using: &random)
        _ = client.waited()
        #expect(client.opened().count == 2)
    }
}
