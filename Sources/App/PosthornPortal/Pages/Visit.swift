import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// A request to the portal.
struct Visit: Sendable {
    let portal: PortalEnvironment
    let request: Request
    let context: PortalContext
    /// The texts in the user's language.
    let texts: Catalogue

    private typealias Answer = @Sendable (Visit) -> () async throws -> Response

    /// The answers of the portal by method and path, with the least role of the users who may ask; nil for everyone.
    private static let routes: [(method: HTTPRequest.Method, path: String, role: Role?, answer: Answer)] = [
        (.get, "", .viewer, listApps),
        (.get, "health", .viewer, showHealth),
        (.get, "account", .viewer, showAccount),
        (.get, "users", .admin, listUsers),
        (.get, "audit", .admin, listAudit),
        (.get, "phones", .viewer, listPhones),
        (.get, "phones/:name", .viewer, showPhone),
        (.get, "phones/:name/events", .viewer, followPhone),
        (.get, "phones/:name/run", .viewer, downloadRun),
        (.get, "phones/:name/attachment", .viewer, showAttachment),
        (.get, "replay", .viewer, showReplay),
        (.get, "try", .viewer, tryIt),
        (.get, "sign-in", nil, askForPassword),
        (.post, "sign-in", nil, signIn),
        (.get, "welcome", nil, askForFirstUser),
        (.post, "welcome", nil, welcome),
        (.post, "sign-out", nil, signOut),
        (.post, "language", nil, chooseLanguage),
        (.post, "api/authenticate", nil, authenticate),
        (.get, "api/apps/:app/**", .viewer, callAPI),
        (.post, "api/apps/:app/**", .viewer, callAPI),
        (.put, "api/apps/:app/**", .viewer, callAPI),
        (.delete, "api/apps/:app/**", .viewer, callAPI),
        (.post, "api/operator/:operation", .viewer, operate),
        (.post, "api/account/password", .viewer, changePassword),
        (.post, "api/explain", .viewer, explainPush),
        (.post, "api/phones", .sender, addPhone),
        (.post, "api/phones/:name/order", .sender, order),
        (.post, "api/matrix/:os/:number", .sender, runCase),
    ]

    /// Adds the routes. The calls of scripts, below `api`, have the session's token.
    static func addRoutes(of portal: PortalEnvironment, to router: Router<PortalContext>) {
        for route in routes {
            let group = router.group("portal")
            if route.path.hasPrefix("api/") { group.add(middleware: CSRFMiddleware()) }
            if let role = route.role { group.add(middleware: RoleMiddleware(role: role)) }
            group.on(RouterPath(route.path), method: route.method) {
                try await route.answer(Visit(to: portal, $0, $1))()
            }
        }
    }

    init(to portal: PortalEnvironment, _ request: Request, _ context: PortalContext) {
        self.portal = portal
        self.request = request
        self.context = context
        texts = portal.texts(context)
    }

    func page(_ template: String, title: String? = nil, _ values: PageValues = [:], section: String? = nil) -> Response
    {
        portal.page(template, title: title, values, section: section, in: context)
    }
}
