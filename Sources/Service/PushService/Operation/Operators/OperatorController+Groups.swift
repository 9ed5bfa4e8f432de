package import Foundation
import PushClock
import PushModel

extension OperatorController {
    func createGroup(_ name: String, apps keys: [String]?) async throws -> NewGroup {
        let apps = try await apps(keys)
        let created = try await store.createGroup(
            name: try Self.checked(name: name),
            apps: apps.map(\.id),
            at: clock.date
        )
        return Both(answer(created.group, among: apps), NewSecretAnswer(masterSecret: created.masterSecret))
    }

    func listGroups() async throws -> GroupListAnswer {
        let apps = try await store.apps()
        return GroupListAnswer(groups: try await store.groups().map { answer($0, among: apps) })
    }

    /// Adds the apps of some keys to a group, and removes others.
    func changeGroup(_ key: String, add: [String]?, remove: [String]?) async throws -> GroupAnswer {
        let group = try await group(key)
        try await store.changeGroup(
            group.id,
            adding: try await apps(add).map(\.id),
            removing: try await apps(remove).map(\.id)
        )
        return try await answer(try await self.group(key))
    }

    /// Makes a new secret for a group. The one before it stays valid for `overlap` seconds, and ends at once if that is nil or 0.
    func rotateSecret(ofGroup key: String, overlap: Int?) async throws -> NewGroup {
        let (group, secret) = try await rotateSecret(of: try await group(key), overlap: overlap)
        return Both(try await answer(group), NewSecretAnswer(masterSecret: secret))
    }

    /// Deletes a group, if `name` is its name or nil. Its pushes and its apps stay.
    func deleteGroup(_ key: String, named name: String?) async throws -> GroupAnswer {
        let group = try await group(key)
        if let name { try Self.confirm(name, isNameOf: key, group.name) }
        guard try await store.deleteGroup(group.id, at: clock.date) else {
            throw Self.unknown(.groupUnknown, key)
        }
        return try await answer(group)
    }

    func answer(_ group: AppGroup) async throws -> GroupAnswer {
        answer(group, among: try await store.apps())
    }

    private func answer(_ group: AppGroup, among apps: [App]) -> GroupAnswer {
        GroupAnswer(group, among: apps, at: clock.date)
    }

    func group(_ key: String) async throws -> AppGroup {
        guard let groupKey = GroupKey(key), let group = try await store.group(groupKey) else {
            throw Self.unknown(.groupUnknown, key)
        }
        return group
    }

    private func apps(_ keys: [String]?) async throws -> [App] {
        var apps: [App] = []
        for key in keys ?? [] { apps.append(try await app(key)) }
        return apps
    }
}

/// A group of apps as an operator sees it.
package struct GroupAnswer: Codable, Sendable {
    package let groupKey: String
    package let name: String
    let createdAt: Date
    /// The keys of its apps.
    package let apps: [String]
    /// Until when a secret before the current one is valid; nil if there is none.
    package var formerSecretUntil: Date?

    init(_ group: AppGroup, among apps: [App], at now: Date) {
        groupKey = group.key.text
        name = group.name
        createdAt = group.createdAt
        self.apps = apps.filter { group.apps.contains($0.id) }.map(\.key.text)
        formerSecretUntil = group.formerSecretEnd(at: now)
    }
}

package typealias NewGroup = Both<GroupAnswer, NewSecretAnswer>
package struct GroupListAnswer: Codable, Sendable { package let groups: [GroupAnswer] }
