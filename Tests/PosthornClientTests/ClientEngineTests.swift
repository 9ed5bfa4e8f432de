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
        stage.answer(#"{"messages":[]}"#)
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
        stage.answer(#"{"messages":[]}"#)
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
        #expect(stage.sent == ["POST registrations", "GET messages"])
        stage.answer(#"{"messages":[]}"#)
        stage.answer("{}")
        #expect(order.with { $0 } == ["identity", "alias"])
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
