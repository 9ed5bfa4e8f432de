import HTTPTypes
import Hummingbird
import NIOCore
import PushModel
import PushService

/// The first page: the apps.
extension Visit {
    func listApps() async throws -> Response {
        let list: AppListAnswer = try await portal.perform(.appList, in: context)
        let all: CredentialListAnswer = try await portal.perform(.credentialList, in: context)
        var apps: [PageValues] = []
        for app in list.apps {
            var row = PageValues(of: app)
            row["credentials"] = all.credentials.filter { $0.app == app.appKey }.map { portal.row($0.first, texts) }
            // The app may be gone.
            if let key = AppKey(app.appKey), let known = try await portal.registry.app(key) {
                row["devices"] = try await portal.devices(of: known, for: request, context)?["devices"]
            }
            row["is_production"] = app.environment == .production
            apps.append(row)
        }
        return page("apps", ["apps": apps])
    }
}

extension PortalEnvironment {
    /// Returns the numbers of devices of an app, as `POST /posthorn/v1/audience` does.
    func devices(of app: App, for request: Request, _ context: PortalContext) async throws -> JSONObject? {
        let everyone = ByteBuffer(bytes: JSONValue.object(["audience": "all"]).bytes)
        let path = "/posthorn/v1/audience"
        let response = try await call(.post, path, body: everyone, as: app, for: request, in: context)
        return try JSONValue(parsing: try await response.body.bytes(upTo: 1 << 16)).object
    }

    /// Returns a credential, as the operations `app.show` and `credential.list` return it, for a page.
    func row(_ credential: CredentialAnswer, _ texts: Catalogue) -> PageValues {
        var row = PageValues(of: credential)
        let isKey = credential.kind == .p8
        row["is_key"] = isKey
        row["environments"] = credential.environments.map { environment -> PageValues in
            [
                "name": environment.rawValue, "label": texts["apps", environment.rawValue],
                "is_production": environment == .production,
            ]
        }
        // A key is one for both environments, and is removed without naming one.
        row["environment"] = isKey ? nil : credential.environments.first?.rawValue
        row["ends"] = credential.notAfter.map { shown($0) }
        row["days"] = credential.daysLeft.map { left in
            if left < 0 { return texts["apps", "expired"] }
            return left == 1 ? texts["apps", "day_left"] : texts.text("apps", "days_left", with: ["days": "\(left)"])
        }
        // The reason of APNs's refusal, with its meaning if it is one of Apple's.
        row["refused"] = credential.refused.map { reason in
            let meaning = Explanation(texts).text("reasons", "\(reason.prefix { $0 != " " })_meaning")
            return [reason, meaning].compactMap(\.self).joined(separator: texts["layout", "colon"])
        }
        row["is_unused"] = !credential.used
        row["is_good"] = credential.warning == nil && credential.refused == nil
        return row
    }
}
