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
            return Self.response(error.status, error.message)
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
        // A page in a browser can reach the loopback too; browsers send its origin.
        guard request.headers[.origin] == nil else {
            throw ControlRefusal(status: .forbidden, message: "The control endpoint is not for web pages.")
        }
        guard let token else { return }
        guard BearerToken.isIn(request.headers[.authorization], token) else {
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
