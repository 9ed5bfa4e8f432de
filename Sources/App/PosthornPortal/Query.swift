import Foundation
import Hummingbird
import NIOCore
import PosthornStack
import PushModel

/// The fields of a query or a form (`application/x-www-form-urlencoded`).
private func fields(in text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
}

/// The query of an address.
struct Query {
    private var pairs: [(name: String, value: String)]

    /// Pairs without a value are left out.
    init(_ pairs: KeyValuePairs<String, String?>) {
        self.init(pairs.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } })
    }

    fileprivate init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

    /// The query with its question mark; empty without pairs.
    var text: String {
        guard !pairs.isEmpty else { return "" }
        return "?" + pairs.map { "\(APIClient.encoded($0.name))=\(APIClient.encoded($0.value))" }.joined(separator: "&")
    }
}

extension Request {
    /// Returns a parameter of the query without surrounding white space; nil if it is missing or empty.
    ///
    /// A form writes a space as `+`, which `uri.queryParameters` leaves as it is.
    func wish(_ name: String) -> String? {
        let found = fields(in: uri.query ?? "").first { $0.name == name }
        let trimmed = found?.value.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a parameter of the query as it is.
    func parameter(_ name: String) -> String? { uri.queryParameters[Substring(name)].map { String($0) } }
}

/// The fields of an HTML form.
struct Form: Sendable {
    private let values: [String: String]

    /// Reads a form.
    ///
    /// - Throws: 413 for one beyond 64 KiB, 400 for something else than a form.
    init(_ request: Request) async throws {
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") ?? false else {
            throw PortalProblem(.badRequest, "no_form")
        }
        let text = String(buffer: try await request.body.collect(upTo: 1 << 16))
        let found = fields(in: text)
        // No store keeps one, and no browser sends one.
        guard !found.contains(where: { $0.name.hasNUL || $0.value.hasNUL }) else {
            throw PortalProblem(.badRequest, "no_form")
        }
        values = Dictionary(found.map { ($0.name, $0.value) }) { $1 }
    }

    /// The value of a field; empty if it is missing.
    subscript(_ name: String) -> String { values[name] ?? "" }
}

/// The query string of a page of the console, as forms send it.
struct ConsoleQuery {
    private let fields: [(name: String, value: String)]

    /// Reads `a=1&b=two+words`. Empty fields are left out, because a form sends all of its fields.
    init(_ text: String) {
        fields = PosthornPortal.fields(in: text).filter { !$0.value.isEmpty }.map { name, value in
            // Copied text often has spaces around it.
            (name, name == "text" ? value : value.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    /// The value of a field; nil if it is missing or empty.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns the fields with these names.
    func fields(_ names: [String]) -> [(name: String, value: String)] { fields.filter { names.contains($0.name) } }

    /// Returns the address of this page with some fields changed, or without those that are nil.
    func link(_ changes: KeyValuePairs<String, String?>) -> String {
        let kept = fields.filter { field in field.name != "language" && !changes.contains { $0.key == field.name } }
        return Self.link(kept + changes.compactMap { name, value in value.map { (name, $0) } })
    }

    /// Returns the address of a page of the console with these fields.
    static func link(_ fields: [(name: String, value: String)]) -> String { "/console\(Query(fields).text)" }
}
