import DeviceLink
import PushModel
import Testing

@testable import PushService

@Suite("Outbox of custom messages")
struct MessageOutboxTests {
    private func message(_ position: Int64) -> PreparedMessage {
        let id = MessageID(position + 100)
        return PreparedMessage(id, CustomMessage(content: "\(position)"), position: position, logged: id)
    }

    private func pack(_ positions: Int64...) -> MessagePack? { MessagePack(positions.map(message)) }

    /// What the steps that are to be taken say, `hang up` among it.
    private func said(_ outbox: inout MessageOutbox) -> [String] {
        switch outbox.next() {
        case .send(let batches): batches.flatMap(\.texts)
        case .hangUp: ["hang up"]
        case nil: []
        }
    }

    private func texts(_ positions: Int64...) -> [String] {
        positions.map { String(decoding: message($0).utf8, as: UTF8.self) }
    }

    @Test("What comes while it is looked up what waits leaves behind that, each once")
    func opening() throws {
        var outbox = MessageOutbox()
        let early = outbox.add(try #require(pack(1)))
        #expect(!early, "Nobody takes messages yet.")
        outbox.await()
        let meanwhile = outbox.add(try #require(pack(4, 5)))
        #expect(!meanwhile)
        let opened = outbox.open(with: pack(2, 4), after: 4)
        #expect(opened)
        let said = [said(&outbox), said(&outbox)]
        #expect(said == [texts(2, 4, 5), []])
        let again = outbox.open(with: pack(6), after: 6)
        #expect(!again, "It is open.")
    }

    @Test("Who adds while another sends leaves it to that one")
    func oneSends() throws {
        var outbox = MessageOutbox()
        outbox.await()
        let opened = outbox.open(with: pack(1), after: 1)
        #expect(opened)
        let first = said(&outbox)
        let added = outbox.add(try #require(pack(2)))
        let rest = [said(&outbox), said(&outbox)]
        #expect((first, added) == (texts(1), false))
        #expect(rest == [texts(2), []])
        let older = outbox.add(try #require(pack(2)))
        let third = outbox.add(try #require(pack(1, 2, 3)))
        #expect((older, third) == (false, true), "What has left does not leave again.")
        let last = said(&outbox)
        #expect(last == texts(3))
    }

    @Test("An acknowledgement settles what was sent up to there, and nothing else")
    func acknowledging() {
        var outbox = MessageOutbox()
        outbox.await()
        _ = outbox.open(with: pack(2, 5, 9), after: 9)
        let none = outbox.acknowledge(1)
        #expect(none == nil)
        let first = outbox.acknowledge(7)
        #expect(first?.through == 5)
        #expect(first?.messages == [MessageID(102), MessageID(105)])
        let same = outbox.acknowledge(7)
        #expect(same == nil)
        let second = outbox.acknowledge(.max)
        #expect(second?.through == 9, "It has had no more.")
        #expect(second?.messages == [MessageID(109)])
        let over = outbox.acknowledge(.max)
        #expect(over == nil)
    }

    @Test("Beyond its capacity the link is given up")
    func full() throws {
        var outbox = MessageOutbox()
        outbox.await()
        _ = outbox.open(with: nil, after: 0)
        let all = outbox.add(try #require(MessagePack((1...1000).map { message(Int64($0)) })))
        #expect(all)
        _ = [said(&outbox), said(&outbox)]
        _ = outbox.acknowledge(1)
        let fits = outbox.add(try #require(pack(1001)))
        let said1001 = [said(&outbox), said(&outbox)]
        #expect(fits)
        #expect(said1001 == [texts(1001), []])
        let tooMany = outbox.add(try #require(pack(1002)))
        let end = said(&outbox)
        #expect(tooMany)
        #expect(end == ["hang up"])
        let late = outbox.add(try #require(pack(1003)))
        #expect(!late)
    }

    @Test(
        "A batch holds its frames as RFC 6455 has them, short, medium and long",
        arguments: [0, 125, 126, 65_535, 65_536]
    )
    func frames(_ count: Int) {
        let text = String(repeating: "x", count: count)
        let header: [UInt8] =
            switch count {
            case ..<126: [0x81, UInt8(count)]
            case ..<65_536: [0x81, 126, UInt8(count / 256), UInt8(count % 256)]
            default: [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]
            }
        let batch = LinkBatch([text, "é"])
        #expect(batch.webSocketFrames == header + Array(text.utf8) + [0x81, 2, 0xC3, 0xA9])
        #expect(batch.texts == [text, "é"])
    }
}
