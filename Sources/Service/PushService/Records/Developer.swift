package import Foundation
package import PushModel

/// An account that creates apps through the Admin API.
package struct Developer: Hashable, Sendable, Identifiable {
    package typealias ID = Int64

    package var id: ID
    /// 24 letters or digits.
    package var key: AppKey
    package var secretHash: SecretHash
    package var name: String
    package var isEnabled: Bool
    package var createdAt: Date

    package init(id: ID, key: AppKey, secretHash: SecretHash, name: String, isEnabled: Bool = true, createdAt: Date) {
        (self.id, self.key, self.secretHash) = (id, key, secretHash)
        (self.name, self.isEnabled, self.createdAt) = (name, isEnabled, createdAt)
    }
}

/// The ownership of an app by a developer.
package struct OwnedApp: Hashable, Sendable {
    package var developer: Developer.ID
    package var package: String
    package var group: String?
    /// The master secret, which the Admin API returns again when asked for the same package.
    package var sealedSecret: [UInt8]

    package init(developer: Developer.ID, package: String, group: String?, sealedSecret: [UInt8]) {
        (self.developer, self.package, self.group, self.sealedSecret) = (developer, package, group, sealedSecret)
    }
}
