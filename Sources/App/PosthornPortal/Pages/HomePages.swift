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
            let list = try await portal.perform(.appList, in: context).objects("apps")
            let credentials = try await portal.perform(.credentialList, in: context).objects("credentials")
            let texts = portal.texts(context)
            var apps: [JSONValue] = []
            for var app in list {
                guard let key = app["app_key"]?.string else { continue }
                let own = credentials.filter { $0["app"]?.string == key }
                app["credentials"] = .array(own.map { .object(CredentialRow($0, in: texts, portal).json) })
                app["devices"] = try await devices(of: key, request, context)
                app["is_production"] = .bool(app["environment"] == "production")
                apps.append(.object(app))
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
