import PushModel
import PushService

/// A credential of an app as pages show it.
struct CredentialRow {
    private let credential: CredentialAnswer
    private let texts: Catalogue
    private let portal: PortalEnvironment

    /// `credential`: as the operations `app.show` and `credential.list` return it.
    init(_ credential: CredentialAnswer, in texts: Catalogue, _ portal: PortalEnvironment) {
        self.credential = credential
        self.texts = texts
        self.portal = portal
    }

    var json: JSONObject {
        var json = JSONCoding.object(of: credential)
        let isKey = credential.kind == .p8
        json["is_key"] = .bool(isKey)
        json["environments"] = .array(
            credential.environments.map { environment in
                [
                    "name": .string(environment.rawValue), "label": .string(texts["apps", environment.rawValue]),
                    "is_production": .bool(environment == .production),
                ]
            }
        )
        // A key is one for both environments, and is removed without naming one.
        json["environment"] = isKey ? .null : .orNull(credential.environments.first?.rawValue)
        json["ends"] = credential.notAfter.map { .string(portal.shown($0)) } ?? .null
        json["days"] = .orNull(days)
        json["refused"] = .orNull(refused)
        json["is_unused"] = .bool(!credential.used)
        json["is_good"] = .bool(credential.warning == nil && credential.refused == nil)
        return json
    }

    /// The reason of APNs's refusal, with its meaning if it is one of Apple's.
    private var refused: String? {
        guard let reason = credential.refused else { return nil }
        let meaning = Explanation(texts).text("reasons", "\(reason.prefix { $0 != " " })_meaning")
        return [reason, meaning].compactMap(\.self).joined(separator: texts["layout", "colon"])
    }

    /// The days that a certificate has left; nil for a key.
    private var days: String? {
        guard let left = credential.daysLeft else { return nil }
        if left < 0 { return texts["apps", "expired"] }
        return left == 1 ? texts["apps", "day_left"] : texts.text("apps", "days_left", with: ["days": "\(left)"])
    }
}
