import Foundation

/// A language with its script and perhaps a region, as a BCP 47 tag names it: `zh-HK` is Chinese in traditional characters.
package struct LanguageTag: Hashable, Sendable {
    /// The most bytes of a tag (RFC 5646, section 4.4.1).
    package static let bytes = 35

    private let language: String
    /// The script, also one that the tag does not name.
    private let script: String?
    /// The script if the tag names it, or a region that implies another one than the language does.
    private let meantScript: String?
    private let region: String?

    /// Creates a language from its tag, with `_` for `-` as some systems write it; nil for a text that names no language, such as `cn`.
    package init?(_ text: String) {
        let subtags = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard text.utf8.count <= Self.bytes, (2...3).contains(subtags[0].count),
            subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) })
        else { return nil }
        let given = Locale.Language(identifier: text)
        let whole = Locale.Language(identifier: given.maximalIdentifier)
        guard given.languageCode != .unidentified, let code = whole.languageCode, code.isISOLanguage, code != .multiple
        else {
            return nil
        }
        // CLDR has Norwegian without a form as a language of its own; it is written Bokmål.
        language = code == "no" ? "nb" : code.identifier
        script = whole.script?.identifier
        region = given.region?.identifier
        let usual = Locale.Language(identifier: code.identifier).script
        let isNamed = subtags.dropFirst().contains { $0.count == 4 && !$0.allSatisfy(\.isDigit) }
        meantScript = isNamed || whole.script != usual ? script : nil
    }

    /// Returns whether another language is this one, or a form of it: `zh` contains `zh-Hant-HK`, which `zh-Hans` does not.
    package func contains(_ other: LanguageTag) -> Bool {
        language == other.language && (meantScript == nil || meantScript == other.script)
            && (region == nil || region == other.region)
    }

    /// The rank of a text in this language for readers of another: with the same region, for all regions, or for a region of its own; nil
    /// if they do not read it.
    fileprivate func rank(for reader: LanguageTag) -> Int? {
        guard language == reader.language, script == reader.script else { return nil }
        return region == reader.region ? 2 : region == nil ? 1 : 0
    }
}

extension [LanguageTag] {
    /// Returns the place of the language that serves readers of another best, of equal ones the first; nil if they read none.
    ///
    /// Scripts are never exchanged: `zh-HK` gets `zh-Hant` or `zh-TW`, not `zh` or `zh-Hans`. Regions are: `de-AT` gets `de`, or `de-CH`
    /// where there is no other German.
    package func best(for reader: LanguageTag) -> Int? {
        var best: (place: Int, rank: Int)?
        for (place, tag) in enumerated() {
            guard let rank = tag.rank(for: reader), rank > best?.rank ?? -1 else { continue }
            best = (place, rank)
        }
        return best?.place
    }
}
