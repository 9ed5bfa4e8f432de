package import PushModel

/// Groups of apps.
package protocol GroupStore: Sendable {
    func groups() async throws -> [AppGroup]
    func group(_ key: GroupKey) async throws -> AppGroup?
    /// Creates a group.
    ///
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createGroup(_ draft: AppGroup) async throws -> AppGroup
    /// Adds and removes apps; adding a member or removing another app changes nothing.
    func changeGroup(_ id: AppGroup.ID, adding added: [App.ID], removing removed: [App.ID]) async throws
    /// Deletes a group; its pushes stay.
    ///
    /// - Returns: whether there was one.
    func deleteGroup(_ id: AppGroup.ID) async throws -> Bool
}
