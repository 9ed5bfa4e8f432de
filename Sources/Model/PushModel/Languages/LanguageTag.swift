import Foundation

/// A language with its script and perhaps a region, as a BCP 47 tag names it: `zh-HK` is Chinese in traditional characters.
package struct LanguageTag: Hashable, Sendable {
    /// The most bytes of a tag (RFC 5646, section 4.4.1).
    package static let bytes = 35

    /// A language in a script, for all regions or for one.
    private struct Form: Hashable, Sendable {
        var language: String
        var script: String?
        var region: String?

        init(language: String, script: String?) {
            self.language = language
            self.script = script
        }

        init(_ given: Locale.Language) {
            let code = given.languageCode?.identifier ?? ""
            // CLDR has Norwegian without a form as a language of its own; it is written Bokmål.
            language = code == "no" ? "nb" : code
            script = given.whole.script?.identifier
            region = given.region?.identifier
        }

        /// The tag without a usual script or region.
        var shortest: String {
            let subtags = [language, script, region].compactMap(\.self)
            return Locale.Language(identifier: subtags.joined(separator: "-")).minimalIdentifier
        }
    }

    private let own: Form
    /// The script if the tag names it, or a region that implies another one than the language does.
    private let meantScript: String?

    /// Creates a language from its tag, with `_` for `-` as some systems write it; nil for a text that names no language, such as `cn`.
    package init?(_ text: String) {
        let subtags = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard text.utf8.count <= Self.bytes, (2...3).contains(subtags[0].count),
            subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) })
        else { return nil }
        // An extended language stands for itself: `zh-yue` is `yue` (RFC 5646, section 4.5).
        let isExtended = subtags.count > 1 && subtags[1].count == 3 && !subtags[1].contains(where: \.isDigit)
        let name = isExtended ? String(text.dropFirst(subtags[0].count + 1)) : text
        // ICU's form has today's code: `he` for `iw`, `zh` for `cmn`.
        let given = Locale.Language(identifier: Locale.identifier(.icu, from: name))
        let whole = given.whole
        guard given.languageCode != .unidentified, let code = whole.languageCode, code.isISOLanguage, code != .multiple
        else {
            return nil
        }
        own = Form(given)
        let isNamed = subtags.dropFirst().contains { $0.count == 4 && !$0.allSatisfy(\.isDigit) }
        let usual = Locale.Language(identifier: code.identifier).whole.script
        meantScript = isNamed || whole.script != usual ? own.script : nil
    }

    /// The forms that its readers read, the best first: its own, its parents by CLDR (of `es-MX`, `es-419` and `es`), and that for all
    /// regions.
    private var forms: [Form] {
        var forms = [own]
        var next: Locale.Language? = Locale.Language(identifier: own.shortest)
        // The parent of all is `root`.
        while let language = next, language.languageCode?.isISOLanguage == true, forms.count < 8 {
            forms.append(Form(language))
            next = language.parent
        }
        forms.append(Form(language: own.language, script: own.script))
        // Who reads Cantonese reads Chinese.
        if own.language == "yue", let script = own.script {
            forms += LanguageTag("zh-\(script)-\(own.region ?? (script == "Hant" ? "HK" : "CN"))")?.forms ?? []
        }
        return forms.filter { $0.script == own.script }
    }

    /// Returns whether another language is this one, or a form of it: `zh` contains `zh-Hant-HK`, which `zh-Hans` does not.
    package func contains(_ other: LanguageTag) -> Bool {
        own.language == other.own.language && (meantScript == nil || meantScript == other.own.script)
            && (own.region == nil || own.region == other.own.region)
    }

    /// The ranks of texts in these languages for readers of this one, the lowest for the best: those that are for them, then those for a
    /// region with which they share a parent, of which the usual region has the shortest tag; nil for those that they do not read.
    fileprivate func ranks(of texts: [LanguageTag]) -> [(Int, String)?] {
        let forms = forms
        return texts.map { text in
            if let place = forms.firstIndex(of: text.own) { return (place, "") }
            guard text.own.language == own.language, text.own.script == own.script else { return nil }
            let parents = text.forms
            let shared = forms.firstIndex { parents.contains($0) } ?? 0
            return (forms.count + shared, text.own.shortest)
        }
    }
}

extension Locale.Language {
    /// The language with its script and region, also those that it does not name; the property `script` takes ten times as long.
    fileprivate var whole: Locale.Language { Locale.Language(identifier: maximalIdentifier) }
}

extension [LanguageTag] {
    /// Returns the place of the language that serves readers of another best, whatever the order; nil if they read none.
    ///
    /// Scripts are never exchanged: `zh-HK` gets `zh-Hant` or `zh-TW`, not `zh` or `zh-Hans`. Regions are: `de-AT` gets `de`, or `de-CH`
    /// where there is no other German.
    package func best(for reader: LanguageTag) -> Int? {
        let ranks = reader.ranks(of: self).enumerated().compactMap { place, rank in
            rank.map { (place: place, rank: $0) }
        }
        return ranks.min { $0.rank < $1.rank }?.place
    }
}
