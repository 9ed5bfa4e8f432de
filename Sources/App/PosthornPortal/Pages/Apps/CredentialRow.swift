import PushModel

/// A credential of an app as pages show it.
struct CredentialRow {
    private let credential: JSONObject
    private let texts: Catalogue
    private let portal: PortalEnvironment

    /// `credential`: as the operations `app.show` and `credential.list` return it.
    init(_ credential: JSONObject, in texts: Catalogue, _ portal: PortalEnvironment) {
        self.credential = credential
        self.texts = texts
        self.portal = portal
    }

    var json: JSONObject {
        var json = credential
        let environments = credential.strings("environments")
        json["is_key"] = .bool(credential["kind"] == "p8")
        json["environments"] = .array(
            environments.map { name in
                [
                    "name": .string(name), "label": .string(texts["apps", name]),
                    "is_production": .bool(name == "production"),
                ]
            }
        )
        // A key is one for both environments, and is removed without naming one.
        json["environment"] = credential["kind"] == "p8" ? .null : .orNull(environments.first)
        json["ends"] = credential["not_after"]?.string.map { .string(portal.shown($0)) } ?? .null
        json["days"] = .orNull(days)
        json["refused"] = .orNull(refused)
        json["is_unused"] = .bool(credential["used"] == false)
        json["is_good"] = .bool(credential["warning"]?.string == nil && credential["refused"]?.string == nil)
        return json
    }

    /// The reason of APNs's refusal, with its meaning if it is one of Apple's.
    private var refused: String? {
        guard let reason = credential["refused"]?.string else { return nil }
        let meaning = Explanation(texts).text("reasons", "\(reason.prefix { $0 != " " })_meaning")
        return [reason, meaning].compactMap(\.self).joined(separator: texts["layout", "colon"])
    }

    /// The days that a certificate has left; nil for a key.
    private var days: String? {
        guard let left = credential["days_left"]?.integer else { return nil }
        if left < 0 { return texts["apps", "expired"] }
        return left == 1 ? texts["apps", "day_left"] : texts.text("apps", "days_left", with: ["days": "\(left)"])
    }
}
