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

    private typealias Answer = @Sendable (Visit) async throws -> Response

    /// The answers of the portal by method and path, with the least role of the users who may ask; nil for everyone.
    private static let routes: [(method: HTTPRequest.Method, path: String, role: Role?, answer: Answer)] = [
        (.get, "", .viewer, { try await $0.listApps() }),
        (.get, "health", .viewer, { try await $0.showHealth() }),
        (.get, "account", .viewer, { try $0.showAccount() }),
        (.get, "users", .admin, { try await $0.listUsers() }),
        (.get, "audit", .admin, { try await $0.listAudit() }),
        (.get, "phones", .viewer, { try await $0.listPhones() }),
        (.get, "phones/:name", .viewer, { try $0.showPhone() }),
        (.get, "phones/:name/events", .viewer, { try $0.followPhone() }),
        (.get, "phones/:name/run", .viewer, { try $0.downloadRun() }),
        (.get, "phones/:name/attachment", .viewer, { try $0.showAttachment() }),
        (.get, "replay", .viewer, { $0.page("replay", title: $0.texts["phone", "replay"], section: "phones") }),
        (.get, "try", .viewer, { $0.tryIt() }),
        (.get, "sign-in", nil, { $0.askForPassword() }),
        (.post, "sign-in", nil, { try await $0.signIn() }),
        (.get, "welcome", nil, { try await $0.askForFirstUser() }),
        (.post, "welcome", nil, { try await $0.welcome() }),
        (.post, "sign-out", nil, { try await $0.signOut() }),
        (.post, "language", nil, { try await $0.chooseLanguage() }),
        (.post, "api/authenticate", nil, { try await $0.authenticate() }),
        (.get, "api/apps/:app/**", .viewer, { try await $0.callAPI() }),
        (.post, "api/apps/:app/**", .viewer, { try await $0.callAPI() }),
        (.put, "api/apps/:app/**", .viewer, { try await $0.callAPI() }),
        (.delete, "api/apps/:app/**", .viewer, { try await $0.callAPI() }),
        (.post, "api/operator/:operation", .viewer, { try await $0.operate() }),
        (.post, "api/account/password", .viewer, { try await $0.changePassword() }),
        (.post, "api/phones", .sender, { try await $0.addPhone() }),
        (.post, "api/phones/:name/order", .sender, { try await $0.order() }),
        (.post, "api/matrix/:os/:number", .sender, { try await $0.runCase() }),
    ]

    /// Adds the routes. The calls of scripts, below `api`, have the session's token.
    static func addRoutes(of portal: PortalEnvironment, to router: Router<PortalContext>) {
        for route in routes {
            let group = router.group("portal")
            if route.path.hasPrefix("api/") { group.add(middleware: CSRFMiddleware()) }
            if let role = route.role { group.add(middleware: RoleMiddleware(role: role)) }
            group.on(RouterPath(route.path), method: route.method) {
                try await route.answer(Visit(to: portal, $0, $1))
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
