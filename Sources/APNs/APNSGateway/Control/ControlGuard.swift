import HTTPTypes
import Hummingbird
import Logging
import NetworkSupport
import PushModel

/// Checks the control token, and returns errors as JSON.
struct ControlGuard<Context: RequestContext>: RouterMiddleware {
    /// The control token; nil gives every client that reaches the port full access.
    let token: String?
    let hosts: HostRule
    let origins: OriginRule
    let resources: [String]

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            try admit(request)
            return try await next(request, context)
        } catch let error as ControlRefusal {
            var response = Self.response(error.status, error.message)
            // Browsers then ask for a password.
            if error.status == .unauthorized, origins.isPage(request) {
                response.headers[.wwwAuthenticate] = #"Basic realm="Posthorn", charset="UTF-8""#
            }
            return response
        } catch let error as JSONProblem {
            return Self.response(.badRequest, error.description)
        } catch let error as HTTPError where error.status == .notFound {
            let names = resources.joined(separator: ", ")
            return Self.response(
                .notFound,
                "There is no \(request.method.rawValue) \(request.uri.path); the resources are \(names)."
            )
        } catch let error as HTTPError {
            return Self.response(error.status, error.body ?? error.status.reasonPhrase)
        } catch {
            context.logger.error("A request failed", metadata: ["error": "\(error)"])
            return Self.response(.internalServerError, "\(error)")
        }
    }

    private func admit(_ request: Request) throws(ControlRefusal) {
        let host = request.head.authority
        guard hosts.admits(host) else {
            throw ControlRefusal(status: .misdirectedRequest, message: HostRule.problem(host))
        }
        try origins.check(request)
        guard let token else { return }
        let header = request.headers[.authorization]
        guard BearerToken.isIn(header, token) || (origins.pages != nil && BearerToken.isPassword(in: header, token))
        else {
            throw ControlRefusal(
                status: .unauthorized,
                message: "The header 'authorization' is missing or wrong; expected 'Bearer' and the control token."
            )
        }
    }

    private static func response(_ status: HTTPResponse.Status, _ message: String) -> Response {
        Response(status, json: ["error": .string(message)])
    }
}

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
