package import Foundation
package import PushModel

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
