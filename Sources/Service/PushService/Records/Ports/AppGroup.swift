package import Foundation
package import PushModel

/// A set of apps that share a key for pushes. An app may be in several groups.
package struct AppGroup: Hashable, Sendable, Identifiable, SecretHolder {
    package typealias ID = Int64

    package var id: ID
    package var key: GroupKey
    package var secretHash: SecretHash
    package var formerSecrets: [FormerSecret]
    package var name: String
    package var createdAt: Date
    /// The apps of the group, in ascending order.
    package var apps: [App.ID]

    package init(
        id: ID,
        key: GroupKey,
        secretHash: SecretHash,
        formerSecrets: [FormerSecret] = [],
        name: String,
        createdAt: Date,
        apps: [App.ID] = []
    ) {
        self.id = id
        self.key = key
        self.secretHash = secretHash
        self.formerSecrets = formerSecrets
        self.name = name
        self.createdAt = createdAt
        self.apps = apps
    }
}
