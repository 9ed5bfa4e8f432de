import PushService
import Testing

private let device = DeviceID(app: 1, ordinal: 5)

@Suite("The newest link of a device, across nodes")
final class LinkPresenceTests {
    private var presence = LinkPresence<String>()

    private func open(_ link: String) { presence.open(link, of: device) }
    private func number(_ link: String, _ number: Int64) -> Bool { presence.number(link, of: device, as: number) }
    private func moved(_ number: Int64) -> String? { presence.moved(device, number: number) }
    private func close(_ link: String) -> Int64? { presence.close(link, of: device) }
    private func lose(_ number: Int64) -> String? { presence.lose(device, number: number) }

    @Test("A device that moves away takes its messages along")
    func moves() {
        open("first")
        #expect(number("first", 4))
        #expect(moved(5) == "first")
        #expect(presence.count == 0)
        #expect(close("first") == nil, "The store has the newer link.")
    }

    @Test("A report of an older link than the one here changes nothing")
    func comesBack() {
        open("second")
        #expect(number("second", 6))
        #expect(moved(5) == nil)
        #expect(close("second") == 6)
    }

    @Test("A report that comes before the number of the link here waits for it", arguments: [4, 6] as [Int64])
    func race(own: Int64) {
        open("first")
        #expect(moved(5) == nil)
        let isNewest = number("first", own)
        #expect(isNewest == (own > 5))
        #expect(close("first") == (isNewest ? own : nil))
    }

    @Test("The newer of two links at one node receives the messages, also if its number comes first")
    func twoHere() {
        open("first")
        open("second")
        #expect(number("second", 2))
        #expect(!number("first", 1))
        #expect(close("first") == nil)
        #expect(close("second") == 2)
    }

    @Test("A link that closes before its number is known leaves the number to its caller")
    func closesEarly() {
        open("first")
        #expect(close("first") == nil)
        #expect(!number("first", 1))
    }

    @Test("After the loss of a membership a link keeps its number, or is told that it is not the newest")
    func rejoins() {
        open("first")
        #expect(presence.numbers.isEmpty)
        #expect(number("first", 4))
        #expect(presence.numbers == [device: 4])
        #expect(lose(3) == nil, "That was an older link.")
        #expect(lose(4) == "first")
        #expect(close("first") == nil)
    }
}
