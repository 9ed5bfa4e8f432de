import Foundation
import Testing

@testable import PushService

@Suite("Whether the machine's clock is believed")
struct ClockJumpDetectorTests {
    private static let start = Date(timeIntervalSince1970: 1_767_254_400)
    private static let hour: TimeInterval = 3600
    private static let day = 24 * hour

    /// The clock at so many seconds after the start, set by so many.
    private static func look(
        _ judge: inout ClockJumpDetector,
        after seconds: TimeInterval,
        set: TimeInterval = 0
    ) -> ClockJumpDetector.Finding? {
        judge.look(start.addingTimeInterval(seconds + set), at: .seconds(seconds))
    }

    private static func believable(
        _ judge: ClockJumpDetector,
        after seconds: TimeInterval,
        set: TimeInterval = 0
    ) -> Date {
        judge.believable(start.addingTimeInterval(seconds + set), at: .seconds(seconds))
    }

    @Test("A clock that goes is believed, and so is one that is put right by less than an hour")
    func goes() {
        var judge = ClockJumpDetector(trusted: nil, date: Self.start)
        #expect(Self.look(&judge, after: 60) == nil)
        #expect(Self.look(&judge, after: 120, set: 3000) == nil)
        #expect(Self.look(&judge, after: 400 * Self.day, set: 3000) == nil)
        #expect(Self.believable(judge, after: 400 * Self.day, set: 3000) == Self.start + (400 * Self.day + 3000))
    }

    @Test("A year ahead is not believed, at once and for seven days; then it is")
    func ahead() {
        var judge = ClockJumpDetector(trusted: nil, date: Self.start)
        _ = Self.look(&judge, after: 60)
        let year = 365 * Self.day
        #expect(Self.believable(judge, after: 90, set: year) == Self.start + 90, "Before anybody has looked.")
        #expect(Self.look(&judge, after: 120, set: year) == .ahead(year))
        #expect(Self.look(&judge, after: 180, set: year) == nil, "It is said once.")
        #expect(Self.look(&judge, after: 7 * Self.day, set: year) == nil)
        #expect(Self.believable(judge, after: 7 * Self.day, set: year) == Self.start + 7 * Self.day)
        #expect(Self.look(&judge, after: 7 * Self.day + 120, set: year) == .believed)
        #expect(Self.believable(judge, after: 8 * Self.day, set: year) == Self.start + (8 * Self.day + year))
    }

    @Test("A second jump begins the seven days anew, and one back to the right time ends them")
    func jumps() {
        var judge = ClockJumpDetector(trusted: nil, date: Self.start)
        #expect(Self.look(&judge, after: 60, set: Self.day) == .ahead(Self.day))
        #expect(Self.look(&judge, after: 6 * Self.day, set: 2 * Self.day) == .ahead(2 * Self.day))
        #expect(Self.look(&judge, after: 12 * Self.day, set: 2 * Self.day) == nil)
        // Back by two days is a jump back as well: what was due by the later clock would wait.
        #expect(Self.look(&judge, after: 12 * Self.day + 60) == .back(2 * Self.day))
        #expect(Self.look(&judge, after: 12 * Self.day + 120) == nil)
        #expect(Self.believable(judge, after: 13 * Self.day) == Self.start + 13 * Self.day)
    }

    @Test("A day back is told with its length, once, and nothing ends earlier for it")
    func back() {
        var judge = ClockJumpDetector(trusted: nil, date: Self.start)
        _ = Self.look(&judge, after: 60)
        #expect(Self.look(&judge, after: 120, set: -Self.day) == .back(Self.day))
        #expect(Self.look(&judge, after: 180, set: -Self.day) == nil)
        #expect(Self.believable(judge, after: 180, set: -Self.day) == Self.start + 180 - Self.day)
        // Set right again, it is where the time that has passed says it should be.
        #expect(Self.look(&judge, after: 240) == nil)
        #expect(Self.believable(judge, after: 240) == Self.start + 240)
    }

    @Test("After less than seven days down the clock is believed; after a longer time it waits for a person")
    func down() {
        var judge = ClockJumpDetector(trusted: Self.start - 6 * Self.day, date: Self.start)
        #expect(Self.look(&judge, after: 0) == nil)
        #expect(Self.believable(judge, after: 0) == Self.start)
        judge = ClockJumpDetector(trusted: Self.start - 8 * Self.day, date: Self.start)
        #expect(Self.look(&judge, after: 0) == .ahead(8 * Self.day))
        #expect(Self.believable(judge, after: 60) == Self.start - 8 * Self.day + 60)
    }

    @Test("A machine that starts with a clock from long ago, and is set right by a time server, is believed at once")
    func startsLongAgo() {
        let years = 20 * 365 * Self.day
        var judge = ClockJumpDetector(trusted: Self.start - Self.hour, date: Self.start - years)
        #expect(Self.look(&judge, after: 0, set: -years) == .back(years - Self.hour))
        #expect(Self.look(&judge, after: 60) == nil)
        #expect(Self.believable(judge, after: 60) == Self.start + 60)
    }
}
