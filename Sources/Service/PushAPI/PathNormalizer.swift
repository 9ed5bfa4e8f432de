import HTTPTypes
import Hummingbird

/// Evens out how client libraries spell paths: `/v3//push/` is `/v3/push`.
///
/// Source: the official libraries for PHP, Ruby, Python and Node, which double or append slashes.
struct PathNormalizer<Inner: HTTPResponder>: HTTPResponder {
    let inner: Inner

    func respond(to request: Request, context: Inner.Context) async throws -> Response {
        guard let path = request.head.path else { return try await inner.respond(to: request, context: context) }
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].split(separator: "/")
        var head = request.head
        head.path = "/" + segments.joined(separator: "/") + (parts.count > 1 ? "?\(parts[1])" : "")
        return try await inner.respond(to: Request(head: head, body: request.body), context: context)
    }
}
