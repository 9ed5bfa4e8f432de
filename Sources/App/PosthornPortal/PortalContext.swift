import Hummingbird
import Logging
import NIOCore

/// The rest of the way of a request, after a middleware.
typealias PortalNext = (Request, PortalContext) async throws -> Response

/// The context of a request to the portal.
struct PortalContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The address of the client, or of its network; nil if unknown.
    var address: String?
    /// Whether the browser's connection has TLS: to the service, or to a proxy that is trusted to say so.
    var isSecure = false
    /// The session of a user who has signed in.
    var session: Session?
    var language = Language.english
    /// The path and the query of the request.
    var path = "/portal"

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The connection of the request, for requests that lead from it to the API.
    var source: ApplicationRequestContextSource { ApplicationRequestContextSource(channel: channel, logger: logger) }
}
