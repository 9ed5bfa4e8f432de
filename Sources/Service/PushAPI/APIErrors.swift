import HTTPTypes
import Hummingbird
import Logging
import PushModel
import PushService

/// Gives every failure the body that client libraries parse: some crash on a 404 or a 500 without it.
struct APIErrors: RouterMiddleware {
    typealias Context = APIContext

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // Callers can ask again: they do not wait for a disk for which too many wait already.
        await WriteBackpressure.$mayBeRefused.withValue(true) {
            do { return try await next(request, context) } catch {
                return Self.answer(error, to: request, of: .push, logger: context.logger)
            }
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
            return answer(error, to: request, of: family, logger: context.logger)
        }
    }

    /// What a failure is answered with that is not the caller's, and after how many seconds the same may succeed.
    static func problem(_ error: any Error, of family: APIFamily, logger: Logger) -> (JPushError, retryAfter: Int?) {
        if let error = error as? StoreError, let seconds = error.retryAfter {
            // Whoever keeps the store says once that it takes no writes.
            logger.debug("A request was refused", metadata: ["error": "\(error)"])
            return (family.unavailable(error.description), seconds)
        }
        if let error = error as? TooManyUploads { return (family.unavailable(error.description), error.retryAfter) }
        logger.error("A request failed", metadata: ["error": "\(error)"])
        return (family.internalError, nil)
    }

    private static func answer(
        _ error: any Error,
        to request: Request,
        of family: APIFamily,
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
            let (problem, seconds) = problem(error, of: family, logger: logger)
            var response = Response(problem)
            if let seconds { response.headers[.retryAfter] = "\(seconds)" }
            return response
        }
    }
}
