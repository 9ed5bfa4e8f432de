import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PosthornStack
import PushClock
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
        row["name"] = credential.keyID ?? credential.topic
        row["topics"] = credential.topics?.joined(separator: ", ")
        row["ends"] = credential.notAfter.map { shown($0) }
        row["days"] = credential.daysLeft.map { left in
            if left < 0 { return texts["apps", "expired"] }
            return left == 1 ? texts["apps", "day_left"] : texts.text("apps", "days_left", with: ["days": "\(left)"])
        }
        // The reason of APNs's refusal, with its meaning if it is one of Apple's.
        row["refused"] = credential.refused.map { reason in
            let meaning = texts.text("reasons", "\(reason.prefix { $0 != " " })_meaning")
            return [reason, meaning].compactMap(\.self).joined(separator: texts["layout", "colon"])
        }
        row["is_unused"] = !credential.used
        row["is_good"] = credential.warning == nil && credential.refused == nil
        row["answers"] = credential.answers.map { answer -> PageValues in
            var values: PageValues = [
                "topic": answer.topic, "environment": texts["apps", answer.environment.rawValue],
                "is_accepted": answer.accepted,
            ]
            values["reason"] = answer.reason
            return values
        }
        return row
    }

    /// Returns which credential sends the pushes to a topic in an environment, for a page.
    func row(
        _ choice: CredentialChoiceAnswer,
        of credentials: [CredentialAnswer],
        _ texts: Catalogue
    ) -> PageValues {
        let chosen = credentials.first { $0.id == choice.credential }
        return [
            "environment": [
                "label": texts["apps", choice.environment.rawValue], "is_production": choice.environment == .production,
            ] as PageValues,
            "topic": choice.topic, "id": chosen.map { "\($0.id)" }, "name": chosen.map { $0.keyID ?? $0.topic ?? "" },
            "refused": choice.refused,
        ]
    }
}

/// One app: its settings and credentials.
extension AppVisit {
    func showApp() async throws -> Response {
        let facts: CredentialsAnswer = try await portal.perform(.appShow(app: app.key.text), in: context)
        var values: PageValues = [
            "created": portal.shown(app.createdAt), "verdict": facts.verdict,
            "credentials": facts.credentials.map { portal.row($0, texts) },
            "choices": facts.choices.map { portal.row($0, of: facts.credentials, texts) },
            "has_choices": !facts.credentials.isEmpty,
            "devices": try await portal.devices(of: app, for: request, context),
            "is_strict": app.isStrict,
            "alias_policies": AliasRules.Policy.allCases.map { policy -> PageValues in
                [
                    "value": policy.rawValue, "label": texts["apps", "aliases_\(policy.rawValue)"],
                    "is_chosen": policy == app.aliases.policy,
                ]
            },
            "protected_tags": app.aliases.protectedTags.isEmpty ? nil : app.aliases.protectedTags,
            "has_alias_key": app.aliases.keyNumber > 0,
        ]
        values["former_secret"] = app.formerSecrets(at: portal.clock.date).map(\.end).max().map { end in
            texts.text("apps", "former_until", with: ["date": portal.shown(end)])
        }
        if let hours = app.quietHours {
            values["quiet"] = hours.json
            values["quiet_zone"] = if case .named(let zone) = hours.zone { zone } else { "" }
            values["is_time_sensitive"] = hours.allowsTimeSensitive
        }
        return page("app", title: app.name, values)
    }
}
