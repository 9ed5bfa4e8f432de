import Foundation
import PushModel
import PushService

/// A language of the portal.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"

    /// The name in the language itself.
    var name: String {
        switch self {
        case .english: "English"
        case .simplifiedChinese: "简体中文"
        }
    }

    /// Returns the first language of an `Accept-Language` header that the portal has; English without one.
    init(accepting header: String?) {
        let wishes = (header ?? "").split(separator: ",").map { wish in
            let parts = wish.split(separator: ";")
            let weight = parts.dropFirst().compactMap { part -> Double? in
                let pair = part.trimmingCharacters(in: .whitespaces).split(separator: "=")
                return pair.count == 2 && pair[0] == "q" ? Double(pair[1]) : nil
            }
            return (
                tag: parts.first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? "",
                weight: weight.first ?? 1
            )
        }
        let ordered = wishes.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        let first = ordered.lazy.compactMap { wish -> Language? in
            switch wish.element.tag.split(separator: "-").first {
            case "en": .english
            case "zh": .simplifiedChinese
            default: nil
            }
        }.first
        self = first ?? .english
    }
}

/// The texts of the portal in one language, by section and key: a file for each section.
struct Catalogue: Sendable {
    let language: Language
    let sections: JSONObject

    /// Reads the texts in `Languages/`.
    ///
    /// - Throws: an error about a file that is not JSON.
    init(_ language: Language, from files: PortalFiles) throws {
        self.language = language
        var sections = JSONObject(
            try files.files(in: "Languages/\(language.rawValue)").sorted { $0.key < $1.key }.map { name, bytes in
                (String(name.prefix { $0 != "." }), try JSONValue(parsing: bytes))
            }
        )
        if language == .english {
            for (section, words) in Self.ofService {
                var own = sections[section]?.object ?? [:]
                for (key, text) in words where own[key] == nil { own[key] = .string(text) }
                sections[section] = .object(own)
            }
        }
        self.sections = sections
    }

    /// The English words of the service by section and key, for those that the portal does not say in another way.
    private static let ofService: [(section: String, words: [(key: String, text: String)])] = [
        (
            "remarks",
            Remark.Code.allCases.flatMap { code in
                [(code.rawValue, code.found), ("\(code.rawValue)_remedy", code.remedy ?? "")].filter { !$0.1.isEmpty }
            }
        ),
        (
            "reasons",
            APNSReason.documented.flatMap { reason in
                [
                    ("\(reason.rawValue)_meaning", reason.advice.meaning),
                    ("\(reason.rawValue)_remedy", reason.advice.remedy),
                ]
            }
        ),
        (
            "why",
            SuppressionReason.allCases.map { ("suppressed_\($0.rawValue)", written($0.sentence)) }
                + PauseReason.allCases.map { ("paused_\($0.rawValue)", written($0.sentence)) }
        ),
    ]

    /// Returns the clause of a verdict as a sentence.
    static func written(_ clause: String) -> String { "\(clause.prefix(1).uppercased())\(clause.dropFirst())." }

    /// Returns a text; the key itself if it is missing, which a test rules out.
    subscript(_ section: String, _ key: String) -> String {
        sections[section]?.object?[key]?.string ?? "\(section).\(key)"
    }

    /// Returns a text in which each `{name}` is replaced.
    func text(_ section: String, _ key: String, with values: [String: String]) -> String {
        Words.fill(self[section, key]) { values[$0] }
    }
}
