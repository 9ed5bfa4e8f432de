import Foundation
import Hummingbird

/// The query of an address.
struct Query {
    private var pairs: [(name: String, value: String)]

    /// Pairs without a value are left out.
    init(_ pairs: KeyValuePairs<String, String?>) {
        self.pairs = pairs.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
    }

    /// The query with its question mark; empty without pairs.
    var text: String {
        guard !pairs.isEmpty else { return "" }
        return "?" + pairs.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

extension Request {
    /// Returns a parameter of the query without surrounding white space; nil if it is missing or empty.
    ///
    /// A form writes a space as `+`, which `uri.queryParameters` leaves as it is.
    func wish(_ name: String) -> String? {
        for pair in (uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name, parts.count == 2 else { continue }
            let text = parts[1].replacing("+", with: " ").removingPercentEncoding ?? ""
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return trimmed.isEmpty ? nil : trimmed
        }
        return nil
    }
}
