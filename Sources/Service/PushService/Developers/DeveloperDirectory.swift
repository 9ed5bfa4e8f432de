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
        let secret = generator.hexadecimalDigits(24)
        guard let key = AppKey(generator.hexadecimalDigits(24)) else {
            preconditionFailure("24 hexadecimal digits are a developer key.")
        }
        let draft = Developer(id: 0, key: key, secretHash: SecretHash(of: secret), name: name, createdAt: date)
        return Created(developer: try await store.createDeveloper(draft), secret: secret)
    }
}
