package import Foundation
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
    /// Deletes a group; its pushes stay. Its key and its id are never used again.
    ///
    /// - Returns: whether there was one.
    func deleteGroup(_ id: AppGroup.ID, at date: Date) async throws -> Bool
}

/// A push to a group, stored for repeats and reports.
package struct GroupPush: Hashable, Sendable {
    /// The `group_msgid`: 20 lower-case letters and digits.
    package var id: String
    package var group: AppGroup.ID
    package var cid: String?
    package var acceptedAt: Date
    /// The answer to the caller.
    package var answer: JSONValue
    /// The message of each app that accepted the push; an app with an error has none.
    package var messages: [App.ID: MessageID]

    package init(
        id: String,
        group: AppGroup.ID,
        cid: String?,
        acceptedAt: Date,
        answer: JSONValue,
        messages: [App.ID: MessageID]
    ) {
        self.id = id
        self.group = group
        self.cid = cid
        self.acceptedAt = acceptedAt
        self.answer = answer
        self.messages = messages
    }
}
