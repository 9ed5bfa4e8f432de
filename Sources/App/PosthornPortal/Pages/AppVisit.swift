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

    /// - Throws: 404 if there is no such app.
    init(to portal: PortalEnvironment, _ request: Request, _ context: PortalContext) async throws {
        self.portal = portal
        self.request = request
        self.context = context
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

    func page(_ template: String, title: String, _ values: JSONObject, section: String) -> Response {
        portal.page(template, title: title, values, app: app, section: section, in: context)
    }
}

extension RouterGroup<PortalContext> {
    /// Adds a page about an app, at a path below `apps/:app`.
    func page(
        _ path: String,
        of portal: PortalEnvironment,
        _ show: @escaping @Sendable (AppVisit) async throws -> Response
    ) {
        get(RouterPath("apps/:app\(path)")) { try await show(AppVisit(to: portal, $0, $1)) }
    }
}
