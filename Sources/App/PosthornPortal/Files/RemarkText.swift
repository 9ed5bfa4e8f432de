import PushModel
import PushService

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
