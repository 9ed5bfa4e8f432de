import Hummingbird
import PushModel
import PushService

/// A request to a page about an app.
struct AppVisit: Sendable {
    let portal: PortalEnvironment
    let request: Request
    let context: PortalContext
    /// The app that the path names as `:app`.
    let app: App
    /// The texts in the user's language.
    let texts: Catalogue

    /// The pages by their path below `apps/:app`.
    private static let pages: [(path: String, show: @Sendable (AppVisit) -> () async throws -> Response)] = [
        ("", showApp),
        ("/compose", compose),
        ("/campaigns", { visit in { visit.page("campaigns", [:]) } }),
        ("/devices", listDevices),
        ("/devices/:device", showDevice),
        ("/devices/:device/why", chooseMessage),
        ("/messages", listMessages),
        ("/messages/:message", showMessage),
        ("/messages/:message/live", followMessage),
        ("/messages/:message/why", chooseDevice),
        ("/messages/:message/devices/:device", explain),
        ("/schedules", listSchedules),
        ("/schedules/:schedule", showSchedule),
        ("/reports", report),
    ]

    /// Adds the pages about apps.
    static func addPages(of portal: PortalEnvironment, to router: Router<PortalContext>) {
        let router = router.group("portal").add(middleware: RoleMiddleware(role: .viewer))
        for page in pages {
            router.get(RouterPath("apps/:app\(page.path)")) { try await page.show(AppVisit(to: portal, $0, $1))() }
        }
        router.get("api/firings/:app") { try await AppVisit(to: portal, $0, $1).firings() }
    }

    /// - Throws: 404 if there is no such app.
    private init(to portal: PortalEnvironment, _ request: Request, _ context: PortalContext) async throws {
        self.portal = portal
        self.request = request
        self.context = context
        app = try await portal.app(context)
        texts = portal.texts(context)
    }

    /// Reads a resource of the API as the app.
    ///
    /// - Throws: the API's refusal, in its words.
    func get(_ path: String) async throws -> JSONValue { try await portal.get(path, as: app, for: request, context) }

    /// Reads a resource of the API.
    func read<Answer: Decodable>(_ path: String) async throws -> Answer {
        try JSONCoding.read(from: try await get(path))
    }

    /// Returns a page; by default the template is the section of the menu and that of the texts with the title.
    func page(_ template: String, title: String? = nil, _ values: PageValues, section: String? = nil) -> Response {
        portal.page(template, title: title, values, app: app, section: section, in: context)
    }

    /// Leads to a page about the app.
    func redirect(to path: String) -> Response { .redirect(to: "/portal/apps/\(app.key)/\(path)", type: .normal) }
}
