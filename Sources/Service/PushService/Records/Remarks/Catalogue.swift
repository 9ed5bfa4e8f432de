package import PushModel

/// Texts in one language, by section and key: the words of the service, and those of who shows them.
package struct Catalogue: Sendable {
    package let language: Language
    package let sections: JSONObject

    /// Creates the texts of the service about remarks, the reasons of APNs and verdicts.
    ///
    /// - Parameters:
    ///   - language: the language of all texts.
    ///   - others: texts that are added to those of the service, or go before them.
    package init(_ language: Language, adding others: JSONObject = [:]) {
        self.language = language
        let words = Words.in(language)
        let verdicts = language == .english ? words.verdicts.mapValues(Self.written) : words.verdicts
        var sections = others
        for (section, texts) in [("remarks", words.remarks), ("reasons", words.refusals), ("why", verdicts)] {
            var own = sections[section]?.object ?? [:]
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) where own[key] == nil { own[key] = .string(text) }
            sections[section] = .object(own)
        }
        self.sections = sections
    }

    /// Returns the clause of a verdict as a sentence.
    static func written(_ clause: String) -> String { "\(clause.prefix(1).uppercased())\(clause.dropFirst())." }

    /// Returns a text; the key itself if it is missing, which a test rules out.
    package subscript(_ section: String, _ key: String) -> String { text(section, key) ?? "\(section).\(key)" }

    /// Returns a text; nil if there is none.
    package func text(_ section: String, _ key: String) -> String? { sections[section]?.object?[key]?.string }

    /// Returns a text in which each `{name}` is replaced.
    package func text(_ section: String, _ key: String, with values: [String: String]) -> String {
        Words.fill(self[section, key]) { values[$0] }
    }

    /// Returns a sentence that the service words in English, in the language of the catalogue; one that is unknown stays as it is.
    package func said(_ english: String) -> String { language.said(english) }

    /// Returns sentences as one text; nil if there are none.
    package func joined(_ sentences: [String]) -> String? {
        // Chinese sentences follow each other without a space.
        sentences.isEmpty ? nil : sentences.joined(separator: language == .english ? " " : "")
    }

    // MARK: - Events of journeys

    /// Returns the name of an event for people; the event itself if it is unknown.
    package func name(of event: String) -> String { text("why", "name_\(event)") ?? event }

    /// Returns what an event means and what to do; nil if the catalogue does not know it.
    package func meaning(of event: String, _ reason: String?) -> String? {
        reason.flatMap { meaning(of: event, reason: $0) } ?? text("why", "event_\(event)")
    }

    private func meaning(of event: String, reason: String) -> String? {
        if event == "refused", let meaning = text("reasons", "\(reason)_meaning") {
            return joined([meaning] + [text("reasons", "\(reason)_remedy")].compactMap(\.self))
        }
        return text("why", "\(event)_\(reason)")
    }

    /// Returns what a state means, by its reason if it has one that is known; the state itself if there are no words for it, as for
    /// those without a reason in English.
    package func sentence(of state: String, _ reason: String?) -> String {
        reason.flatMap { meaning(of: state, reason: $0) } ?? text("why", "about_\(state)") ?? state
    }
}

/// Says remarks of the service in the user's language.
package struct RemarkText {
    private let texts: Catalogue
    private let shown: (String?) -> String

    /// Creates the texts of remarks; `shown` writes an ISO 8601 date as it is shown.
    package init(_ texts: Catalogue, shown: @escaping (String?) -> String = { $0 ?? "" }) {
        self.texts = texts
        self.shown = shown
    }

    /// Returns an operation's answer in which each English sentence that has its remarks beside it is said in the user's language:
    /// `verdict` beside `verdict_remarks`, and so on; `found` and `remedy` beside `remarks`.
    package func localized(_ answer: JSONObject) -> JSONObject {
        var localized = JSONObject()
        for member in answer.members { localized[member.key] = self.localized(member.value) }
        for member in answer.members {
            let remarks = member.value.array?.compactMap(Remark.init(json:)) ?? []
            guard !remarks.isEmpty else { continue }
            if member.key == "remarks" {
                let (found, remedy) = said(remarks)
                localized["found"] = .string(found)
                localized["remedy"] = .orNull(remedy)
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
    package func found(_ remarks: [Remark]) -> String { joined(remarks, "") ?? "" }

    /// Returns what was found, and what to do.
    package func said(_ remarks: [Remark]) -> (found: String, remedy: String?) {
        (found(remarks), joined(remarks, "_remedy"))
    }

    private func joined(_ remarks: [Remark], _ suffix: String) -> String? {
        texts.joined(
            remarks.compactMap { remark in
                words("\(remark.code.rawValue)\(suffix)").map { Words.fill($0) { value($0, of: remark) } }
            }
        )
    }

    private func words(_ key: String) -> String? { texts.text("remarks", key) }

    /// Returns a value as it is said in the language; nil if the remark has none of this name.
    private func value(_ name: String, of remark: Remark) -> String? {
        guard let value = remark.values[name] else { return nil }
        let reason = remark.values["reason"] ?? ""
        return switch name {
        case "date", "now": shown(value)
        case "days": Remark.days(value, words)
        case "environment", "environments", "other", "others", "asked": words("environment_\(value)") ?? value
        case "source": words("source_\(value)") ?? value
        case "list": value.replacing(#/(\w[\w. ]*) '/#) { "\(words("source_\($0.1)") ?? String($0.1)) '" }
        case "key" where remark.code == .parameter: words("key_\(value)") ?? value
        case "expected": words("expected_\(remark.values["key"] ?? "")") ?? value
        case "advice":
            texts.text("reasons", "\(reason)_meaning") == nil ? value : texts.meaning(of: "refused", reason) ?? value
        case "remedy": texts.text("reasons", "\(reason)_remedy") ?? value
        case "sentence": sentence(value, of: remark)
        default: value
        }
    }

    /// Returns the verdict of a journey, which the service words in English.
    private func sentence(_ english: String, of remark: Remark) -> String {
        guard texts.language != .english else { return english + "." }
        return SentenceTable.chinese.translated(english)
            ?? texts.sentence(of: remark.values["state"] ?? "", remark.values["reason"])
    }
}
