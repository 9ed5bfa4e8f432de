import Foundation
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
        return Both(GroupAnswer(created.group, among: apps), NewGroupAnswer(masterSecret: created.masterSecret))
    }

    func listGroups() async throws -> GroupListAnswer {
        let apps = try await store.apps()
        return GroupListAnswer(groups: try await store.groups().map { GroupAnswer($0, among: apps) })
    }

    /// Adds the apps of some keys to a group, and removes others.
    func changeGroup(_ key: String, add: [String]?, remove: [String]?) async throws -> GroupAnswer {
        let group = try await group(key)
        try await store.changeGroup(
            group.id,
            adding: try await apps(add).map(\.id),
            removing: try await apps(remove).map(\.id)
        )
        return GroupAnswer(try await self.group(key), among: try await store.apps())
    }

    func deleteGroup(_ key: String) async throws -> GroupAnswer {
        let group = try await group(key)
        _ = try await store.deleteGroup(group.id)
        return GroupAnswer(group, among: try await store.apps())
    }

    private func group(_ key: String) async throws -> AppGroup {
        guard let groupKey = GroupKey(key), let group = try await store.group(groupKey) else {
            throw OperatorError(.notFound, Remark(.groupUnknown, ["key": key]))
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

    init(_ group: AppGroup, among apps: [App]) {
        (groupKey, name, createdAt) = (group.key.text, group.name, group.createdAt)
        self.apps = apps.filter { group.apps.contains($0.id) }.map(\.key.text)
    }
}

package typealias NewGroup = Both<GroupAnswer, NewGroupAnswer>
package struct NewGroupAnswer: Codable, Sendable { package let masterSecret: String }
package struct GroupListAnswer: Codable, Sendable { package let groups: [GroupAnswer] }
