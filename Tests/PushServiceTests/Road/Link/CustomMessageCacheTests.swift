import PushModel
import Testing

@testable import PushService

@Suite("Mail that has just been written")
struct CustomMessageCacheTests {
    private func mail(_ position: Int64, letters: Int = 1) -> CustomMessageDelivery {
        let letter = CustomMessageDelivery.Direct(
            device: 1,
            message: MessageID(position),
            content: CustomMessage(content: "")
        )
        return CustomMessageDelivery(
            position: position,
            app: 1,
            logged: MessageID(position),
            content: .each(Array(repeating: letter, count: letters))
        )
    }

    /// The positions that are to be taken; empty for a look at the log, nil where there is nothing.
    private func positions(_ step: CustomMessageCache.Step) -> [Int64]? {
        switch step {
        case .handOut(let mail): mail.map(\.position)
        case .look: []
        case .wait: nil
        }
    }

    @Test("Pushes that follow those handed out are taken in one go")
    func following() {
        var fresh = CustomMessageCache()
        let none = positions(fresh.next(after: 4))
        fresh.add([mail(4), mail(5), mail(6)])
        fresh.add([mail(7)])
        let run = positions(fresh.next(after: 4))
        let end = positions(fresh.next(after: 7))
        #expect(none == nil)
        #expect(run == [5, 6, 7])
        #expect(end == nil)
    }

    @Test("A gap is read from the log; what was here before is known to have been in it")
    func gap() {
        var fresh = CustomMessageCache()
        fresh.add([mail(1), mail(3), mail(4)])
        let steps = [positions(fresh.next(after: 0)), positions(fresh.next(after: 1))]
        #expect(steps == [[1], []])
        #expect(fresh.newest == 4)
        let rest = positions(fresh.next(after: 2))
        #expect(rest == [3, 4])
        #expect(fresh.newest == nil)
    }

    @Test("A message to a million devices weighs what its list of them does")
    func large() {
        let audience = [OrdinalList(Array(0..<1_000_000))]
        let content = CustomMessageDelivery.Content.same(CustomMessage(content: ""), audience)
        var fresh = CustomMessageCache()
        fresh.add([CustomMessageDelivery(position: 1, app: 1, logged: MessageID(1), content: content)])
        let step = positions(fresh.next(after: 0))
        #expect(step == [])
    }

    @Test("Beyond what is kept, and for what was not told, the log is read once")
    func missed() {
        var fresh = CustomMessageCache()
        fresh.add((1...40).map { mail($0, letters: 500) })
        let all = positions(fresh.next(after: 0))
        #expect(all?.count == 40)
        fresh.add((41...81).map { mail($0, letters: 500) })
        let tooMany = [positions(fresh.next(after: 40)), positions(fresh.next(after: 40))]
        #expect(tooMany == [[], nil])
        fresh.add([mail(82)])
        fresh.miss()
        let untold = [positions(fresh.next(after: 81)), positions(fresh.next(after: 81))]
        #expect(untold == [[], nil])
    }
}
