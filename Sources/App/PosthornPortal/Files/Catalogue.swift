import Foundation
import PushModel

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
    let sections: JSONObject

    /// Reads the texts in `Languages/`.
    ///
    /// - Throws: an error about a file that is not JSON.
    init(_ language: Language, from files: PortalFiles) throws {
        sections = JSONObject(
            try files.files(in: "Languages/\(language.rawValue)").sorted { $0.key < $1.key }.map { name, bytes in
                (String(name.prefix { $0 != "." }), try JSONValue(parsing: bytes))
            }
        )
    }

    /// Returns a text; the key itself if it is missing, which a test rules out.
    subscript(_ section: String, _ key: String) -> String {
        sections[section]?.object?[key]?.string ?? "\(section).\(key)"
    }

    /// Returns a text in which each `{name}` is replaced.
    func text(_ section: String, _ key: String, with values: [String: String]) -> String {
        values.reduce(self[section, key]) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
