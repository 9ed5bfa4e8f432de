import Foundation
import PushModel
import Testing

@testable import APNSGateway

/// The rules alone: no socket, no clock.
@Suite("Fault book")
struct ActiveFaultsTests {
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
        var faults = ActiveFaults()
        #expect(faults.decide(request(), at: start) == FaultDecision())
        #expect(faults.deliver(delivery(), at: start) == .copies(1))
        #expect(faults.streamLimit(.development, connection: 1, at: start) == nil)
        #expect(faults.nextMoment(after: start) == nil)
        #expect(faults.log.isEmpty)
    }

    @Test("Lateness adds up, GOAWAYs follow each other, and of two endings the first one counts")
    func combines() {
        var faults = ActiveFaults()
        let kinds: [Fault.Kind] = [
            .latency(1...1), .goAway(FaultGoAway(reason: .shutdown)), .latency(2...2), .reset(code: 8, isTaken: true),
            trouble,
            .goAway(FaultGoAway(last: .all)), .stall(5), .stall(nil),
        ]
        for kind in kinds { _ = faults.add(Fault(kind), seed: 1, at: start) }
        let decision = faults.decide(request(), at: start)
        #expect(decision.delay == 3)
        #expect(decision.goAways == [FaultGoAway(reason: .shutdown), FaultGoAway(last: .all)])
        #expect(decision.ending == .reset(code: 8, isTaken: true))
        #expect(decision.stall == FaultDecision.Stall(fault: 7, seconds: 5))
        #expect(faults.log.map(\.fault) == [1, 2, 3, 4, 6, 7])
        #expect(faults.faults.map(\.carriedOut) == [1, 1, 1, 1, 0, 1, 1, 0])
    }

    @Test("A fault with nothing left to do is forgotten, but for one for whose end requests wait")
    func spent() {
        var faults = ActiveFaults()
        _ = faults.add(Fault(trouble, next: 1), seed: 1, at: start)
        _ = faults.add(Fault(.stall(nil), next: 1), seed: 1, at: start)
        #expect(faults.decide(request(), at: start).stall?.fault == 2)
        #expect(faults.faults.map(\.id) == [2])
        #expect(faults.decide(request(), at: start) == FaultDecision())
        let lifted = faults.lift { $0.id == 2 }
        #expect(lifted == 1)
    }

    @Test("Moments are those at which the clock alone changes something")
    func moments() {
        var faults = ActiveFaults()
        _ = faults.add(Fault(trouble, from: 5), seed: 1, at: start)
        _ = faults.add(Fault(trouble, until: 30), seed: 1, at: start)
        _ = faults.add(Fault(.streamLimit(3), from: 10, until: 20), seed: 1, at: start)
        _ = faults.add(Fault(.streamLimit(1), from: 15), seed: 1, at: start)
        var moments: [TimeInterval] = []
        var now = start
        var limits: [Int?] = []
        while let next = faults.nextMoment(after: now) {
            now = next
            moments.append(now.timeIntervalSince(start))
            limits.append(faults.streamLimit(.production, connection: 9, at: now))
        }
        #expect(moments == [10, 15, 20, 30])
        #expect(limits == [3, 1, 1, 1])
    }

    @Test("A limit for one connection or environment is for no other")
    func limits() {
        var faults = ActiveFaults()
        let ofOne = FaultConditions(environment: .production, connection: .number(2))
        _ = faults.add(Fault(.streamLimit(4), where: ofOne), seed: 1, at: start)
        #expect(faults.streamLimit(.production, connection: 2, at: start) == 4)
        #expect(faults.streamLimit(.production, connection: 1, at: start) == nil)
        #expect(faults.streamLimit(.development, connection: 2, at: start) == nil)
    }

    @Test("Chance comes from the seed, and as often as it says")
    func chance() {
        func story(_ seed: UInt64) -> [Bool] {
            var faults = ActiveFaults()
            _ = faults.run([Fault(trouble, chance: 0.25)], seed: seed, at: start)
            return (0..<2000).map { _ in faults.decide(request(), at: start).ending != .judged }
        }
        let stories = [story(1), story(1), story(2)]
        #expect(stories[0] == stories[1])
        #expect(stories[0] != stories[2])
        for story in stories { #expect((400...600).contains(story.count { $0 })) }
    }

    @Test("One fault of a script does not count the requests that another fault meets")
    func independent() {
        // The second fault alone, with the first one lifted, draws the same.
        var faults = ActiveFaults()
        let other = FaultConditions(connection: .number(2))
        _ = faults.run([Fault(.latency(0...1)), Fault(.latency(5...9), where: other)], seed: 3, at: start)
        var alone = faults
        _ = alone.lift { $0.id == 1 }
        for _ in 0..<5 { _ = faults.decide(request(1), at: start) }
        let both = faults.decide(request(2), at: start).delay
        let second = alone.decide(request(2), at: start).delay
        #expect((5...9).contains(second))
        #expect((second...second + 1).contains(both))
    }

    @Test("The log is bounded, and its numbers go on")
    func log() {
        var faults = ActiveFaults()
        _ = faults.add(Fault(trouble), seed: 1, at: start)
        for _ in 0..<ActiveFaults.logSize + 1 { _ = faults.decide(request(), at: start) }
        #expect(faults.log.count <= ActiveFaults.logSize)
        #expect(faults.log.last?.number == ActiveFaults.logSize + 1)
        #expect(faults.log.first.map { $0.number > 1 } == true)
    }
}
