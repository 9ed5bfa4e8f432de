import APNSTransport
import PushModel
import Testing

@testable import APNSProvider

@Suite("Attempts")
struct AttemptsTests {
    private let rules = APNSClientConfiguration(attempts: 5, random: { 1 })

    private func refusal(_ reason: APNSReason) -> APNSRefusal {
        APNSRefusal(status: reason.status, body: Array(#"{"reason":"\#(reason.rawValue)"}"#.utf8))
    }

    @Test("Every reason either ends the push or repeats it, as its advice says", arguments: APNSReason.documented)
    func advice(_ reason: APNSReason) {
        var attempts = Attempts(deadline: .seconds(300))
        let step = attempts.refused(refusal(reason), at: .zero, rules)
        let isRepeated = reason.advice.action == .retry || reason == .expiredProviderToken
        if case .again = step { #expect(isRepeated) } else { #expect(!isRepeated) }
    }

    @Test("Pauses double, and the deadline or the number of attempts ends them")
    func pauses() {
        var attempts = Attempts(deadline: .seconds(300))
        var pauses: [Duration] = []
        var now = Duration.zero
        while case .again(let next) = attempts.refused(refusal(.internalServerError), at: now, rules) {
            pauses.append(next.pause)
            now += next.pause
        }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        var hurried = Attempts(deadline: .milliseconds(1500))
        guard case .again = hurried.refused(refusal(.shutdown), at: .zero, rules) else {
            Issue.record("given up too early")
            return
        }
        let end = hurried.refused(refusal(.shutdown), at: .seconds(1), rules)
        #expect(end == .done(.failed("Given up after 2 attempts within 300.0 seconds: Shutdown.")))
    }

    @Test("A push that nobody has looked at costs no attempt")
    func notProcessed() {
        var attempts = Attempts(deadline: .seconds(300))
        for _ in 0..<100 {
            let step = attempts.lost(APNSStreamFailure(.notProcessed, "GOAWAY"), at: .zero, rules)
            #expect(step == .again(Attempts.Again(reason: "connection")))
        }
        let late = attempts.lost(APNSStreamFailure(.notProcessed, "GOAWAY"), at: .seconds(300), rules)
        #expect(late == .done(.failed("Given up after 0 attempts within 300.0 seconds: GOAWAY.")))
    }

    @Test("The first three losses are mended at once, further ones after a pause")
    func losses() {
        var attempts = Attempts(deadline: .seconds(300))
        let failure = APNSStreamFailure(.undecided, "gone")
        let pauses = (0..<4).map { _ -> Duration? in
            if case .again(let next) = attempts.lost(failure, at: .zero, rules) { next.pause } else { nil }
        }
        #expect(pauses == [.zero, .zero, .zero, .seconds(1)])
    }

    @Test("apnotic #42: it is known whether the stream of every attempt was reset with the same error")
    func apnotic42_sameReset() {
        let reset = APNSStreamFailure(.undecided, "reset", reset: .protocolError)
        var attempts = Attempts(deadline: .seconds(300))
        #expect(attempts.reset == nil)
        for _ in 0..<3 {
            _ = attempts.lost(reset, at: .zero, rules)
            _ = attempts.lost(APNSStreamFailure(.notProcessed, "GOAWAY"), at: .zero, rules)
            #expect(attempts.reset == .protocolError)
        }
        for other in [APNSStreamFailure(.undecided, "gone"), APNSStreamFailure(.undecided, "r", reset: .internalError)]
        {
            var mixed = attempts
            _ = mixed.lost(other, at: .zero, rules)
            #expect(mixed.reset == nil)
            _ = mixed.lost(reset, at: .zero, rules)
            #expect(mixed.reset == nil)
        }
    }

    @Test("A pause ends before the push expires, or there is none")
    func expiry() {
        var attempts = Attempts(deadline: .seconds(300), expiry: .seconds(2))
        guard case .again = attempts.refused(refusal(.shutdown), at: .zero, rules) else {
            Issue.record("given up too early")
            return
        }
        guard case .done(.failed) = attempts.refused(refusal(.shutdown), at: .seconds(1), rules) else {
            Issue.record("sent after its expiration")
            return
        }
        var lost = Attempts(deadline: .seconds(300), expiry: .zero)
        guard case .again = lost.lost(APNSStreamFailure(.refused, "reset"), at: .seconds(1), rules) else {
            Issue.record("what can be sent at once is sent")
            return
        }
    }
}

@Suite("Credential gate")
struct CredentialGateTests {
    private let rules = APNSClientConfiguration()
    private let refusal = APNSRefusal(status: 403, body: Array(#"{"reason":"Forbidden"}"#.utf8))

    @Test("Pauses double up to the longest, one push is the trial, and a good one opens it")
    func pauses() {
        var gate = CredentialGate()
        #expect(gate.pass(at: .zero, rules) == .open)
        gate.refused(refusal, at: .zero, rules)
        // Those that were on their way.
        for _ in 0..<10 { gate.refused(refusal, at: .zero, rules) }
        var now = Duration.zero
        for pause in [10, 20, 40, 80, 160, 320, 600, 600] {
            #expect(gate.pass(at: now + .seconds(pause) - .nanoseconds(1), rules) == .shut(refusal.outcome))
            now += .seconds(pause)
            #expect(gate.pass(at: now, rules) == .open)
            #expect(gate.pass(at: now, rules) == .shut(refusal.outcome))
            gate.refused(refusal, at: now, rules)
        }
        now += .seconds(600)
        #expect(gate.pass(at: now, rules) == .open)
        gate.accepted()
        #expect(gate.pass(at: now, rules) == .open)
        #expect(gate.isOpen)
    }

    @Test("A trial that is lost is followed by another")
    func lost() {
        var gate = CredentialGate()
        gate.refused(refusal, at: .zero, rules)
        #expect(gate.pass(at: .seconds(10), rules) == .open)
        #expect(gate.pass(at: .seconds(19), rules) == .shut(refusal.outcome))
        #expect(gate.pass(at: .seconds(20), rules) == .open)
    }
}
