import PushClock
import PushModel

// Renaming and deleting apps, and replacing their secrets.
extension OperatorController {
    func renameApp(_ key: String, to name: String) async throws -> AppAnswer {
        var app = try await app(key)
        app.name = try Self.checked(name: name)
        guard try await store.renameApp(app.id, to: app.name) else { throw Self.unknownApp(key) }
        return answer(registry?.change(app.id) { $0.name = app.name } ?? app)
    }

    /// Makes a new secret for an app. The one before it stays valid for `overlap` seconds, and ends at once if that is nil or 0.
    func rotateSecret(ofApp key: String, overlap: Int?) async throws -> RotatedApp {
        let app = try await app(key)
        let (secret, replacement) = try newSecret(overlap: overlap)
        // The Admin API hands out the new one from now on.
        let sealed = try vault.seal.seal(Array(secret.utf8), at: .masterSecret(app.key))
        guard let rotated = try await store.replaceSecret(of: app.id, by: replacement, sealed: sealed) else {
            throw Self.unknownApp(key)
        }
        let changed = registry?.change(app.id) { app in
            app.secretHash = rotated.secretHash
            app.formerSecrets = rotated.formerSecrets
        }
        return Both(answer(changed ?? rotated), NewSecretAnswer(masterSecret: secret))
    }

    /// Ends the secrets before the current one.
    func endFormerSecrets(ofApp key: String) async throws -> AppAnswer {
        var app = try await app(key)
        try await store.endFormerSecrets(of: app.id)
        app.formerSecrets = []
        return answer(registry?.change(app.id) { $0.formerSecrets = [] } ?? app)
    }

    /// Says what would go with an app.
    func contents(ofApp key: String) async throws -> AppAndContents {
        let app = try await app(key)
        return Both(answer(app), try await store.contents(of: app.id))
    }

    /// Deletes an app if `name` is its name, and ends the links of its devices.
    ///
    /// - Returns: the app, and what has gone with it.
    func deleteApp(_ key: String, named name: String) async throws -> AppAndContents {
        let app = try await app(key)
        try Self.confirm(name, isNameOf: key, app.name)
        let contents = try await store.contents(of: app.id)
        guard try await store.deleteApp(app.id, at: clock.date) else { throw Self.unknownApp(key) }
        registry?.remove(app)
        return Both(answer(app), contents)
    }

    static func unknownApp(_ key: String) -> OperatorError {
        OperatorError(.notFound, Remark(.appUnknown, ["key": key]))
    }
}

package typealias RotatedApp = Both<AppAnswer, NewSecretAnswer>
package typealias AppAndContents = Both<AppAnswer, AppContents>
