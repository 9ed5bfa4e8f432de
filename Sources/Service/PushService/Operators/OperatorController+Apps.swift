package import Foundation
import PushClock
package import PushModel

extension OperatorController {
    func createApp(_ app: OperatorRequest.AppDescription) async throws -> NewApp {
        let name = try Self.checked(name: app.name)
        guard app.bundleID.wholeMatch(of: /[A-Za-z0-9.\-]+/) != nil else {
            throw JSONProblem("bundle_id", found: .string(app.bundleID), expected: "letters, digits, '-' and '.'")
        }
        let credential = try app.p8.map { try Credential(p8: $0, keyID: app.keyID, teamID: app.teamID) }
        let created = try await store.createApp(
            name: name,
            bundleID: app.bundleID,
            defaultEnvironment: app.environment ?? .production,
            at: clock.date
        )
        registry?.apply(created.app)
        if let credential { try await vault.add(credential, of: created.app.id, at: clock.date) }
        let new = NewAppAnswer(masterSecret: created.masterSecret, hasCredential: credential != nil)
        return Both(AppAnswer(created.app), new)
    }

    func listApps() async throws -> AppListAnswer { AppListAnswer(apps: try await store.apps().map(AppAnswer.init)) }

    /// Returns an app with its credentials and a verdict in words.
    func showApp(_ key: String) async throws -> ShownApp {
        let app = try await app(key)
        return Both(AppAnswer(app), try await described(app))
    }

    /// Changes an app; what is nil stays. Quiet hours that are null are removed.
    func changeApp(
        _ key: String,
        environment: APNSEnvironment?,
        quietHours: JSONValue?,
        isStrict: Bool?
    ) async throws -> AppAnswer {
        var app = try await app(key)
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
        return AppAnswer(app)
    }
}

/// An app as an operator sees it.
package struct AppAnswer: Codable, Sendable {
    package let appKey: String
    package let name: String
    package let bundleID: String
    package let environment: APNSEnvironment
    /// The time of its creation; nil in the answer to the app itself.
    package var createdAt: Date?
    @OrNull package var quietHours: QuietHours?
    package let strict: Bool

    package init(_ app: App) {
        (appKey, name, bundleID, environment) = (app.key.text, app.name, app.bundleID, app.defaultEnvironment)
        (createdAt, quietHours, strict) = (app.createdAt, app.quietHours, app.isStrict)
    }
}

package struct NewAppAnswer: Codable, Sendable {
    package let masterSecret: String
    package let hasCredential: Bool
}

package typealias NewApp = Both<AppAnswer, NewAppAnswer>
package typealias ShownApp = Both<AppAnswer, CredentialsAnswer>

package struct AppListAnswer: Codable, Sendable { package let apps: [AppAnswer] }
