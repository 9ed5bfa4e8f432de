import Foundation

/// The query string of a page of the console, as forms send it.
struct ConsoleQuery {
    private let fields: [(name: String, value: String)]

    /// Reads `a=1&b=two+words`. Empty fields are left out, because a form sends all of its fields.
    init(_ text: String) {
        fields = text.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            guard parts.count == 2, !parts[1].isEmpty else { return nil }
            // Copied text often has spaces around it.
            let value = parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
            return (parts[0], parts[0] == "text" ? parts[1] : value)
        }
    }

    /// The value of a field; nil if it is missing or empty.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns the fields with these names.
    func fields(_ names: [String]) -> [(name: String, value: String)] {
        fields.filter { names.contains($0.name) }
    }

    /// Returns the address of this page with some fields changed, or without those that are nil.
    func link(_ changes: KeyValuePairs<String, String?>) -> String {
        let changed = Set(changes.map(\.key))
        var all = fields.filter { !changed.contains($0.name) && $0.name != "language" }
        for (name, value) in changes { if let value { all.append((name, value)) } }
        return Self.link(all)
    }

    /// Returns the address of a page of the console with these fields.
    static func link(_ fields: [(name: String, value: String)]) -> String {
        let pairs = fields.map { "\(encoded($0.name))=\(encoded($0.value))" }
        return pairs.isEmpty ? "/console" : "/console?\(pairs.joined(separator: "&"))"
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
