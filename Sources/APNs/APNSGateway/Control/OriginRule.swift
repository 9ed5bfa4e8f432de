import HTTPTypes
import Hummingbird

/// Which requests of web pages are answered: those of the endpoint's own pages.
///
/// A page of another site can reach the loopback too, and a browser adds its user's password to what that page sends.
struct OriginRule: Sendable {
    /// The first path component of the endpoint's own pages; nil if there are none.
    let pages: String?

    /// - Throws: 403 for a request of another site's page, 415 for one of an own page whose body is not JSON.
    func check(_ request: Request) throws(ControlRefusal) {
        let origin = request.headers[.origin]
        guard pages != nil else {
            guard origin == nil else { throw Self.foreignPage }
            return
        }
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" {
            // A link to a page of ours changes nothing.
            let isLink = request.headers[.secFetchMode] == "navigate" && request.method == .get && isPage(request)
            guard isLink else { throw Self.foreignPage }
        }
        guard let origin else { return }
        let parts = origin.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        let host = parts.last.map { $0.drop { $0 == "/" }.lowercased() }
        guard parts.count == 2, host == request.head.authority?.lowercased() else { throw Self.foreignPage }
        // A form cannot send JSON.
        guard request.method != .post && request.method != .put || Self.isJSON(request) else {
            throw ControlRefusal(
                status: .unsupportedMediaType,
                message: "The content type is '\(request.headers[.contentType] ?? "")'; expected application/json."
            )
        }
    }

    /// Whether the request is for a page.
    func isPage(_ request: Request) -> Bool {
        guard let pages else { return false }
        return request.uri.path == "/" || request.uri.path.split(separator: "/").first.map(String.init) == pages
    }

    private static let foreignPage = ControlRefusal(
        status: .forbidden,
        message: "The control endpoint is not for web pages of other sites."
    )

    private static func isJSON(_ request: Request) -> Bool {
        request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() == "application/json"
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
    fileprivate static let secFetchMode = known("Sec-Fetch-Mode")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is the name of a header.") }
        return name
    }
}
