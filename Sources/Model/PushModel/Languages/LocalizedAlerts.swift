/// The alerts of a push by language (`x_localized`), in the order of the push.
package struct LocalizedAlerts: Hashable, Sendable {
    /// The most languages of a push.
    package static let limit = 50

    private struct Text: Hashable, Sendable {
        var name: String
        var language: LanguageTag
        var alert: JSONValue
    }

    /// One array, because every push has a copy of it, and most are empty.
    private var texts: [Text] = []

    package init() {}

    package var isEmpty: Bool { texts.isEmpty }
    /// The tags as they were given.
    package var names: [String] { texts.map(\.name) }
    package var languages: [LanguageTag] { texts.map(\.language) }
    /// The alert in each language.
    package var alerts: [JSONValue] { texts.map(\.alert) }

    fileprivate mutating func add(_ alert: JSONValue, in language: LanguageTag, named name: String) {
        texts.append(Text(name: name, language: language, alert: alert))
    }

    /// Returns the place of the alert for a device; nil for one that gets the plain alert.
    package func place(for language: String?) -> Int? {
        language.flatMap { LanguageTag($0) }.flatMap { languages.best(for: $0) }
    }
}

extension IOSNotification {
    /// Returns the notification with the alert of a language.
    package func localized(at place: Int) -> IOSNotification {
        var notification = self
        notification.alert = localized.alerts[place]
        return notification
    }
}

extension PushReader {
    /// Reads alerts by language, for which there has to be a plain one.
    func localized(_ value: JSONValue?, at path: String, hasAlert: Bool) throws(JPushError) -> LocalizedAlerts {
        var localized = LocalizedAlerts()
        guard let members = try object(value, at: path)?.members, !members.isEmpty else { return localized }
        guard hasAlert else {
            throw .missing("Missing parameter 'alert': '\(path)' needs it for devices in other languages.")
        }
        guard members.count <= LocalizedAlerts.limit else {
            throw .badValue("'\(path)' has \(members.count) languages; at most \(LocalizedAlerts.limit) are allowed.")
        }
        for member in members {
            guard let language = LanguageTag(member.key) else {
                let found = String(member.key.unicodeScalars.prefix(40))
                throw .badValue(
                    "'\(path)' has '\(found)', which is not a language; expected a BCP 47 tag such as zh-Hans or en."
                )
            }
            if let place = localized.languages.firstIndex(of: language) {
                throw .badValue(
                    "'\(path)' has '\(localized.names[place])' and '\(member.key)', which are the same language."
                )
            }
            switch member.value {
            // PHP writes an empty object as an array.
            case .string(""), .object([:]), .array([]):
                throw .badValue("'\(path).\(member.key)' is empty; write a text, or remove the language.")
            case .string, .object: break
            default:
                throw wrongKind("\(path).\(member.key)", member.value, expected: "a text, or an object as 'alert' is")
            }
            localized.add(member.value, in: language, named: member.key)
        }
        return localized
    }
}

extension PushWarning {
    /// Whether an alert has no member that Apple's alerts have, or texts by language, which belong beside it.
    static func isMistaken(_ alert: JSONValue) -> Bool {
        guard case .object(let alert) = alert else { return false }
        if alert["x_localized"] != nil { return true }
        return alert["title"] == nil && alert["body"] == nil
            && !alert.members.contains { PayloadReview.isAlertKey($0.key) }
    }

    /// Returns the warning about a mistaken alert, of which nothing would be shown, or not all; nil for another one.
    static func mistake(in alert: JSONValue, at path: String) -> PushWarning? {
        guard isMistaken(alert), let members = alert.object, let first = members.members.first else { return nil }
        if members["x_localized"] != nil {
            return PushWarning(kind: .misspelt, path: path + ".x_localized", found: "notification.ios.x_localized")
        }
        let language = members.members.first { LanguageTag($0.key) != nil }
        return PushWarning(kind: language == nil ? .noText : .languages, path: path, found: (language ?? first).key)
    }
}
