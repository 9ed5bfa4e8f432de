import PushClock
import PushModel

// Deleting apps, and replacing their secrets.
extension OperatorController {
    /// Makes a new secret for an app. The one before it stays valid for `overlap` seconds, and ends at once if that is nil or 0.
    func rotateSecret(ofApp key: String, overlap: Int?) async throws -> RotatedApp {
        let app = try await app(key)
        let (rotated, secret) = try await rotateSecret(of: app, overlap: overlap) { secret in
            // The Admin API hands out the new one from now on.
            try vault.seal.seal(Array(secret.utf8), at: .masterSecret(app.key))
        }
        return Both(answer(rotated), NewSecretAnswer(masterSecret: secret))
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
        guard try await store.deleteApp(app.id, at: clock.date) else { throw Self.unknown(.appUnknown, key) }
        registry?.remove(app)
        return Both(answer(app), contents)
    }
}

package typealias RotatedApp = Both<AppAnswer, NewSecretAnswer>
package typealias AppAndContents = Both<AppAnswer, AppContents>
