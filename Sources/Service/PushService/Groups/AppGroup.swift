package import Foundation
package import PushModel

/// Apps to which one caller pushes together. An app may be in several groups.
package struct AppGroup: Hashable, Sendable, Identifiable {
    package typealias ID = Int64

    package var id: ID
    package var key: GroupKey
    package var secretHash: SecretHash
    package var name: String
    package var createdAt: Date
    /// Its apps, in rising order.
    package var apps: [App.ID]

    package init(
        id: ID,
        key: GroupKey,
        secretHash: SecretHash,
        name: String,
        createdAt: Date,
        apps: [App.ID] = []
    ) {
        self.id = id
        self.key = key
        self.secretHash = secretHash
        self.name = name
        self.createdAt = createdAt
        self.apps = apps
    }
}

/// A push to a group, as it is kept for its repeats and for reports.
package struct GroupPush: Hashable, Sendable {
    /// The `group_msgid`: 20 lower-case letters and digits.
    package var id: String
    package var group: AppGroup.ID
    package var cid: String?
    package var acceptedAt: Date
    /// What its caller was answered.
    package var answer: JSONValue
    /// The message of each app that took it; an app that answered with an error has none.
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
