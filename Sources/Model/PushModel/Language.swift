import CWords
import Foundation

/// A language in which people are told what happened.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"

    /// The name in the language itself.
    package var name: String {
        switch self {
        case .english: "English"
        case .simplifiedChinese: "简体中文"
        }
    }

    /// Creates the language of a BCP 47 tag or of a locale, such as `zh-CN` or `zh_CN.UTF-8`; nil for one that has no words here.
    package init?(tag: String) {
        switch tag.lowercased().prefix(while: \.isLetter) {
        case "en": self = .english
        case "zh": self = .simplifiedChinese
        default: return nil
        }
    }

    /// Creates the language of a process from its environment: that of the first variable of the locale that is set, else English.
    package init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = locale.flatMap(Language.init(tag:)) ?? .english
    }

    /// Creates the first language of an `Accept-Language` header that has words here; English without one.
    package init(accepting header: String?) {
        let wishes = (header ?? "").split(separator: ",").map { wish in
            let parts = wish.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().compactMap { part -> Double? in
                let pair = part.split(separator: "=")
                return pair.count == 2 && pair[0] == "q" ? Double(pair[1]) : nil
            }
            return (tag: parts.first ?? "", weight: weight.first ?? 1)
        }
        let ordered = wishes.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        self = ordered.lazy.compactMap { Language(tag: $0.element.tag) }.first ?? .english
    }
}

extension Language {
    /// Returns a sentence that the service words in English, in this language; one that is unknown stays as it is.
    package func said(_ english: String) -> String {
        switch self {
        case .english: english
        case .simplifiedChinese: SentenceTable.chinese.translated(english) ?? english
        }
    }
}
