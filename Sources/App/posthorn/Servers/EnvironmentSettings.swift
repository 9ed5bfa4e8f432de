import Foundation

/// The variables of the environment as settings: an empty one counts as not set, and blanks and line ends around a value do not belong to it.
///
/// Compose files pass on variables that are empty, and a secret from a file often ends with a line end.
enum EnvironmentSettings {
    /// The variables that are set.
    static var all: [String: String] { ProcessInfo.processInfo.environment.compactMapValues(\.setting) }

    static subscript(_ name: String) -> String? { ProcessInfo.processInfo.environment[name]?.setting }
}

extension String {
    /// The text as the value of a setting; nil if it is empty or blank.
    var setting: String? {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// The address of a server without the brackets that an IPv6 address has in a URL.
    var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") && contains(":") ? String(dropFirst().dropLast()) : self
    }
}
