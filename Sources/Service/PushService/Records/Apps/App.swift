package import Foundation
package import PushModel

/// An app that sends pushes.
package struct App: Hashable, Sendable, Identifiable, SecretHolder {
    /// Counted from 1; part of every registration id.
    package typealias ID = UInt16

    package var id: ID
    package var key: AppKey
    package var secretHash: SecretHash
    package var formerSecrets: [FormerSecret]
    package var name: String
    package var bundleID: String
    /// The default of the portal and the command line. `POST /v3/push` ignores it.
    package var defaultEnvironment: APNSEnvironment
    package var createdAt: Date
    /// The hours during which its pushes wait, unless they say otherwise; nil for none.
    package var quietHours: QuietHours?
    /// Whether pushes for which there are warnings are refused, unless they say otherwise.
    package var isStrict: Bool
    package var aliases = AliasRules()

    package init(
        id: ID,
        key: AppKey,
        secretHash: SecretHash,
        formerSecrets: [FormerSecret] = [],
        name: String,
        bundleID: String,
        defaultEnvironment: APNSEnvironment,
        createdAt: Date,
        quietHours: QuietHours? = nil,
        isStrict: Bool = false
    ) {
        self.id = id
        self.key = key
        self.secretHash = secretHash
        self.formerSecrets = formerSecrets
        self.name = name
        self.bundleID = bundleID
        self.defaultEnvironment = defaultEnvironment
        self.createdAt = createdAt
        self.quietHours = quietHours
        self.isStrict = isStrict
    }
}
