package import Foundation
package import Hummingbird
package import Logging
import NIOCore
package import PushAPI
import PushModel
package import PushService

/// The web portal of a service.
package struct Portal: PageServer {
    package static let segment = "portal"

    private let environment: PortalEnvironment
    private let responder: any HTTPResponder<PortalContext>

    /// Creates the portal of a service. `caller` calls the API in the name of an app, and `settings` are those of the server at whose port the
    /// portal is. Phones may be added to `phones` later. The files of the folder `reloading` are read again for each request, instead of those
    /// in the binary.
    ///
    /// - Throws: an error about a file of `reloading`.
    package init(
        core: ServiceCore,
        caller: AppCaller,
        settings: PushAPI.Settings,
        phones: PhoneShelf,
        reloading folder: URL? = nil,
        logger: Logger
    ) throws {
        environment = PortalEnvironment(
            pages: try PageSource(reloading: folder),
            core: core,
            caller: caller,
            api: settings,
            phones: phones,
            logger: logger
        )
        responder = Self.router(environment).buildResponder()
    }

    package func respond(to request: Request, from source: ApplicationRequestContextSource) async throws -> Response {
        try await responder.respond(to: request, context: PortalContext(source: source))
    }

    /// Creates a user who may do everything, with a random password, for a stack that lasts as long as a test.
    ///
    /// - Returns: the password.
    package func createAdministrator(_ name: String) async throws -> String {
        try await environment.operators.createAdministrator(name)
    }

    /// Returns the path of the one-time link for the first user; nil if there are or were users.
    package func invitation() async throws -> String? {
        guard try await !environment.operators.hasHadUser() else { return nil }
        return "/portal/welcome?key=\(environment.invitations.make())"
    }

    private static func router(_ portal: PortalEnvironment) -> Router<PortalContext> {
        let router = Router(context: PortalContext.self)
        router.add(middleware: VisitorMiddleware(portal: portal))
        // Answers if the session's user cannot be read.
        router.add(middleware: ProblemMiddleware(portal: portal))
        router.add(middleware: SessionMiddleware(portal: portal))
        // Answers with the user's menu.
        router.add(middleware: ProblemMiddleware(portal: portal))
        router.add(middleware: SameOriginMiddleware())
        router.get("portal/files/:version/:name") { _, context in
            let version = try context.parameters.require("version")
            let name = try context.parameters.require("name")
            guard let response = portal.pages.current.response(name, version: version) else {
                throw HTTPError(.notFound)
            }
            return response
        }
        Visit.addRoutes(of: portal, to: router)
        AppVisit.addPages(of: portal, to: router)
        return router
    }
}

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
