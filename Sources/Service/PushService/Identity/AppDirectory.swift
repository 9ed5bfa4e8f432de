package import Foundation
package import PushModel

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
