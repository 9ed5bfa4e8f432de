import PosthornClient
import Testing

@testable import JPush

@Suite("The limits of JPush's calls")
struct CallGatesTests {
    private func enter(
        _ gates: inout CallGates,
        _ operation: DeviceOperation,
        call: Int64 = 0,
        at now: Double,
        isPushOff: Bool = false
    ) -> Int? {
        gates.enter(call, operation.limits, isPushOff: isPushOff, at: now)
    }

    @Test("One call about tags and one about the alias at a time, until the answer or for 20 seconds")
    func gates() {
        var gates = CallGates()
        #expect(enter(&gates, .setTags(["a"]), call: 1, at: 0) == nil)
        #expect(enter(&gates, .getTags, call: 2, at: 0) == 6021)
        #expect(enter(&gates, .setAlias("a"), call: 3, at: 0) == nil)
        #expect(enter(&gates, .getAlias, call: 4, at: 0) == 6022)
        #expect(enter(&gates, .setPush(true), call: 5, at: 0) == nil)
        gates.leave(3)
        #expect(enter(&gates, .getAlias, call: 6, at: 1) == nil)
        #expect(enter(&gates, .cleanTags, call: 7, at: 19.9) == 6021)
        #expect(enter(&gates, .cleanTags, call: 8, at: 20) == nil)
        gates.leave(1)
        #expect(
            enter(&gates, .getTags, call: 9, at: 21) == 6021,
            "The answer to the first opens no gate for the second."
        )
        #expect(enter(&gates, .getTags, call: 10, at: 0) == nil, "The clock was set back.")
    }

    @Test("Ten calls about names and three about the mobile number in ten seconds")
    func rates() {
        var gates = CallGates()
        for number in 0..<10 {
            #expect(enter(&gates, number % 2 == 0 ? .getTags : .getAlias, at: Double(number) / 10) == nil)
            gates.leave(0)
        }
        #expect(enter(&gates, .getTags, at: 9.9) == 6011)
        let admitsLabels = gates.admits(.labels, at: 9.9)
        #expect(!admitsLabels)
        #expect(enter(&gates, .getTags, at: 10) == nil)
        for _ in 0..<3 { #expect(enter(&gates, .setMobile("1"), at: 5) == nil) }
        #expect(enter(&gates, .setMobile("1"), at: 5) == 6011)
        #expect(enter(&gates, .setBadge(1), at: 5) == nil)
        #expect(enter(&gates, .setMobile("1"), at: 4) == nil, "The clock was set back.")
    }

    @Test("While push is off only the switch and topics are sent")
    func pushOff() {
        var gates = CallGates()
        #expect(enter(&gates, .setTags(["a"]), at: 0, isPushOff: true) == 6012)
        #expect(enter(&gates, .setAttributes([:]), at: 0, isPushOff: true) == 6012)
        for operation in [DeviceOperation.setPush(true), .getPush, .getTopics, .declineTopics([])] {
            #expect(enter(&gates, operation, at: 0, isPushOff: true) == nil)
        }
    }
}
