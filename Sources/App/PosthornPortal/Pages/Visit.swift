import Hummingbird
import PushModel
import PushService

/// A request to a page.
struct Visit: Sendable {
    let portal: PortalEnvironment
    let request: Request
    let context: PortalContext
    /// The texts in the user's language.
    let texts: Catalogue

    /// The pages by their path, with the least role of the users who may see them.
    private static let pages: [(path: String, role: Role, show: @Sendable (Visit) async throws -> Response)] = [
        ("", .viewer, { try await $0.listApps() }), ("health", .viewer, { try await $0.showHealth() }),
        ("account", .viewer, { try $0.showAccount() }), ("users", .admin, { try await $0.listUsers() }),
        ("audit", .admin, { try await $0.listAudit() }), ("phones", .viewer, { try await $0.listPhones() }),
        ("phones/:name", .viewer, { try $0.showPhone() }), ("phones/:name/events", .viewer, { try $0.followPhone() }),
        ("phones/:name/run", .viewer, { try $0.downloadRun() }),
        ("phones/:name/attachment", .viewer, { try $0.showAttachment() }),
        ("replay", .viewer, { $0.page("replay", title: $0.texts["phone", "replay"], section: "phones") }),
        ("try", .viewer, { $0.tryIt() }),
    ]

    /// Adds the pages.
    static func addPages(of portal: PortalEnvironment, to router: RouterGroup<PortalContext>) {
        for page in pages {
            router.group("").add(middleware: RoleMiddleware(role: page.role)).get(RouterPath(page.path)) {
                try await page.show(Visit(to: portal, $0, $1))
            }
        }
    }

    init(to portal: PortalEnvironment, _ request: Request, _ context: PortalContext) {
        (self.portal, self.request, self.context) = (portal, request, context)
        texts = portal.texts(context)
    }

    func page(_ template: String, title: String? = nil, _ values: PageValues = [:], section: String? = nil) -> Response
    {
        portal.page(template, title: title, values, section: section, in: context)
    }
}

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
    private static let pages: [(path: String, show: @Sendable (AppVisit) async throws -> Response)] = [
        ("", { try await $0.showApp() }), ("/compose", { try await $0.compose() }),
        ("/devices", { try await $0.listDevices() }), ("/devices/:device", { try await $0.showDevice() }),
        ("/devices/:device/why", { try $0.chooseMessage() }), ("/messages", { try await $0.listMessages() }),
        ("/messages/:message", { try await $0.showMessage() }),
        ("/messages/:message/live", { try await $0.followMessage() }),
        ("/messages/:message/why", { try await $0.chooseDevice() }),
        ("/messages/:message/devices/:device", { try await $0.explain() }),
        ("/schedules", { try await $0.listSchedules() }), ("/schedules/:schedule", { try await $0.showSchedule() }),
        ("/reports", { try await $0.report() }),
    ]

    /// Adds the pages about apps.
    static func addPages(of portal: PortalEnvironment, to router: RouterGroup<PortalContext>) {
        for page in pages {
            router.get(RouterPath("apps/:app\(page.path)")) { try await page.show(AppVisit(to: portal, $0, $1)) }
        }
        router.get("api/firings/:app") { try await AppVisit(to: portal, $0, $1).firings() }
    }

    /// - Throws: 404 if there is no such app.
    private init(to portal: PortalEnvironment, _ request: Request, _ context: PortalContext) async throws {
        (self.portal, self.request, self.context) = (portal, request, context)
        app = try await portal.app(context)
        texts = portal.texts(context)
    }

    /// Reads a resource of the API as the app.
    ///
    /// - Throws: the API's refusal, in its words.
    func get(_ path: String) async throws -> JSONValue {
        try await portal.get(path, as: app, for: request, context)
    }

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
