package import Foundation
import PushClock
package import PushModel

extension OperatorController {
    func createApp(_ app: OperatorRequest.AppDescription) async throws -> NewApp {
        let name = try Self.checked(name: app.name)
        guard app.bundleID.wholeMatch(of: /[A-Za-z0-9.\-]+/) != nil else {
            throw JSONProblem("bundle_id", found: .string(app.bundleID), expected: "letters, digits, '-' and '.'")
        }
        var aliases = AliasRules()
        aliases.policy = app.aliases ?? .anyone
        aliases.protectedTags = try app.protectedTags.map(Self.checked(protectedTags:)) ?? ""
        let credential = try app.p8.map { try Credential(p8: $0, keyID: app.keyID, teamID: app.teamID) }
        let created = try await store.createApp(
            name: name,
            bundleID: app.bundleID,
            defaultEnvironment: app.environment ?? .production,
            aliases: aliases,
            at: clock.date
        )
        registry?.apply(created.app)
        if let credential { try await vault.add(credential, of: created.app.id, at: clock.date) }
        let new = NewAppAnswer(masterSecret: created.masterSecret, hasCredential: credential != nil)
        return Both(answer(created.app), new)
    }

    func listApps() async throws -> AppListAnswer { AppListAnswer(apps: try await store.apps().map(answer)) }

    /// Returns an app with its credentials and a verdict in words.
    func showApp(_ key: String) async throws -> ShownApp {
        let app = try await app(key)
        return Both(answer(app), try await described(app))
    }

    /// Changes an app; what is nil stays. Quiet hours that are null are removed.
    func changeApp(
        _ key: String,
        environment: APNSEnvironment?,
        quietHours: JSONValue?,
        isStrict: Bool?,
        aliases: AliasRules.Policy?,
        protectedTags: String?
    ) async throws -> AppAnswer {
        var app = try await app(key)
        if aliases != nil || protectedTags != nil {
            app.aliases.policy = aliases ?? app.aliases.policy
            app.aliases.protectedTags =
                try protectedTags.map(Self.checked(protectedTags:)) ?? app.aliases.protectedTags
            try await store.setAliases(app.aliases, of: app.id)
        }
        if let isStrict {
            app.isStrict = isStrict
            try await store.setStrict(isStrict, of: app.id)
        }
        if let environment {
            app.defaultEnvironment = environment
            try await store.setEnvironment(environment, of: app.id)
        }
        switch quietHours {
        case nil: break
        case .null:
            app.quietHours = nil
            try await store.setQuietHours(nil, of: app.id)
        case let value?:
            do { app.quietHours = try QuietHours(json: value, at: "quiet_hours") } catch {
                let values = ["from", "to", "zone"].map { ($0, value.object?[$0]?.string ?? "") }
                let remark = Remark(.quietHours, Dictionary(uniqueKeysWithValues: values))
                throw OperatorError(.badRequest, remark, message: error.message)
            }
            try await store.setQuietHours(app.quietHours, of: app.id)
        }
        registry?.apply(app)
        return answer(app)
    }

    func answer(_ app: App) -> AppAnswer {
        var answer = AppAnswer(app)
        answer.formerSecretUntil = app.formerSecretEnd(at: clock.date)
        return answer
    }

    /// Returns a prefix of tags; an empty one protects none.
    private static func checked(protectedTags prefix: String) throws -> String {
        guard prefix.isEmpty || (JPushLimits.isTag(prefix) && prefix.utf8.count < JPushLimits.tagBytes) else {
            let expected = "the beginning of a tag, of at most \(JPushLimits.tagBytes - 1) bytes, or nothing"
            throw JSONProblem("protected_tags", found: .string(prefix), expected: expected)
        }
        return prefix
    }
}

// The key by which an app's backend proves aliases.
extension OperatorController {
    /// The longest time for which proofs by the key before stay valid, in hours.
    private static let mostOverlapHours = 720

    /// Makes the app's first alias key, or another one in its place. Aliases that were proved stay so.
    ///
    /// - Parameters:
    ///   - key: the app's key.
    ///   - rotates: whether there may be a key, which is replaced.
    ///   - overlapHours: for how long proofs by the key before stay valid; nil for not at all.
    /// - Returns: the key, which is never shown again.
    /// - Throws: ``OperatorError`` for an app that has a key, unless it is to be replaced.
    func makeAliasKey(_ key: String, rotates: Bool, overlapHours: Int?) async throws -> AliasKeyAnswer {
        let app = try await app(key)
        let hours = try Self.checked(overlapHours, "overlap_hours", in: 0...Self.mostOverlapHours) ?? 0
        guard app.aliases.keyNumber == 0 || rotates else {
            throw OperatorError(.conflict, Remark(.aliasKeyExists, ["app": key]))
        }
        let isFirst = app.aliases.keyNumber == 0
        let until = isFirst || hours == 0 ? nil : clock.date.addingTimeInterval(TimeInterval(hours) * 3600)
        guard let number = try await store.takeAliasKey(of: app.id, formerUntil: until) else {
            throw Self.unknown(.appUnknown, key)
        }
        _ = registry?.change(app.id) { app in
            app.aliases.keyNumber = max(app.aliases.keyNumber, number)
            app.aliases.formerKeyUntil = until
        }
        return AliasKeyAnswer(
            appKey: app.key.text,
            aliasKey: vault.aliasProofs.key(number, of: app.key),
            formerKeyUntil: until
        )
    }
}

/// A new alias key, which is shown once.
package struct AliasKeyAnswer: Codable, Sendable {
    package let appKey: String
    package let aliasKey: String
    /// The end of the validity of proofs by the key before; nil if they are not valid.
    @OrNull package var formerKeyUntil: Date?
}

/// An app as an operator sees it.
package struct AppAnswer: Codable, Sendable {
    package let appKey: String
    package let name: String
    package let bundleID: String
    package let environment: APNSEnvironment
    /// The time of its creation; nil in the answer to the app itself.
    package var createdAt: Date?
    /// Until when a secret before the current one is valid; nil if there is none, and in the answer to the app itself.
    package var formerSecretUntil: Date?
    @OrNull package var quietHours: QuietHours?
    package let strict: Bool
    /// The setter of aliases.
    package let aliases: AliasRules.Policy
    /// The prefix of the tags that are protected like aliases; nil if none are.
    @OrNull package var protectedTags: String?
    /// Whether the backend's key for proofs was made.
    package let hasAliasKey: Bool
    /// The service's time zone; only in the answer to the app itself.
    package var timeZone: String?

    package init(_ app: App) {
        appKey = app.key.text
        name = app.name
        bundleID = app.bundleID
        environment = app.defaultEnvironment
        createdAt = app.createdAt
        quietHours = app.quietHours
        strict = app.isStrict
        aliases = app.aliases.policy
        protectedTags = app.aliases.protectedTags.isEmpty ? nil : app.aliases.protectedTags
        hasAliasKey = app.aliases.keyNumber > 0
    }
}

package struct NewAppAnswer: Codable, Sendable {
    package let masterSecret: String
    package let hasCredential: Bool
}

package typealias NewApp = Both<AppAnswer, NewAppAnswer>
package typealias ShownApp = Both<AppAnswer, CredentialsAnswer>

package struct AppListAnswer: Codable, Sendable { package let apps: [AppAnswer] }
