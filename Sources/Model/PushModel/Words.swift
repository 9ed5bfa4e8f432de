import CWords

/// Sentences by key. The English ones stand as data in `Sources/Model/CWords/English`; the portal has those of other languages.
package enum Words {
    /// Findings and refusals of operations, and remedies, by the code of a remark.
    package static let remarks = unsafe read(words_remarks())
    /// The reasons why a push was not sent, waits, or was not shown as it asked, without a full stop.
    package static let verdicts = unsafe read(words_verdicts())
    /// The help text of each metric of the service on `/metrics`; `Documentation/Operations.md` says more.
    package static let metrics = unsafe read(words_metrics())
    /// The meaning of each reason of APNs, and its remedy.
    package static let refusals = unsafe read(words_refusals())

    /// The findings of the doctor about the files of a build, and remedies.
    package static let files = unsafe read(words_files())
    /// The sentences of a diagnosis by its cause and the language, and the advice for the developer.
    package static let diagnosis = unsafe read(words_diagnosis())

    private static func read(_ file: words_file) -> [String: String] {
        // The bytes are constants of the binary.
        let json = unsafe try? JSONValue(parsing: UnsafeBufferPointer(start: file.bytes, count: file.length))
        return Dictionary((json?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }) { first, _ in first }
    }

    /// Replaces each `{name}` for which there is a value.
    package static func fill(_ words: String, from value: (_ name: String) -> String?) -> String {
        words.replacing(#/\{(\w+)\}/#) { place in value(String(place.output.1)) ?? String(place.output.0) }
    }
}
