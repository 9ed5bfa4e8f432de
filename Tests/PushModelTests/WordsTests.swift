import PushModel
import Testing

@Suite("English sentences")
struct WordsTests {
    @Test("Each reason of a verdict has one, and no other does")
    func verdicts() {
        let reasons = SuppressionReason.allCases.map(\.rawValue) + PauseReason.allCases.map(\.rawValue)
        #expect(Words.verdicts.keys.sorted() == reasons.sorted())
        for (reason, sentence) in Words.verdicts {
            #expect(!sentence.isEmpty && !sentence.hasSuffix("."), "\(reason)")
        }
    }

    @Test("Each reason of APNs has a meaning and a remedy, and no other does")
    func refusals() {
        let keys = (APNSReason.documented + APNSReason.ofChannels).flatMap { ["\($0)_meaning", "\($0)_remedy"] }
        #expect(Words.refusals.keys.sorted() == keys.sorted())
        #expect(Words.refusals.values.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("A place without a value stays")
    func places() {
        let filled = Words.fill("{name} has {count} of {msg_id}") { ["name": "a", "count": "{name}"][$0] }
        #expect(filled == "a has {name} of {msg_id}")
    }
}
