import HTTPTypes
import Hummingbird
import Logging
import PushModel

/// Gives every failure the body that client libraries parse: some crash on a 404 or a 500 without it.
struct APIErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as JPushError {
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
            context.logger.error("A request failed", metadata: ["error": "\(error)"])
            return Response(JPushError.internalError())
        }
    }
}
