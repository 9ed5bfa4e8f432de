/// A text that a notification takes from the app's strings file at the moment of its delivery.
public struct LocalizedString: Hashable, Sendable, Codable {
    public var key: String
    /// One for each place of the format; with none the format stays as it is, for a category's own `%u` and `%@`.
    public var arguments: [String]

    public init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }

    /// - Parameter strings: the strings file of a language, by key.
    /// - Returns: the text; the key itself where the file has none.
    package func text(in strings: [String: String]) -> String {
        let format = strings[key] ?? key
        return arguments.isEmpty ? format : LocalizedText.fill(format, with: arguments)
    }
}

extension CategoryRecord {
    /// Notes which of its texts come from a strings file.
    ///
    /// - Parameter origin: finds where a text came from.
    package mutating func noteOrigins(_ origin: (String) -> LocalizedString?) {
        for text in [hiddenPreviewsBodyPlaceholder, categorySummaryFormat] {
            localized[text] = origin(text) ?? localized[text]
        }
    }

    /// One of its texts in another language, as far as it comes from a strings file.
    ///
    /// - Parameters:
    ///   - text: the placeholder or the format.
    ///   - strings: the strings file of the language.
    /// - Returns: `text` itself if it does not.
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

    /// Notes which of its texts come from a strings file.
    ///
    /// - Parameter origin: finds where a text came from.
    package mutating func noteOrigins(_ origin: (String) -> LocalizedString?) {
        for path in Self.texts {
            let text = self[keyPath: path]
            localized[text] = origin(text) ?? localized[text]
        }
    }

    /// Says it in another language, as far as its texts come from a strings file.
    ///
    /// - Parameter strings: the strings file of the language.
    package mutating func localize(in strings: [String: String]) {
        for path in Self.texts {
            if let origin = localized[self[keyPath: path]] { self[keyPath: path] = origin.text(in: strings) }
        }
        localized = [:]
    }
}
