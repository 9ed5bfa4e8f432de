import Foundation
import PushService
import Testing

@Suite("The date of the store")
struct StoreDateTests {
    private let start = Date(timeIntervalSince1970: 1_767_254_400)

    @Test("A wrong clock is corrected, and the date then follows elapsed time")
    func correction() {
        var date = StoreDate(start.addingTimeInterval(3600), at: .zero)
        let correction = date.correct(by: start, requestedAt: .seconds(10), answeredAt: .seconds(10))
        #expect(correction == -3610)
        #expect(date.date(at: .seconds(15)) == start.addingTimeInterval(5))
    }

    @Test("The answer counts for the middle of the time that it took")
    func middle() {
        var date = StoreDate(start.addingTimeInterval(3600), at: .zero)
        date.correct(by: start, requestedAt: .seconds(10), answeredAt: .seconds(12))
        #expect(date.date(at: .seconds(12)) == start.addingTimeInterval(1))
    }

    @Test("A difference that the way of the answer explains corrects nothing", arguments: [0, 0.4, -0.4, 2.4])
    func slack(difference: TimeInterval) {
        var date = StoreDate(start, at: .zero)
        let took = Duration.seconds(abs(difference) > 1 ? 4 : 0)
        let answer = start.addingTimeInterval(difference + 10 - took / .seconds(2))
        let correction = date.correct(by: answer, requestedAt: .seconds(10) - took, answeredAt: .seconds(10))
        #expect(correction == 0)
        #expect(date.date(at: .seconds(10)) == start.addingTimeInterval(10))
    }
}
