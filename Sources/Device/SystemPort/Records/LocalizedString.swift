/// A text that a notification takes from the app's strings file at delivery.
public struct LocalizedString: Hashable, Sendable, Codable {
    /// The key in the strings file.
    public var key: String
    /// The values for the format's placeholders; without any the format stays unchanged, for a category's own `%u` and
    /// `%@`.
    public var arguments: [String]

    /// Creates a text.
    public init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }

    /// - Parameter strings: the strings file of a language, by key.
    /// - Returns: the text; the key itself if the file does not contain it.
    package func text(in strings: [String: String]) -> String {
        let format = strings[key] ?? key
        return arguments.isEmpty ? format : LocalizedText.fill(format, with: arguments)
    }
}

extension CategoryRecord {
    /// Records which of its texts come from a strings file.
    ///
    /// - Parameter origin: finds the origin of a text.
    package mutating func noteOrigins(_ origin: (String) -> LocalizedString?) {
        for text in [hiddenPreviewsBodyPlaceholder, categorySummaryFormat] {
            localized[text] = origin(text) ?? localized[text]
        }
    }

    /// Returns one of its texts, the placeholder or the format, by another strings file; unchanged if it does not come from one.
    package func localize(_ text: String, in strings: [String: String]) -> String {
        localized[text]?.text(in: strings) ?? text
    }
}

extension ContentRecord {
    /// The texts that may come from a strings file. Source: Apple, `UNNotificationContent.h`, the comments on
    /// `localizedUserNotificationStringForKey:arguments:`.
    private static var texts: [WritableKeyPath<ContentRecord, String>] {
        [\.title, \.subtitle, \.body, \.summaryArgument]
    }

    /// Records which of its texts come from a strings file.
    ///
    /// - Parameter origin: finds the origin of a text.
    package mutating func noteOrigins(_ origin: (String) -> LocalizedString?) {
        for path in Self.texts {
            let text = self[keyPath: path]
            localized[text] = origin(text) ?? localized[text]
        }
    }

    /// Translates the texts that come from a strings file into another language.
    ///
    /// - Parameter strings: the strings file of the language.
    package mutating func localize(in strings: [String: String]) {
        for path in Self.texts {
            if let origin = localized[self[keyPath: path]] { self[keyPath: path] = origin.text(in: strings) }
        }
        localized = [:]
    }
}

/// Fills the placeholders of a format of a strings file.
package enum LocalizedText {
    /// - Parameters:
    ///   - format: the format with `%@`, `%d` and `%2$@`; `%%` is a percent sign.
    ///   - arguments: one for each placeholder; a placeholder without one stays empty.
    /// - Returns: the text; `%%` stays unchanged, as display makes it one sign.
    package static func fill(_ format: String, with arguments: [String]) -> String {
        var result = ""
        var next = 0
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            let digits = rest.prefix(while: \.isNumber)
            let afterDigits = rest.dropFirst(digits.count)
            if let place = Int(digits), afterDigits.first == "$" {
                rest = afterDigits.dropFirst(2)
                result += arguments.indices.contains(place - 1) ? arguments[place - 1] : ""
            } else if rest.first == "@" || rest.first == "d" || rest.first == "u" {
                rest = rest.dropFirst()
                result += arguments.indices.contains(next) ? arguments[next] : ""
                next += 1
            } else if rest.first == "%" {
                // Unchanged: display makes it one sign.
                rest = rest.dropFirst()
                result += "%%"
            } else {
                result += "%"
            }
        }
        return result + rest
    }
}
