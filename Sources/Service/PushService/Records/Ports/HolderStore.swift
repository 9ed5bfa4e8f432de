/// One that has a name and a secret: an app, a group or a developer.
package enum HolderID: Hashable, Sendable {
    case app(App.ID)
    case group(AppGroup.ID)
    case developer(Developer.ID)
}

/// The names and the secrets of apps, groups and developers.
package protocol HolderStore: Sendable {
    /// Renames an app, a group or a developer.
    ///
    /// - Returns: false if there is none.
    func rename(_ holder: HolderID, to name: String) async throws -> Bool
    /// Replaces a secret. `sealed` is an app's new one as the Admin API hands it out again, if a developer has created the app.
    ///
    /// - Returns: the secrets; nil if there is no such holder.
    /// - Throws: ``TooManySecrets``.
    func replaceSecret(
        of holder: HolderID,
        by replacement: SecretReplacement,
        sealed: [UInt8]?
    ) async throws -> (any SecretHolder)?
    /// Ends the secrets before the current one.
    func endFormerSecrets(of holder: HolderID) async throws
}
