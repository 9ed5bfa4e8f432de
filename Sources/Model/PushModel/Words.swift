import CWords
import Foundation

/// Sentences by key. They stand as data in `Sources/Model/CWords`; the portal has others where it names its own pages.
package struct Words: Sendable {
    /// Findings and refusals of operations, and remedies, by the code of a remark.
    package let remarks: [String: String]
    /// The sentences of verdicts by ``Verdict/Phrase`` and other keys, with places for their values: in English as clauses
    /// without a full stop.
    package let journeys: [String: String]
    /// The reasons why a push was not sent, waits, or was not shown as it asked: in English as clauses without a full stop, in
    /// other languages as sentences, among them one for each state of a verdict.
    package let verdicts: [String: String]
    /// The meaning of each reason of APNs, and its remedy.
    package let refusals: [String: String]

    package static let english = Words(
        remarks: words_remarks,
        journeys: words_journeys,
        verdicts: words_verdicts,
        refusals: words_refusals
    )
    package static let chinese = Words(
        remarks: words_remarks_chinese,
        journeys: words_journeys_chinese,
        verdicts: words_verdicts_chinese,
        refusals: words_refusals_chinese
    )

    /// The help text of each metric of the service on `/metrics`; `Documentation/Operations.md` says more.
    package static let metrics = read(words_metrics)
    /// The patterns of refusals and warnings in Chinese, by those in English; see ``SentenceTable``.
    package static let chineseSentences = read(words_sentences_chinese)
    /// The sentences of a diagnosis by its cause and the language, and the advice for the developer.
    package static let diagnosis = read(words_diagnosis)

    private init(remarks: words_of, journeys: words_of, verdicts: words_of, refusals: words_of) {
        self.remarks = Self.read(remarks)
        self.journeys = Self.read(journeys)
        self.verdicts = Self.read(verdicts)
        self.refusals = Self.read(refusals)
    }

    /// Returns the words of a language.
    package static func `in`(_ language: Language) -> Words {
        switch language {
        case .english: english
        case .simplifiedChinese: chinese
        }
    }

    private static func read(_ subject: words_of) -> [String: String] {
        let file = unsafe words_about(subject)
        // The bytes are constants of the binary.
        let json = unsafe try? JSONValue(parsing: UnsafeBufferPointer(start: file.bytes, count: file.length))
        return Dictionary((json?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }) { first, _ in first }
    }

    /// Replaces each `{name}` for which there is a value.
    package static func fill(_ words: String, from value: (_ name: String) -> String?) -> String {
        words.replacing(#/\{(\w+)\}/#) { place in value(String(place.output.1)) ?? String(place.output.0) }
    }
}
