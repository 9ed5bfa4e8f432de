import Foundation
import Testing

@testable import PosthornClient

@Suite("The client's engine and its ports")
struct ClientEngineTests {
    private let stage = EngineStage()

    @Test("Nothing is sent before the state is stored, however long that takes")
    func storesFirst() throws {
        stage.setSlow(true)
        let client = try stage.client()
        client.start()
        while stage.sent.isEmpty, !stage.values.isEmpty { stage.finishWrite() }
        #expect(stage.sent == ["POST registrations"])
        stage.answer(EngineStage.registered)
        let code = Guarded(-1)
        client.perform(.setBadge(1)) { result in code.with { $0 = (try? result.get()) == nil ? 1 : 0 } }
        #expect(stage.sent.count == 1)
        #expect(client.currentRegistration?.id == "id")
        for _ in 0..<4 { stage.finishWrite() }
        stage.setSlow(false)
        stage.answer("{}")
        #expect(stage.sent.contains("POST badge"))
        #expect(code.with { $0 } == 0)
    }

    @Test("A timer that is not needed any more is cancelled")
    func cancels() throws {
        let client = try stage.client()
        client.start()
        let answers = Guarded<[String]>([])
        client.perform(.setBadge(1)) { _ in answers.with { $0.append("badge") } }
        client.flush(within: 7) { isSent in answers.with { $0.append("flush 1 \(isSent)") } }
        client.flush(within: 8) { isSent in answers.with { $0.append("flush 2 \(isSent)") } }
        #expect(stage.delays == [7000, 8000, 20_000])
        stage.answer("", status: 503)
        #expect(answers.with { $0 } == ["flush 1 false", "flush 2 false"], "In the order of the calls.")
        #expect(stage.delays.count == 2)
        #expect((500...1000).contains(stage.delays[0]))
        client.flush(within: 9) { isSent in answers.with { $0.append("flush 3 \(isSent)") } }
        #expect(stage.delays == [9000, 20_000], "The wait has ended.")
        stage.answer(EngineStage.registered)
        stage.answer("{}")
        #expect(answers.with { $0 }.suffix(2) == ["badge", "flush 3 true"])
        #expect(stage.delays == [])
    }

    @Test("A caller whose time is over is told, and its call stays")
    func patience() throws {
        let client = try stage.client()
        client.start()
        let code = Guarded(0)
        client.perform(.setBadge(1)) { result in
            if case .failure(let error) = result { code.with { $0 = error.code } }
        }
        stage.ring(20_000)
        #expect(code.with { $0 } == 6002)
        stage.answer(EngineStage.registered)
        #expect(stage.sent.last == "POST badge")
    }

    @Test("A call from within a handler follows the effects that were to come before it")
    func reenters() throws {
        let client = try stage.client()
        let order = Guarded<[String]>([])
        client.onIdentity { _, _ in
            client.perform(.setAlias("a")) { _ in order.with { $0.append("alias") } }
            order.with { $0.append("identity") }
        }
        client.start()
        stage.answer(EngineStage.registered)
        #expect(order.with { $0 } == ["identity"])
        #expect(stage.sent == ["POST registrations", "POST alias"])
        stage.answer("{}")
        #expect(order.with { $0 } == ["identity", "alias"])
    }

    @Test("The token of a name that the service does not take fails at once", arguments: ["", "a\u{0}"])
    func names(_ name: String) throws {
        let client = try stage.client()
        client.start()
        stage.answer(EngineStage.registered)
        let codes = Guarded<[Int]>([])
        for set in [client.setActivityToken, client.setActivityStartToken] {
            set(Data([1]), name) { result in
                if case .failure(let error) = result { codes.with { $0.append(error.code) } }
            }
        }
        #expect(codes.with { $0 } == [6017, 6017])
        #expect(stage.sent == ["POST registrations"])
    }

    @Test("A store that cannot be read is tried again, and nothing is lost or sent until then")
    func locked() throws {
        stage.setLocked(true)
        let client = try stage.client()
        client.start()
        client.perform(.setBadge(1), completion: nil)
        #expect(stage.sent == [] && stage.values.isEmpty)
        #expect(stage.delays == [5000])
        stage.ring(5000)
        #expect(stage.sent == [])
        stage.setLocked(false)
        stage.ring(5000)
        #expect(stage.sent == ["POST registrations"])
    }

    @Test("The stored identity is there from the first moment")
    func identity() throws {
        do {
            let client = try stage.client()
            client.start()
            stage.answer(EngineStage.registered)
        }
        #expect(try stage.client().currentRegistration?.id == "id")
    }

    // MARK: Custom messages

    private static func messages(_ positions: ClosedRange<Int>) -> String {
        let all = positions.map { #"{"msg_id":"\#($0)","position":\#($0),"content":"m\#($0)"}"# }
        return #"{"messages":[\#(all.joined(separator: ","))],"position":\#(positions.upperBound)}"#
    }

    private func registered() throws -> PosthornClient {
        let client = try stage.client()
        client.start()
        stage.answer(EngineStage.registered)
        return client
    }

    @Test("Without a reader nothing is fetched; a reader gets what waits, and the next fetch acknowledges it")
    func handler() throws {
        let client = try registered()
        client.fetchMessages()
        #expect(stage.sent == ["POST registrations"])
        let heard = Guarded<[String]>([])
        client.onMessage { message in heard.with { $0.append(message.content) } }
        #expect(stage.sent.last == "GET messages")
        stage.answer(Self.messages(1...2))
        #expect(heard.with { $0 } == ["m1", "m2"])
        #expect(stage.sent.last == "GET messages?after=2")
    }

    @Test("A sequence takes a message when the app asks for the next; after its end the rest stays with the service")
    func sequence() async throws {
        let client = try registered()
        do {
            var messages = client.messages().makeAsyncIterator()
            #expect(stage.sent.last == "GET messages")
            stage.answer(Self.messages(1...3))
            #expect(stage.values["position"] == nil, "None is taken yet.")
            #expect(await messages.next()?.content == "m1")
            #expect(await messages.next()?.content == "m2")
            #expect(stage.values["position"] == Data(#"{"registrationID":"id","position":2}"#.utf8))
        }
        #expect(stage.sent.last == "GET messages", "The third is not acknowledged.")
        let heard = Guarded<[String]>([])
        client.onMessage { message in heard.with { $0.append(message.content) } }
        #expect(stage.sent.last == "GET messages?after=2")
        stage.answer(Self.messages(3...3))
        #expect(heard.with { $0 } == ["m3"])
    }

    @Test("Messages that arrive after their reader has ended stay with the service")
    func readerEndsMeanwhile() async throws {
        let client = try registered()
        do {
            let messages = client.messages()
            withExtendedLifetime(messages) {}
        }
        #expect(stage.sent.last == "GET messages")
        stage.answer(Self.messages(1...3))
        #expect(stage.values["position"] == nil)
    }

    @Test("A cancelled reader ends its sequence, and a new one ends the one before")
    func readersEnd() async throws {
        let client = try registered()
        let first = client.messages()
        let reading = Task { await first.first { _ in true } }
        let second = client.messages()
        #expect(await reading.value == nil)
        let cancelled = Task { await second.first { _ in true } }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
    }

    @Test("An app that takes messages in turns of its own loses none that waits for the turn")
    func turns() throws {
        let client = try registered()
        let turns = Guarded<[@Sendable () -> Void]>([])
        let heard = Guarded<[String]>([])
        client.onMessage(turn: { _, take in turns.with { $0.append(take) } }) { message in
            heard.with { $0.append(message.content) }
        }
        stage.answer(Self.messages(1...2))
        #expect(turns.with { $0.count } == 1)
        #expect(heard.with { $0 }.isEmpty && stage.values["position"] == nil)
        turns.with { $0.removeFirst() }()
        #expect(heard.with { $0 } == ["m1"])
        turns.with { $0.removeFirst() }()
        #expect(heard.with { $0 } == ["m1", "m2"])
        #expect(turns.with { $0.isEmpty })
        #expect(stage.sent.last == "GET messages?after=2")
    }

    @Test("Nothing rings for a client that is gone")
    func ends() throws {
        do {
            let client = try stage.client()
            client.start()
            stage.answer("", status: 503)
            #expect(stage.delays.count == 1)
        }
        #expect(stage.delays == [])
    }
}
