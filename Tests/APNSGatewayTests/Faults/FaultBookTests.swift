import APNSGateway
import Foundation
import PushModel
import Testing

/// The rules alone: no socket, no clock.
@Suite("Fault book")
struct FaultBookTests {
    private let start = Date(timeIntervalSince1970: 1_767_254_400)
    private let token = DeviceToken(bytes: Array(repeating: 7, count: 32))
    private let trouble = Fault.Kind.answer(FaultAnswer(.internalServerError))

    private func request(_ connection: Int = 1, _ environment: APNSEnvironment = .development) -> FaultRequest {
        FaultRequest(
            environment: environment,
            connection: connection,
            path: "/3/device/" + token.hexadecimal,
            topic: "com.example.app"
        )
    }

    private func delivery() -> FaultDelivery {
        FaultDelivery(environment: .development, topic: "com.example.app", token: token, apnsID: "a")
    }

    @Test("Nothing is decided where nothing is set")
    func empty() {
        var book = FaultBook()
        #expect(book.decide(request(), at: start) == FaultDecision())
        #expect(book.deliver(delivery(), at: start) == .copies(1))
        #expect(book.streamLimit(.development, connection: 1, at: start) == nil)
        #expect(book.nextMoment(after: start) == nil)
        #expect(book.log.isEmpty)
    }

    @Test("Lateness adds up, GOAWAYs follow each other, and of two endings the first one counts")
    func combines() {
        var book = FaultBook()
        let kinds: [Fault.Kind] = [
            .latency(1...1), .goAway(FaultGoAway(.shutdown)), .latency(2...2), .reset(code: 8, isTaken: true), trouble,
            .goAway(FaultGoAway(last: .all)), .stall(5), .stall(nil),
        ]
        for kind in kinds { _ = book.add(Fault(kind), seed: 1, at: start) }
        let decision = book.decide(request(), at: start)
        #expect(decision.delay == 3)
        #expect(decision.goAways == [FaultGoAway(.shutdown), FaultGoAway(last: .all)])
        #expect(decision.ending == .reset(code: 8, isTaken: true))
        #expect(decision.stall == FaultDecision.Stall(fault: 7, seconds: 5))
        #expect(book.log.map(\.fault) == [1, 2, 3, 4, 6, 7])
        #expect(book.faults.map(\.carriedOut) == [1, 1, 1, 1, 0, 1, 1, 0])
    }

    @Test("A fault with nothing left to do is forgotten, but for one for whose end requests wait")
    func spent() {
        var book = FaultBook()
        _ = book.add(Fault(trouble, next: 1), seed: 1, at: start)
        _ = book.add(Fault(.stall(nil), next: 1), seed: 1, at: start)
        #expect(book.decide(request(), at: start).stall?.fault == 2)
        #expect(book.faults.map(\.id) == [2])
        #expect(book.decide(request(), at: start) == FaultDecision())
        let lifted = book.lift { $0.id == 2 }
        #expect(lifted == 1)
    }

    @Test("Moments are those at which the clock alone changes something")
    func moments() {
        var book = FaultBook()
        _ = book.add(Fault(trouble, from: 5), seed: 1, at: start)
        _ = book.add(Fault(trouble, until: 30), seed: 1, at: start)
        _ = book.add(Fault(.streamLimit(3), from: 10, until: 20), seed: 1, at: start)
        _ = book.add(Fault(.streamLimit(1), from: 15), seed: 1, at: start)
        var moments: [TimeInterval] = []
        var now = start
        var limits: [Int?] = []
        while let next = book.nextMoment(after: now) {
            now = next
            moments.append(now.timeIntervalSince(start))
            limits.append(book.streamLimit(.production, connection: 9, at: now))
        }
        #expect(moments == [10, 15, 20, 30])
        #expect(limits == [3, 1, 1, 1])
    }

    @Test("A limit for one connection or environment is for no other")
    func limits() {
        var book = FaultBook()
        let ofOne = FaultConditions(environment: .production, connection: .number(2))
        _ = book.add(Fault(.streamLimit(4), where: ofOne), seed: 1, at: start)
        #expect(book.streamLimit(.production, connection: 2, at: start) == 4)
        #expect(book.streamLimit(.production, connection: 1, at: start) == nil)
        #expect(book.streamLimit(.development, connection: 2, at: start) == nil)
    }

    @Test("Chance comes from the seed, and as often as it says")
    func chance() {
        func story(_ seed: UInt64) -> [Bool] {
            var book = FaultBook()
            _ = book.run([Fault(trouble, chance: 0.25)], seed: seed, at: start)
            return (0..<2000).map { _ in book.decide(request(), at: start).ending != .judged }
        }
        let stories = [story(1), story(1), story(2)]
        #expect(stories[0] == stories[1])
        #expect(stories[0] != stories[2])
        for story in stories { #expect((400...600).contains(story.count { $0 })) }
    }

    @Test("What one fault of a script meets changes nothing for another")
    func independent() {
        // The second fault alone, with the first one lifted, draws the same.
        var book = FaultBook()
        let other = FaultConditions(connection: .number(2))
        _ = book.run([Fault(.latency(0...1)), Fault(.latency(5...9), where: other)], seed: 3, at: start)
        var alone = book
        _ = alone.lift { $0.id == 1 }
        for _ in 0..<5 { _ = book.decide(request(1), at: start) }
        let both = book.decide(request(2), at: start).delay
        let second = alone.decide(request(2), at: start).delay
        #expect((5...9).contains(second))
        #expect((second...second + 1).contains(both))
    }

    @Test("The log is bounded, and its numbers go on")
    func log() {
        var book = FaultBook()
        _ = book.add(Fault(trouble), seed: 1, at: start)
        for _ in 0..<FaultBook.logSize + 1 { _ = book.decide(request(), at: start) }
        #expect(book.log.count <= FaultBook.logSize)
        #expect(book.log.last?.number == FaultBook.logSize + 1)
        #expect(book.log.first.map { $0.number > 1 } == true)
    }
}
