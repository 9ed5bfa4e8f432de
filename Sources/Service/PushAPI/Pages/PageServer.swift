import DeviceLinkNIO
package import Hummingbird
import NetworkSupport
import PushModel
package import PushService

/// A server of web pages at the port of the API.
package protocol PageServer: Sendable {
    /// The first segment of its paths.
    static var segment: String { get }

    /// Answers a request whose path begins with the segment.
    ///
    /// `source`: the connection of the request.
    func respond(to request: Request, from source: ApplicationRequestContextSource) async throws -> Response
}

/// Separates the requests for pages from those for the API.
struct PageSplitter<Inner: HTTPResponder>: HTTPResponder where Inner.Context == APIContext {
    let inner: Inner
    let pages: (any PageServer)?
    let admission: LinkAdmission

    func respond(to request: Request, context: APIContext) async throws -> Response {
        guard let pages, isForPages(request.uri.path, of: pages) else {
            return try await inner.respond(to: request, context: context)
        }
        let host = request.head.authority
        guard admission.hosts.admits(host) else {
            return Response(JPushError(status: 421, code: 1003, message: HostRule.problem(host)))
        }
        let source = ApplicationRequestContextSource(channel: context.channel, logger: context.logger)
        return try await pages.respond(to: request, from: source)
    }

    private func isForPages(_ path: String, of pages: any PageServer) -> Bool {
        path.split(separator: "/").first.map(String.init) == type(of: pages).segment
    }
}

/// Calls the API within the process as an app, for pages whose users have signed in.
///
/// The calls count towards no limit of the app.
package struct AppCaller: Sendable {
    let responder: any HTTPResponder<APIContext>

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
        return try await responder.respond(to: request, context: context)
    }
}
