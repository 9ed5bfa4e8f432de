import Hummingbird

/// Counts and times the requests that go through the router.
struct RequestMetrics: RouterMiddleware {
    let metrics: APIMetrics

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        let start = metrics.start
        let response = try await next(request, context)
        metrics.answered(
            APIMetrics.Kind(
                method: request.method.rawValue,
                // Hummingbird gives an unknown path a name of its own, "NotFound".
                route: context.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil },
                status: response.status.code
            ),
            since: start
        )
        return response
    }
}
