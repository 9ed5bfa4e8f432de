import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PushModel
import PushService

/// The refusal of a request to the portal.
struct PortalProblem: Error {
    var status: HTTPResponse.Status
    /// The key of the sentence in the section `problems` of the catalogue.
    var key: String
    /// Values for the sentence.
    var values: [String: String] = [:]
    /// A sentence from the service, which goes before the catalogue's.
    var message: String?
    /// The remark of the service that the sentence is about; it goes before both.
    var remark: Remark?
    /// Seconds after which the request may succeed.
    var retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ key: String, values: [String: String] = [:], retryAfter: Int? = nil) {
        self.status = status
        self.key = key
        self.values = values
        self.retryAfter = retryAfter
    }

    /// A refusal in the words of the service.
    init(_ status: HTTPResponse.Status, message: String) {
        self.init(status, "refused")
        self.message = message
    }

    init(_ error: OperatorError) {
        self.init(HTTPResponse.Status(code: error.code.status), message: error.message)
        remark = error.remark
        retryAfter = error.retryAfter
    }
}

/// Turns failures into pages, or for calls into JSON, and adds the headers that keep other sites out.
struct ProblemMiddleware: RouterMiddleware {
    let portal: PortalEnvironment

    func handle(_ request: Request, context: PortalContext, next: PortalNext) async throws -> Response {
        var response: Response
        do { response = try await next(request, context) } catch {
            response = answer(Self.problem(error, context), to: request, context)
        }
        for (name, text) in Self.headers { response.headers[name] = text }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private static func problem(_ error: any Error, _ context: PortalContext) -> PortalProblem {
        switch error {
        case let problem as PortalProblem: return problem
        case let error as OperatorError: return PortalProblem(error)
        case let error as HTTPError where error.status == .notFound: return PortalProblem(.notFound, "not_found")
        case is JSONSyntaxError: return PortalProblem(.badRequest, "no_object")
        case is NIOTooManyBytesError: return PortalProblem(.contentTooLarge, "too_large")
        case let error as HTTPError where error.status.code < 500:
            return PortalProblem(error.status, message: error.body ?? error.status.reasonPhrase)
        default:
            context.logger.error("A request to the portal failed", metadata: ["error": "\(error)"])
            return PortalProblem(.internalServerError, "failed")
        }
    }

    private func answer(_ problem: PortalProblem, to request: Request, _ context: PortalContext) -> Response {
        let message = portal.text(of: problem, in: context)
        let response: Response
        if request.uri.path.hasPrefix("/portal/api/") || request.method != .get && !Self.isForm(request) {
            response = Response(["error": ["code": problem.key, "message": message] as JSONMembers])
        } else {
            response = portal.page("problem", title: message, ["message": message], in: context)
        }
        return response.refusing(by: problem)
    }

    private static func isForm(_ request: Request) -> Bool {
        request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") ?? false
    }

    /// Scripts, styles and connections only from this server; no page of another site may show this one.
    static let headers: [HTTPField.Name: String] = {
        let texts = [
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
                + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        ]
        return Dictionary(
            uniqueKeysWithValues: texts.compactMap { name, text in HTTPField.Name(name).map { ($0, text) } }
        )
    }()
}

extension PortalEnvironment {
    /// Returns the sentence of a refusal in the user's language: a remark of the service, its words, or the catalogue's.
    func text(of problem: PortalProblem, in context: PortalContext) -> String {
        if let remark = problem.remark { return remarkText(in: context).found([remark]) }
        let texts = texts(context)
        return problem.message.map(texts.said) ?? texts.text("problems", problem.key, with: problem.values)
    }
}

extension Response {
    static let json = "application/json; charset=utf-8"

    init(_ members: JSONMembers) { self.init(ByteBuffer(bytes: members.json.bytes), as: Self.json) }

    /// Returns the response with the status of a refusal.
    func refusing(by problem: PortalProblem) -> Response {
        var response = self
        response.status = problem.status
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    init(html: String) { self.init(ByteBuffer(string: html), as: "text/html; charset=utf-8") }

    /// A body with its media type.
    init(_ body: ByteBuffer, as type: String) {
        self.init(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: body))
    }
}
