import Foundation
import HTTPTypes
import Hummingbird
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

    /// The language that a browser has chosen before, or that it asks for.
    init(of request: Request) {
        let chosen = request.cookies[Cookies.language].flatMap { Language(rawValue: $0.value) }
        self = chosen ?? Language(accepting: request.headers[.acceptLanguage])
    }

    /// Returns the first language of an `Accept-Language` header that the portal has; English without one.
    init(accepting header: String?) {
        let wishes = (header ?? "").split(separator: ",").map { wish in
            let parts = wish.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (tag: parts.first?.lowercased() ?? "", weight: weight ?? 1)
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

/// Says remarks of the service in the user's language.
struct RemarkText {
    private let texts: Catalogue
    private let shown: (String?) -> String

    /// Creates the texts of remarks; `shown` writes an ISO 8601 date as pages show it.
    init(_ texts: Catalogue, shown: @escaping (String?) -> String) {
        self.texts = texts
        self.shown = shown
    }

    /// Returns an operation's answer in which each English sentence that has its remarks beside it is said in the user's language:
    /// `verdict` beside `verdict_remarks`, and so on; `found` and `remedy` beside `remarks`.
    func localized(_ answer: JSONObject) -> JSONObject {
        var localized = JSONObject()
        for member in answer.members { localized[member.key] = self.localized(member.value) }
        for member in answer.members {
            let remarks = member.value.array?.compactMap(Remark.init(json:)) ?? []
            guard !remarks.isEmpty else { continue }
            if member.key == "remarks" {
                localized["found"] = .string(found(remarks))
                localized["remedy"] = remedy(remarks).map { .string($0) } ?? .null
            } else if member.key.hasSuffix("_remarks") {
                localized[String(member.key.dropLast("_remarks".count))] = .string(found(remarks))
            }
        }
        return localized
    }

    private func localized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object): .object(localized(object))
        case .array(let values): .array(values.map(localized))
        default: value
        }
    }

    /// Returns what was found, in words of the catalogue.
    func found(_ remarks: [Remark]) -> String { joined(remarks, "") ?? "" }

    private func remedy(_ remarks: [Remark]) -> String? { joined(remarks, "_remedy") }

    private func joined(_ remarks: [Remark], _ suffix: String) -> String? {
        let sentences = remarks.compactMap { remark in
            words("\(remark.code.rawValue)\(suffix)").map { Words.fill($0) { value($0, of: remark) } }
        }
        // Chinese sentences follow each other without a space.
        return sentences.isEmpty ? nil : sentences.joined(separator: texts.language == .english ? " " : "")
    }

    private func words(_ key: String) -> String? { texts.sections["remarks"]?.object?[key]?.string }

    /// Returns a value as it is said in the language; nil if the remark has none of this name.
    private func value(_ name: String, of remark: Remark) -> String? {
        guard let value = remark.values[name] else { return nil }
        let reason = remark.values["reason"] ?? ""
        func aboutReason(_ part: String) -> String? { texts.sections["reasons"]?.object?["\(reason)_\(part)"]?.string }
        return switch name {
        case "date", "now": shown(value)
        case "days": days(value)
        case "environment", "other": words("environment_\(value)") ?? value
        case "key" where remark.code == .parameter: words("key_\(value)") ?? value
        case "expected": words("expected_\(remark.values["key"] ?? "")") ?? value
        case "advice":
            aboutReason("meaning").map { found in [found, aboutReason("remedy") ?? ""].joined(separator: " ") } ?? value
        case "remedy": aboutReason("remedy") ?? value
        case "sentence": sentence(value, of: remark)
        default: value
        }
    }

    private func days(_ text: String) -> String {
        let key =
            switch Int(text) ?? 0 {
            case ..<1: "days_none"
            case 1: "days_one"
            default: "days_many"
            }
        return texts.text("remarks", key, with: ["days": text])
    }

    /// Returns the verdict of a journey, which the service words in English only.
    private func sentence(_ english: String, of remark: Remark) -> String {
        guard texts.language != .english else { return english + "." }
        let (state, reason) = (remark.values["state"] ?? "", remark.values["reason"])
        return Explanation(texts).meaning(of: state, reason) ?? texts["why", "about_\(state)"]
    }
}
