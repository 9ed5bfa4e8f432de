import Foundation
import PushAPI
import Testing

@Suite("Rate window")
struct RateWindowTests {
    @Test("Lets that many calls through in 60 seconds from the first, and says what is left")
    func window() {
        var window = RateWindow(limit: 2)
        let start = Date(timeIntervalSince1970: 1000)
        let states = [0, 10, 20.5, 59.9, 60, 61].map { window.take(at: start.addingTimeInterval($0)) }
        #expect(states.map(\.isAllowed) == [true, true, false, false, true, true])
        #expect(states.map(\.remaining) == [1, 0, 0, 0, 1, 0])
        #expect(states.map(\.reset) == [60, 50, 40, 1, 60, 59])
        #expect(states.allSatisfy { $0.limit == 2 })
    }
}
