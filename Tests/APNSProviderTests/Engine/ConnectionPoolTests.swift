import PushModel
import Testing

@testable import APNSProvider

@Suite("Connection pool")
struct ConnectionPoolTests {
    private func pool(_ connections: ClosedRange<Int> = 1...4) -> ConnectionPool {
        var rules = ConnectionPool.Rules()
        rules.connections = connections
        rules.pause = { .seconds($0) }
        return ConnectionPool(rules)
    }

    @Test("Seats are filled when something is to be sent, and no connection is opened twice")
    func fills() {
        var pool = pool(2...2)
        #expect(pool.route { 0 } == nil)
        #expect(pool.fill() == [.open(1, pause: .zero), .open(2, pause: .zero)])
        #expect(pool.fill() == [])
        #expect(pool.stands(2) == true)
        #expect((0..<100).allSatisfy { hash in pool.route { hash } == 2 }, "until the other stands")
        #expect(pool.stands(1) == true)
        #expect(Set((0..<100).map { hash in pool.route { hash } }) == [1, 2])
    }

    @Test("A token keeps its connection, and nearly all do when there is one more")
    func sticky() {
        let before = (0..<10_000).map { ConnectionPool.jump(UInt64($0) &* 0x9E37_79B9_7F4A_7C15, among: 3) }
        let after = (0..<10_000).map { ConnectionPool.jump(UInt64($0) &* 0x9E37_79B9_7F4A_7C15, among: 4) }
        let moved = zip(before, after).count { $0 != $1 }
        #expect((2300...2700).contains(moved))
        #expect(zip(before, after).allSatisfy { $0 == $1 || $1 == 3 })
    }

    @Test("The first failure is mended at once, the next ones after pauses, an answer forgets them")
    func failures() {
        var pool = pool()
        #expect(pool.fill() == [.open(1, pause: .zero)])
        #expect(pool.failed(1, "refused", isWanted: true) == [.open(2, pause: .zero)])
        #expect(pool.failed(2, "refused", isWanted: true) == [.open(3, pause: .seconds(1))])
        #expect(pool.failed(3, "refused", isWanted: false) == [])
        #expect(pool.lastError == "refused")
        #expect(pool.fill() == [.open(4, pause: .seconds(2))])
        #expect(pool.stands(4) == true)
        // Ended without a single answer.
        #expect(pool.ended(4, "reset", isWanted: true) == [.open(5, pause: .seconds(3))])
        #expect(pool.stands(5) == true)
        _ = pool.answered(5, count: 1, sum: .zero, inFlight: 1, at: .zero)
        #expect(pool.ended(5, "GOAWAY", isWanted: true) == [.open(6, pause: .zero)])
    }

    @Test("A connection that is open is no trouble")
    func noTrouble() {
        var pool = pool()
        _ = pool.fill()
        #expect(pool.stands(1) == true)
        #expect(pool.lastTrouble.isEmpty)
        _ = pool.ended(1, "GOAWAY", isWanted: true)
        #expect(pool.lastTrouble == "GOAWAY")
    }

    @Test("One that ends before it is put to use is told to who opened it")
    func doomed() {
        var pool = pool()
        _ = pool.fill()
        #expect(pool.ended(1, "GOAWAY", isWanted: true) == [])
        #expect(pool.stands(1) == false)
        #expect(pool.failed(1, pool.lastError, isWanted: true) == [.open(2, pause: .zero)])
    }

    @Test("Left once, however many say so")
    func retired() {
        var pool = pool()
        _ = pool.fill()
        #expect(pool.stands(1) == true)
        let commands = pool.retire(1, because: "silence", isWanted: true)
        #expect(commands == [.leave(1, "silence"), .open(2, pause: .zero)])
        #expect(pool.retire(1, because: "silence", isWanted: true) == [])
        #expect(pool.ended(1, "closed", isWanted: true) == [])
    }

    @Test("Quick answers never open a second one; slow ones do, not all at once, and idleness closes it")
    func growth() {
        var pool = pool(1...3)
        _ = pool.fill()
        #expect(pool.stands(1) == true)
        var now = Duration.zero
        func second(_ pool: inout ConnectionPool, _ latency: Duration, _ inFlight: Int) -> [ConnectionPool.Command] {
            now += .seconds(1)
            return pool.answered(1, count: 10, sum: latency * 10, inFlight: inFlight, at: now)
        }
        for _ in 0..<100 { #expect(second(&pool, .milliseconds(60), 1000) == []) }
        for _ in 0..<2 { #expect(second(&pool, .milliseconds(600), 1000) == []) }
        #expect(second(&pool, .milliseconds(600), 1000) == [.open(2, pause: .zero)])
        #expect(pool.stands(2) == true)
        for _ in 0..<9 { #expect(second(&pool, .milliseconds(600), 1000) == []) }
        #expect(second(&pool, .milliseconds(600), 1000) == [.open(3, pause: .zero)])
        #expect(pool.stands(3) == true)
        for _ in 0..<20 { #expect(second(&pool, .milliseconds(600), 1000) == [], "three are allowed") }
        // Half of what made it grow is still much.
        for _ in 0..<100 { #expect(second(&pool, .milliseconds(60), 501) == []) }
        var left: [ConnectionPool.Command] = []
        for _ in 0..<200 { left += second(&pool, .milliseconds(60), 3) }
        #expect(left == [.leave(3, "little to send"), .leave(2, "little to send")])
        #expect(pool.seatCount == 1)
    }

    @Test("Silence closes what is more than the first")
    func quiet() {
        var pool = pool(1...2)
        _ = pool.fill()
        #expect(pool.stands(1) == true)
        #expect(pool.quiet(1) == [])
        var commands: [ConnectionPool.Command] = []
        for second in 1...10 {
            let latency = Duration.milliseconds(second < 3 ? 50 : 500)
            let now = Duration.seconds(second)
            commands += pool.answered(1, count: 1, sum: latency, inFlight: 9, at: now)
        }
        #expect(commands == [.open(2, pause: .zero)])
        #expect(pool.stands(2) == true)
        #expect(pool.quiet(1) == [])
        #expect(pool.quiet(2) == [.leave(2, "nothing to send")])
        #expect(pool.seatCount == 1)
    }

    @Test("Answers that have always been slow are taken for how it is")
    func far() {
        var pool = pool()
        _ = pool.fill()
        #expect(pool.stands(1) == true)
        for second in 1...100 {
            let now = Duration.seconds(second)
            #expect(pool.answered(1, count: 1, sum: .seconds(1), inFlight: 9, at: now) == [])
        }
    }
}

@Suite("Places and line of pushes")
struct PushSlotsTests {
    @Test("A place names each attempt anew, and knows none that is over")
    func names() {
        var slots = PushSlots<Int>(limit: 2)
        let index = slots.insert(Example.push(), ticket: 1, attempts: Attempts(deadline: .seconds(1)), waiter: 7)
        let first = slots.beginAttempt(index)
        slots[index].stage = .sent
        #expect(slots.index(of: first) == index)
        let second = slots.beginAttempt(index)
        #expect(slots.index(of: first) == nil)
        #expect(slots.index(of: second) == index)
        #expect(slots.remove(index) == 7)
        #expect(slots.remove(index) == nil)
        #expect(slots.index(of: second) == nil)
        #expect(slots.insert(Example.push(), ticket: 2, attempts: Attempts(deadline: .seconds(1)), waiter: 8) == index)
        #expect(slots.index(of: second) == nil)
        #expect(slots.index(ofTicket: 1) == nil)
        #expect(slots.index(ofTicket: 2) == index)
        #expect(slots.hasRoom)
        _ = slots.insert(Example.push(), ticket: 3, attempts: Attempts(deadline: .seconds(1)), waiter: 9)
        #expect(!slots.hasRoom)
    }

    @Test("The line keeps its order, whoever leaves it")
    func line() {
        var line = WaitingLine<Int>()
        for number in 0..<5000 { line.append(UInt64(number), number) }
        for number in stride(from: 0, to: 5000, by: 2) { #expect(line.remove(UInt64(number)) == number) }
        #expect(line.remove(0) == nil)
        let left = line.removeAll { $0 % 3 == 0 }
        #expect(left.count == 833)
        var seen: [Int] = []
        while let next = line.popFirst() { seen.append(next) }
        #expect(seen == (0..<5000).filter { $0 % 2 == 1 && $0 % 3 != 0 })
        #expect(line.isEmpty)
        line.append(9000, 1)
        #expect(line.popFirst() == 1)
    }
}

@Suite("The hosts of environments")
struct TokenHashTests {
    @Test("The same from bytes and from digits")
    func same() {
        for length in [1, 2, 31, 32, 64] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            let digits = Array(DeviceToken(bytes: bytes).hexadecimal.utf8)
            #expect(TokenHash.of(DeviceToken(bytes: bytes)) == TokenHash.of(digits: digits[...]))
        }
    }
}
