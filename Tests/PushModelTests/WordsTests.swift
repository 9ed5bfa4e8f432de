import Foundation
import PushModel
import Testing

@Suite("Sentences in both languages")
struct WordsTests {
    @Test("Each reason of a verdict has one, and no other does; in Chinese each state has one too")
    func verdicts() {
        let reasons =
            SuppressionReason.allCases.map { "suppressed_\($0.rawValue)" }
            + PauseReason.allCases.map { "paused_\($0.rawValue)" }
        #expect(Words.english.verdicts.keys.sorted() == reasons.sorted())
        for (reason, sentence) in Words.english.verdicts {
            #expect(!sentence.isEmpty && !sentence.hasSuffix("."), "\(reason)")
        }
        // English has quiet hours with their end, and the states, in the sentences of verdicts.
        let states = Verdict.State.allCases.map { "about_\($0.rawValue)" }
        let chinese = Words.chinese.verdicts.filter { !$0.key.hasPrefix("standing_") }
        #expect(chinese.keys.sorted() == (reasons + states + ["suppressed_quietHours"]).sorted())
        #expect(Words.chinese.verdicts.allSatisfy { $0.value.hasSuffix("。") })
    }

    @Test("Each sentence of a verdict is said in both languages, with the same values")
    func journeys() {
        let outcomes: [FetchOutcome] = [.newData, .noData, .failed, .overran]
        let presentations: [Presentation] = [
            .banner, .lockScreen, .list, .sound, .badge, .carPlay, .inApp, .activityStarted, .activityUpdated,
            .activityEnded, .call, .conversation, .widgets,
        ]
        let custom: [Verdict.State] = [.stored, .delivered, .opened, .expired, .coalesced, .withdrawn]
        let keys =
            Verdict.Phrase.allCases.map(\.rawValue)
            + ["handled", "handledInFront", "handledUnseen"].flatMap { place in
                outcomes.map { "\(place)_\($0.rawValue)" }
            }
            + presentations.map { "shown_\($0.rawValue)" } + custom.map { "custom_\($0.rawValue)" }
            + custom.filter { $0 != .stored }.map { "inApp_\($0.rawValue)" }
        for language in Language.allCases {
            let sentences = Words.in(language).journeys
            #expect(Set(keys).subtracting(sentences.keys).sorted() == [], "\(language) lacks sentences.")
            #expect(
                Set(sentences.keys).subtracting(keys).sorted() == [],
                "\(language) has sentences that nothing says."
            )
        }
        for (key, english) in Words.english.journeys {
            let chinese = Words.chinese.journeys[key] ?? ""
            #expect(!english.isEmpty && !english.hasSuffix(".") && !chinese.isEmpty, "\(key)")
            #expect(Self.values(english) == Self.values(chinese), "\(key)")
        }
    }

    @Test("Each reason of APNs has a meaning and a remedy, and no other does", arguments: Language.allCases)
    func refusals(_ language: Language) {
        let keys = (APNSReason.documented + APNSReason.ofChannels).flatMap { ["\($0)_meaning", "\($0)_remedy"] }
        let refusals = Words.in(language).refusals
        #expect(refusals.keys.sorted() == keys.sorted())
        #expect(refusals.values.allSatisfy { $0.hasSuffix(language == .english ? "." : "。") })
    }

    @Test("Each finding is said in both languages, with the same values")
    func remarks() {
        #expect(Words.english.remarks.keys.sorted() == Words.chinese.remarks.keys.sorted())
        for (code, english) in Words.english.remarks {
            let chinese = Words.chinese.remarks[code] ?? ""
            #expect(!english.isEmpty && !chinese.isEmpty, "\(code)")
            #expect(Self.values(english) == Self.values(chinese), "\(code)")
        }
    }

    private static func values(_ words: String) -> Set<String> {
        // The details of an error are in English, so Chinese may leave them out.
        Set(words.matches(of: #/\{\w+\}/#).map { String($0.0) }).subtracting(["{detail}"])
    }

    @Test("A place without a value stays")
    func places() {
        let filled = Words.fill("{name} has {count} of {msg_id}") { ["name": "a", "count": "{name}"][$0] }
        #expect(filled == "a has {name} of {msg_id}")
    }

    @Test(
        "A language is known by its tag and by its locale",
        arguments: [
            ("zh", Language.simplifiedChinese), ("zh-Hans", .simplifiedChinese), ("ZH-CN", .simplifiedChinese),
            ("zh_CN.UTF-8", .simplifiedChinese), ("en", .english), ("en_GB.UTF-8", .english), ("fr", nil), ("C", nil),
            ("zhuang", nil), ("", nil),
        ] as [(String, Language?)]
    )
    func tags(_ tag: String, _ language: Language?) { #expect(Language(tag: tag) == language) }

    @Test(
        "The first variable of the locale that is set decides",
        arguments: [
            (["LANG": "zh_CN.UTF-8"], Language.simplifiedChinese),
            (["LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US.UTF-8"], .simplifiedChinese),
            (["LC_ALL": "C.UTF-8", "LC_MESSAGES": "zh_CN", "LANG": "zh_CN"], .english), ([:], .english),
            (["LANG": "de_DE.UTF-8"], .english),
        ]
    )
    func locale(_ environment: [String: String], _ language: Language) {
        #expect(Language(environment: environment) == language)
    }
}
