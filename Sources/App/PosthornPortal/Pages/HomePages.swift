import HTTPTypes
import Hummingbird
import NIOCore
import PushModel
import PushService

/// The first page: the apps.
struct HomePages: Sendable {
    let portal: PortalEnvironment

    func add(to router: RouterGroup<PortalContext>) {
        router.get("") { request, context in
            let list: AppListAnswer = try await portal.perform(.appList, in: context)
            let all: CredentialListAnswer = try await portal.perform(.credentialList, in: context)
            let texts = portal.texts(context)
            var apps: [JSONValue] = []
            for app in list.apps {
                let own = all.credentials.filter { $0.app == app.appKey }
                var row = JSONCoding.object(of: app)
                row["credentials"] = .array(own.map { .object(CredentialRow($0.first, in: texts, portal).json) })
                row["devices"] = try await devices(of: app.appKey, request, context)
                row["is_production"] = .bool(app.environment == .production)
                apps.append(.object(row))
            }
            let values: JSONObject = ["apps": .array(apps)]
            return portal.page("apps", title: texts["apps", "title"], values, section: "apps", in: context)
        }
    }

    /// Returns the number of devices of an app; null if it is gone.
    private func devices(of key: String, _ request: Request, _ context: PortalContext) async throws -> JSONValue {
        guard let key = AppKey(key), let app = try await portal.registry.app(key) else { return .null }
        return try await portal.devices(of: app, for: request, context)?["devices"] ?? .null
    }
}

extension PortalEnvironment {
    /// Returns the numbers of devices of an app, as `POST /posthorn/v1/audience` does.
    func devices(of app: App, for request: Request, _ context: PortalContext) async throws -> JSONObject? {
        let everyone: JSONValue = ["audience": "all"]
        let response = try await call(
            .post,
            "/posthorn/v1/audience",
            body: ByteBuffer(bytes: everyone.bytes),
            as: app,
            for: request,
            in: context
        )
        return try JSONValue(parsing: try await response.body.bytes(upTo: 1 << 16)).object
    }
}
