package import Foundation
package import PushModel

/// An account that creates apps through the Admin API.
package struct Developer: Hashable, Sendable, Identifiable, SecretHolder {
    package typealias ID = Int64

    package var id: ID
    /// 24 letters or digits.
    package var key: AppKey
    package var secretHash: SecretHash
    package var formerSecrets: [FormerSecret]
    package var name: String
    package var isEnabled: Bool
    package var createdAt: Date

    package init(
        id: ID,
        key: AppKey,
        secretHash: SecretHash,
        formerSecrets: [FormerSecret] = [],
        name: String,
        isEnabled: Bool = true,
        createdAt: Date
    ) {
        self.id = id
        self.key = key
        self.secretHash = secretHash
        self.formerSecrets = formerSecrets
        self.name = name
        self.isEnabled = isEnabled
        self.createdAt = createdAt
    }
}
