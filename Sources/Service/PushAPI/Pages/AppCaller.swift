package import Hummingbird
package import PushService

/// Calls the API within the process as an app, for pages whose users have signed in.
///
/// The calls count towards no limit of the app.
package struct AppCaller: Sendable {
    private let respond: @Sendable (Request, APIContext) async throws -> Response

    init(_ responder: some HTTPResponder<APIContext>) {
        respond = { try await responder.respond(to: $0, context: $1) }
    }

    /// Answers a request to the API as if the app had sent it.
    ///
    /// `source`: the connection of the request that leads to this one.
    package func respond(
        to request: Request,
        as app: App,
        from source: ApplicationRequestContextSource
    ) async throws -> Response {
        var context = APIContext(source: source)
        context.verifiedApp = app
        return try await respond(request, context)
    }
}
