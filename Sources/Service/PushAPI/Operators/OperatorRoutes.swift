import HTTPTypes
package import Hummingbird
import Logging
import NetworkSupport
import PushModel
import PushService

/// The operations of operators: `POST /posthorn/v1/operator/{operation}` with a JSON object.
struct OperatorRoutes: Sendable {
    let operators: OperatorController
    /// The name of this way in, for the audit log.
    let actor: String
    let proxies: ProxyRule
    let logger: Logger

    func add(to group: RouterGroup<APIContext>) {
        let resource = group.resource("posthorn/v1/operator/:operation", [.post])
        resource.on(.post, by: { _ in }) { request, context, _ in
            let operation = try context.parameters.require("operation")
            do throws(OperatorError) {
                let body: [UInt8]
                do { body = try await request.bytes() } catch {
                    throw OperatorError(
                        .badRequest,
                        "The body cannot be read, or is larger than \(PushAPI.bodyLimit) bytes."
                    )
                }
                let actor = Actor(name: actor, address: proxies.network(of: request, context))
                let answer = try await operators.perform(operation, body, by: actor)
                // Secrets are in bodies; the names of operations are not secret.
                logger.info("An operator's request was carried out", metadata: ["operation": "\(operation)"])
                return Response(json: .object(answer))
            } catch {
                if error.code == .internalError {
                    logger.error(
                        "An operator's request failed",
                        metadata: ["operation": "\(operation)", "error": "\(error)"]
                    )
                }
                return Response(error)
            }
        }
    }
}

/// Authenticates an operator, or a reader of metrics, by `Bearer` and a token of the settings.
struct OperatorAuthentication: RouterMiddleware {
    /// The accepted tokens. Without any, every request is refused.
    let tokens: [SecretHash]
    /// The answer to every request if there are no tokens.
    let advice: String
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        guard !tokens.isEmpty else { return Response(OperatorError(.unauthorized, advice)) }
        guard let token = Authorization.bearerToken(in: request.headers[.authorization]),
            tokens.contains(where: { $0.matches(String(token)) })
        else {
            let response = Response(
                OperatorError(
                    .unauthorized,
                    "The token is missing or wrong; expected 'Authorization: Bearer TOKEN'."
                )
            )
            return failures.answer(response, to: request, context, as: "an operator")
        }
        return try await next(request, context)
    }
}

extension Response {
    init(_ error: OperatorError) {
        self.init(HTTPResponse.Status(code: error.code.status), json: error.json)
        if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    }
}

extension PushAPI {
    /// Returns a server for operators on a Unix socket, whose file permissions are the authentication.
    ///
    /// - `path`: where nothing may be; see `sun_path` in unix(7) for its greatest length.
    /// - `onRunning`: called once requests are answered.
    package func operatorApplication(
        onSocket path: String,
        onRunning: @escaping @Sendable () async -> Void
    ) -> some ApplicationProtocol {
        let router = Router(context: APIContext.self)
        router.add(middleware: APIErrors())
        OperatorRoutes(operators: operators, actor: "operator socket", proxies: .none, logger: operatorLogger).add(
            to: router.group("")
        )
        return Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .unixDomainSocket(path: path)),
            onServerRunning: { _ in await onRunning() },
            logger: operatorLogger
        )
    }
}
