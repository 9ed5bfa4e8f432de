import PosthornClient
import Testing

@testable import JPushForApple

@Suite("The limits of JPush's calls")
struct CallGatesTests {
    /// The number of the call, or the code of its refusal.
    private func enter(
        _ gates: inout CallGates,
        _ operation: DeviceOperation,
        at now: Double,
        isPushOff: Bool = false
    ) -> Int {
        switch gates.enter(operation, isPushOff: isPushOff, at: now) {
        case .success(let call): call
        case .failure(let error): error.code
        }
    }

    @Test("One call about tags and one about the alias at a time, until the answer or for 20 seconds")
    func gates() {
        var gates = CallGates()
        let first = enter(&gates, .setTags(["a"]), at: 0)
        #expect(enter(&gates, .getTags, at: 0) == 6021)
        let alias = enter(&gates, .setAlias("a"), at: 0)
        #expect(enter(&gates, .getAlias, at: 0) == 6022)
        #expect(enter(&gates, .setPush(true), at: 0) < 100)
        gates.leave(alias)
        #expect(enter(&gates, .getAlias, at: 1) < 100)
        #expect(enter(&gates, .cleanTags, at: 19.9) == 6021)
        #expect(enter(&gates, .cleanTags, at: 20) < 100)
        gates.leave(first)
        #expect(enter(&gates, .getTags, at: 21) == 6021, "The answer to the first opens no gate for the second.")
    }

    @Test("Ten calls about names and three about the mobile number in ten seconds")
    func rates() {
        var gates = CallGates()
        for number in 0..<10 {
            let call = enter(&gates, number % 2 == 0 ? .getTags : .getAlias, at: Double(number) / 10)
            #expect(call < 100)
            gates.leave(call)
        }
        #expect(enter(&gates, .getTags, at: 9.9) == 6011)
        let admitsLabels = gates.admits(.labels, at: 9.9)
        #expect(!admitsLabels)
        #expect(enter(&gates, .getTags, at: 10) < 100)
        for _ in 0..<3 { #expect(enter(&gates, .setMobile("1"), at: 5) < 100) }
        #expect(enter(&gates, .setMobile("1"), at: 5) == 6011)
        #expect(enter(&gates, .setBadge(1), at: 5) < 100)
    }

    @Test("While push is off only the switch and topics are sent")
    func pushOff() {
        var gates = CallGates()
        #expect(enter(&gates, .setTags(["a"]), at: 0, isPushOff: true) == 6012)
        #expect(enter(&gates, .setAttributes([:]), at: 0, isPushOff: true) == 6012)
        for operation in [DeviceOperation.setPush(true), .getPush, .getTopics, .declineTopics([])] {
            #expect(enter(&gates, operation, at: 0, isPushOff: true) < 100)
        }
    }
}
