import Foundation
import Hummingbird
import NIOCore

/// The fields of an HTML form, which is sent as `application/x-www-form-urlencoded`.
struct Form: Sendable {
    private let fields: [String: String]

    /// Reads a form.
    ///
    /// - Throws: 413 for one beyond 64 KiB, 400 for something else than a form.
    init(_ request: Request) async throws {
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") ?? false else {
            throw PortalProblem(.badRequest, "no_form")
        }
        let text = String(buffer: try await request.body.collect(upTo: 1 << 16))
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
            fields[decoded[0]] = decoded.count > 1 ? decoded[1] : ""
        }
        self.fields = fields
    }

    /// The value of a field; empty if it is missing.
    subscript(_ name: String) -> String { fields[name] ?? "" }
}
