import HTTPTypes
import Hummingbird
import Logging
import PushModel

/// Gives every failure the body that client libraries parse: some crash on a 404 or a 500 without it.
struct APIErrors: RouterMiddleware {
    typealias Context = APIContext

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            return Self.answer(error, to: request, internalError: .internalError(), logger: context.logger)
        }
    }

    /// What `body` answers, or what its failure is answered with in a family.
    static func catching(
        _ request: Request,
        of family: APIFamily,
        _ context: APIContext,
        _ body: () async throws -> Response
    ) async -> Response {
        do { return try await body() } catch {
            return answer(error, to: request, internalError: family.internalError, logger: context.logger)
        }
    }

    /// What a failure is answered with: `internalError` where nobody but the service is to blame.
    private static func answer(
        _ error: any Error,
        to request: Request,
        internalError: JPushError,
        logger: Logger
    ) -> Response {
        do { throw error } catch let error as JPushError {
            return Response(error)
        } catch let error as HTTPError where error.status == .contentTooLarge {
            let limit = PushAPI.bodyLimit
            return Response(
                .contentTooLarge,
                json: JPushError.tooLarge("The body is larger than \(limit) bytes; split the request.").json
            )
        } catch let error as HTTPError where error.status == .notFound {
            let path = request.uri.path
            let message = "There is no resource '\(path)'; push is POST /v3/push."
            return Response(JPushError(status: 404, code: 1003, message: message))
        } catch let error as HTTPError {
            let message = error.body ?? error.status.reasonPhrase
            return Response(JPushError(status: error.status.code, code: 1003, message: message))
        } catch {
            logger.error("A request failed", metadata: ["error": "\(error)"])
            return Response(internalError)
        }
    }
}
