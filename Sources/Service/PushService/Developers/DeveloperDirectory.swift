package import Foundation
import PushModel

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
