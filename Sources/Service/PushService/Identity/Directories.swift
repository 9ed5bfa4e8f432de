package import Foundation
package import PushModel

/// A new key and its secret: 24 random hexadecimal digits each.
///
/// Client libraries refuse keys and secrets that are not 24 letters and digits.
struct MintedKey<Key> {
    let key: Key
    let secret: String

    /// Makes a key by `make`, which checks its text.
    init(using generator: inout some RandomNumberGenerator, _ make: (String) -> Key?) {
        secret = generator.hexadecimalDigits(24)
        guard let key = make(generator.hexadecimalDigits(24)) else {
            preconditionFailure("24 hexadecimal digits are a key.")
        }
        self.key = key
    }

    var secretHash: SecretHash { SecretHash(of: secret) }
}

/// Creates apps.
package struct AppDirectory: Sendable {
    private let store: any AppStore

    package init(store: any AppStore) { self.store = store }

    /// A new app with its master secret, which is never shown again.
    package struct Created: Sendable {
        package var app: App
        /// 24 hexadecimal digits.
        package var masterSecret: String
    }

    package func create(
        name: String,
        bundleID: String,
        defaultEnvironment: APNSEnvironment,
        at date: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> Created {
        let minted = MintedKey(using: &generator) { AppKey($0) }
        let draft = App(
            id: 0,
            key: minted.key,
            secretHash: minted.secretHash,
            name: name,
            bundleID: bundleID,
            defaultEnvironment: defaultEnvironment,
            createdAt: date
        )
        return Created(app: try await store.createApp(draft), masterSecret: minted.secret)
    }
}

/// Creates groups of apps and authenticates their callers by key and secret.
package struct GroupDirectory: Sendable {
    private let store: any GroupStore

    package init(store: any GroupStore) { self.store = store }

    /// A new group with its secret, which is never shown again.
    package struct Created: Sendable {
        package var group: AppGroup
        /// 24 hexadecimal digits.
        package var masterSecret: String
    }

    package func create(
        name: String,
        apps: [App.ID],
        at date: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> Created {
        let minted = MintedKey(using: &generator) { GroupKey($0) }
        let draft = AppGroup(
            id: 0,
            key: minted.key,
            secretHash: minted.secretHash,
            name: name,
            createdAt: date,
            apps: apps
        )
        return Created(group: try await store.createGroup(draft), masterSecret: minted.secret)
    }

    /// Returns the group with this key and secret; nil if there is none.
    ///
    /// Reads the store each time: groups are few.
    package func group(_ key: GroupKey, secret: String) async throws -> AppGroup? {
        guard let group = try await store.group(key), group.secretHash.matches(secret) else { return nil }
        return group
    }
}

/// Creates developers.
package struct DeveloperDirectory: Sendable {
    private let store: any DeveloperStore

    package init(store: any DeveloperStore) { self.store = store }

    /// A new developer with its secret, which is never shown again.
    package struct Created: Sendable {
        package var developer: Developer
        /// 24 hexadecimal digits.
        package var secret: String
    }

    package func create(
        name: String,
        at date: Date,
        using generator: inout some RandomNumberGenerator
    ) async throws -> Created {
        let minted = MintedKey(using: &generator) { AppKey($0) }
        let draft = Developer(id: 0, key: minted.key, secretHash: minted.secretHash, name: name, createdAt: date)
        return Created(developer: try await store.createDeveloper(draft), secret: minted.secret)
    }
}
