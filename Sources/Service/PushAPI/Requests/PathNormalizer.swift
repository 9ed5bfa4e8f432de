import Hummingbird

/// Normalises the paths of client libraries: `/v3//push/` is `/v3/push`, `/v3/device/tags/a` is `/v3/tags/a`.
///
/// Source: the official libraries for PHP, Ruby, Python and Node, which double or append slashes; those for PHP and Python,
/// which use `/v3/device` for devices, `/v3/push` for schedules and `/v3/report` for reports in the Beijing zone; and a library
/// for Go, which appends `&new_format=true` to an alias without a `?`.
struct PathNormalizer<Inner: HTTPResponder>: HTTPResponder {
    let inner: Inner

    func respond(to request: Request, context: Inner.Context) async throws -> Response {
        guard let path = request.head.path else { return try await inner.respond(to: request, context: context) }
        var head = request.head
        head.path = Self.normal(path)
        return try await inner.respond(to: Request(head: head, body: request.body), context: context)
    }

    /// Returns the path in the form of the routes, with its query.
    static func normal(_ path: String) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments = parts[0].split(separator: "/")
        if segments.count > 2, segments[..<2] == ["v3", "device"] {
            if ["tags", "aliases"].contains(segments[2]) {
                segments.remove(at: 1)
            } else {
                segments[1] = "devices"
            }
        }
        if segments.count > 2, segments[..<3] == ["v3", "push", "schedules"] { segments.remove(at: 1) }
        if segments.count > 2, segments[..<2] == ["v3", "report"] { segments.remove(at: 1) }
        var query = parts.count > 1 ? "?\(parts[1])" : ""
        let newFormat = "&new_format=true"
        if segments.count == 3, segments[1] == "aliases", query.isEmpty, segments[2].hasSuffix(newFormat) {
            segments[2] = segments[2].dropLast(newFormat.utf8.count)
            query = "?" + newFormat.dropFirst()
        }
        return "/" + segments.joined(separator: "/") + query
    }
}
