import DeviceLink
import PushModel
import Testing

@testable import PushService

@Suite("Outbox of custom messages")
struct MessageOutboxTests {
    private func message(_ position: Int64) -> EncodedMessage {
        let id = MessageID(position + 100)
        return EncodedMessage(id, CustomMessage(content: "\(position)"), position: position, logged: id)
    }

    private func pack(_ positions: Int64...) -> MessagePack? { MessagePack(positions.map(message)) }

    /// The messages that are sent next.
    private func said(_ outbox: inout MessageOutbox) -> [String] { (outbox.next() ?? []).flatMap(\.texts) }

    private func texts(_ positions: Int64...) -> [String] {
        positions.map { String(decoding: message($0).utf8, as: UTF8.self) }
    }

    @Test("Messages that come during the lookup of waiting ones follow those, each once")
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

    @Test("A sender that adds while another sends leaves the sending to that one")
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

    /// An open outbox from which 1 to 1000 have left.
    private func full() throws -> MessageOutbox {
        var outbox = MessageOutbox()
        outbox.await()
        _ = outbox.open(with: nil, after: 0)
        let all = outbox.add(try #require(MessagePack((1...1000).map { message(Int64($0)) })))
        #expect(all)
        _ = [said(&outbox), said(&outbox)]
        return outbox
    }

    @Test("A message without room stays behind, with all that follow, until half of those sent are acknowledged")
    func flow() throws {
        var outbox = try full()
        _ = outbox.acknowledge(1)
        let fits = outbox.add(try #require(pack(1001)))
        let said1001 = [said(&outbox), said(&outbox)]
        #expect(fits)
        #expect(said1001 == [texts(1001), []])
        let tooMany = outbox.add(try #require(pack(1002, 1003)))
        _ = outbox.acknowledge(2)
        let overtaking = outbox.add(try #require(pack(1004)))
        #expect(!tooMany && !overtaking)
        _ = outbox.acknowledge(500)
        let early = outbox.catchUp()
        #expect(early == nil)
        _ = outbox.acknowledge(501)
        let gap = outbox.catchUp()
        #expect(gap == MessageOutbox.Gap(position: 1001, room: 500))
        #expect(!outbox.canCatchUp, "Somebody looks already.")
        let meanwhile = outbox.add(try #require(pack(1004, 1005)))
        #expect(!meanwhile)
        let goesOn = outbox.open(with: pack(1002, 1003, 1004), after: 1004)
        let rest = [said(&outbox), said(&outbox)]
        #expect(goesOn)
        #expect(rest == [texts(1002, 1003, 1004, 1005), []])
        #expect(!outbox.canCatchUp, "It has caught up.")
    }

    @Test("New messages do not overtake those still in the store")
    func moreInTheStore() throws {
        var outbox = try full()
        _ = outbox.add(try #require(pack(1001)))
        _ = outbox.acknowledge(1000)
        _ = outbox.catchUp()
        _ = outbox.add(try #require(pack(3000)))
        let first = MessagePack((1001...1900).map { message(Int64($0)) })
        let goesOn = outbox.open(with: first, after: 1900, isAll: false)
        let sent = said(&outbox)
        #expect(goesOn && sent.count == 900)
        _ = outbox.acknowledge(1900)
        let gap = outbox.catchUp()
        #expect(gap == MessageOutbox.Gap(position: 1900, room: 1000))
    }

    @Test("Messages that come during the lookup are kept up to a limit; the rest is looked up later")
    func muchMeanwhile() throws {
        var outbox = MessageOutbox()
        outbox.await()
        for position: Int64 in 1...100 { _ = outbox.add(try #require(pack(position))) }
        _ = outbox.open(with: nil, after: 0)
        let sent = said(&outbox)
        let gap = outbox.catchUp()
        #expect(gap == MessageOutbox.Gap(position: Int64(sent.count), room: 1000 - sent.count))
        #expect((1..<100).contains(sent.count))
    }

    @Test("A link that takes no more messages, or begins anew, looks nothing up")
    func closing() throws {
        for end in [{ $0.close() }, { $0.await() }] as [(inout MessageOutbox) -> Void] {
            var outbox = try full()
            _ = outbox.add(try #require(pack(1001)))
            _ = outbox.acknowledge(1000)
            end(&outbox)
            #expect(!outbox.canCatchUp)
        }
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
