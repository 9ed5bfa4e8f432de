import Foundation
import PushClock
import Testing

@Suite("Repeating interval")
struct RepeatingIntervalTests {
    @Test("An hourly repeat fires every hour from the moment it was added")
    func hourlyRepeat() throws {
        let hourly = try RepeatingInterval(seconds: 3_600, repeats: true)
        #expect(hourly.next(after: .zero) == .seconds(3_600))
        #expect(hourly.next(after: .seconds(3_599)) == .seconds(3_600))
        #expect(hourly.next(after: .seconds(3_600)) == .seconds(7_200))
        let added = try date("2026-01-01T08:10:00Z")
        #expect(hourly.next(after: added.addingTimeInterval(9_000), added: added) == (try date("2026-01-01T11:10:00Z")))
    }

    @Test("Without repeats it fires once")
    func once() throws {
        let interval = try RepeatingInterval(seconds: 5)
        #expect(interval.next(after: .zero) == .seconds(5))
        #expect(interval.next(after: .seconds(5)) == nil)
    }

    @Test("Firings do not drift")
    func drift() throws {
        let interval = try RepeatingInterval(seconds: 60.1, repeats: true)
        var elapsed = Duration.zero
        for _ in 0..<10_000 { elapsed = try #require(interval.next(after: elapsed)) }
        #expect(elapsed == .seconds(60.1) * 10_000)
    }

    @Test("The interval is greater than 0", arguments: [0, -1, -Double.infinity, .nan])
    func positive(_ seconds: Double) {
        #expect(throws: RepeatingInterval.Problem.notPositive) { try RepeatingInterval(seconds: seconds) }
    }

    @Test("A repeating interval has at least 60 seconds, 60 included")
    func repeating() throws {
        #expect(throws: RepeatingInterval.Problem.tooShortToRepeat) {
            try RepeatingInterval(seconds: 59.9, repeats: true)
        }
        #expect(try RepeatingInterval(seconds: 60, repeats: true).next(after: .zero) == .seconds(60))
    }

    @Test("A time without end is long", arguments: [Double.infinity, 1e300])
    func endless(_ seconds: Double) throws {
        let next = try #require(RepeatingInterval(seconds: seconds, repeats: true).next(after: .zero))
        #expect(next > .seconds(3_000 * 31_000_000))
    }
}
