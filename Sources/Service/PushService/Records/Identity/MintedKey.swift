package import Foundation
package import PushModel

/// A new key and its secret: 24 random hexadecimal digits each.
///
/// Client libraries refuse keys and secrets that are not 24 letters and digits.
struct MintedKey<Key> {
    let key: Key
    let secret: String

    /// Makes a key by `make`, which checks its text.
    init(using random: some RandomNumberGenerator = SystemRandomNumberGenerator(), _ make: (String) -> Key?) {
        var random = random
        secret = random.hexadecimalDigits(24)
        guard let key = make(random.hexadecimalDigits(24)) else {
            preconditionFailure("24 hexadecimal digits are a key.")
        }
        self.key = key
    }

    var secretHash: SecretHash { SecretHash(of: secret) }
}

extension AppStore {
    /// Creates an app with a new key; its master secret, 24 hexadecimal digits, is never shown again.
    package func createApp(
        name: String,
        bundleID: String,
        defaultEnvironment: APNSEnvironment,
        aliases: AliasRules = AliasRules(),
        at date: Date,
        using random: some RandomNumberGenerator = SystemRandomNumberGenerator()
    ) async throws -> (app: App, masterSecret: String) {
        let minted = MintedKey(using: random) { AppKey($0) }
        var draft = App(
            id: 0,
            key: minted.key,
            secretHash: minted.secretHash,
            name: name,
            bundleID: bundleID,
            defaultEnvironment: defaultEnvironment,
            createdAt: date
        )
        draft.aliases = aliases
        return (try await createApp(draft), minted.secret)
    }
}

extension GroupStore {
    /// Creates a group with a new key; its master secret, 24 hexadecimal digits, is never shown again.
    package func createGroup(
        name: String,
        apps: [App.ID],
        at date: Date
    ) async throws -> (group: AppGroup, masterSecret: String) {
        let minted = MintedKey { GroupKey($0) }
        let hash = minted.secretHash
        let draft = AppGroup(id: 0, key: minted.key, secretHash: hash, name: name, createdAt: date, apps: apps)
        return (try await createGroup(draft), minted.secret)
    }

    /// Returns the group with this key and a secret that is valid at a date; nil if there is none.
    ///
    /// Reads the store each time: groups are few.
    package func group(_ key: GroupKey, secret: String, at date: Date) async throws -> AppGroup? {
        guard let group = try await group(key), group.proof(by: secret, at: date) != nil else { return nil }
        return group
    }
}

extension DeveloperStore {
    /// Creates a developer with a new key; its secret, 24 hexadecimal digits, is never shown again.
    package func createDeveloper(name: String, at date: Date) async throws -> (developer: Developer, secret: String) {
        let minted = MintedKey { AppKey($0) }
        let draft = Developer(id: 0, key: minted.key, secretHash: minted.secretHash, name: name, createdAt: date)
        return (try await createDeveloper(draft), minted.secret)
    }
}
