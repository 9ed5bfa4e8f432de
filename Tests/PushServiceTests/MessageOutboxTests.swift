import PushModel
import Testing

@testable import PushService

@Suite("Outbox of custom messages")
struct MessageOutboxTests {
    private func message(_ position: Int64) -> PreparedMessage {
        PreparedMessage(
            CustomMessageRecord(position: position, message: MessageID(position + 100), app: 1, body: []),
            CustomMessage(content: "\(position)")
        )
    }

    private func texts(_ positions: [Int64]) -> MessageOutbox.Step { .send(positions.map { message($0).text }) }

    @Test("What comes while it is looked up what waits leaves behind that, each once")
    func opening() {
        var outbox = MessageOutbox()
        let answer1 = outbox.add([message(1)])
        #expect(!answer1, "Nobody takes messages yet.")
        outbox.await()
        let answer2 = outbox.add([message(4), message(5)])
        #expect(!answer2)
        let answer3 = outbox.open(with: [message(2), message(4)], after: 4)
        #expect(answer3)
        let answer4 = outbox.next()
        #expect(answer4 == texts([2, 4, 5]))
        let answer5 = outbox.next()
        #expect(answer5 == nil)
        let answer6 = outbox.open(with: [message(6)], after: 6)
        #expect(!answer6, "It is open.")
    }

    @Test("Who adds while another sends leaves it to that one")
    func oneSends() {
        var outbox = MessageOutbox()
        outbox.await()
        let answer7 = outbox.open(with: [message(1)], after: 1)
        #expect(answer7)
        let answer8 = outbox.next()
        #expect(answer8 == texts([1]))
        let answer9 = outbox.add([message(2)])
        #expect(!answer9)
        let answer10 = outbox.next()
        #expect(answer10 == texts([2]))
        let answer11 = outbox.next()
        #expect(answer11 == nil)
        let answer12 = outbox.add([message(3), message(3), message(2)])
        #expect(answer12)
        let answer13 = outbox.next()
        #expect(answer13 == texts([3]))
    }

    @Test("An acknowledgement settles what was sent up to there, and nothing else")
    func acknowledging() {
        var outbox = MessageOutbox()
        outbox.await()
        _ = outbox.open(with: [message(2), message(5), message(9)], after: 9)
        let answer14 = outbox.acknowledge(1)
        #expect(answer14 == nil)
        let first = outbox.acknowledge(7)
        #expect(first?.through == 5)
        #expect(first?.messages == [MessageID(102), MessageID(105)])
        let second = outbox.acknowledge(.max)
        #expect(second?.through == 9, "It has had no more.")
        let answer15 = outbox.acknowledge(.max)
        #expect(answer15 == nil)
    }

    @Test("Beyond its capacity the link is given up")
    func full() {
        var outbox = MessageOutbox()
        outbox.await()
        _ = outbox.open(with: [], after: 0)
        let answer16 = outbox.add((1...1000).map { message(Int64($0)) })
        #expect(answer16)
        _ = outbox.next()
        let answer17 = outbox.next()
        #expect(answer17 == nil)
        _ = outbox.acknowledge(1)
        let answer18 = outbox.add([message(1001)])
        #expect(answer18)
        let answer19 = outbox.next()
        #expect(answer19 == texts([1001]))
        let answer20 = outbox.next()
        #expect(answer20 == nil)
        let answer21 = outbox.add([message(1002)])
        #expect(answer21)
        let answer22 = outbox.next()
        #expect(answer22 == .hangUp)
        let answer23 = outbox.add([message(1003)])
        #expect(!answer23)
    }
}
