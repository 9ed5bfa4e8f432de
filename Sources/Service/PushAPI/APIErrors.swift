import Hummingbird
import Logging
import PushModel
import PushService

/// Adds the body that client libraries parse to every failure; some crash on a 404 or a 500 without it.
struct APIErrors: RouterMiddleware {
    typealias Context = APIContext

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        // Callers can retry, so they do not wait for the disk when too many already do.
        await WriteBackpressure.$mayBeRefused.withValue(true) {
            do { return try await next(request, context) } catch {
                return Self.answer(error, to: request, of: .push, logger: context.logger)
            }
        }
    }

    /// Returns the response of `body`, or the family's response to its failure.
    static func catching(
        _ request: Request,
        of family: APIFamily,
        context: APIContext,
        _ body: () async throws -> Response
    ) async -> Response {
        do { return try await body() } catch {
            return answer(error, to: request, of: family, logger: context.logger)
        }
    }

    /// Returns the error for a failure that the caller did not cause, and the seconds after which a retry may succeed.
    static func problem(_ error: any Error, of family: APIFamily, logger: Logger) -> (JPushError, retryAfter: Int?) {
        if let error = error as? StoreError, let seconds = error.retryAfter {
            // The store itself logs once that it refuses writes.
            logger.debug("A request was refused", metadata: ["error": "\(error)"])
            return (family.unavailable(error.publicDescription), seconds)
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
