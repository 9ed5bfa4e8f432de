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
