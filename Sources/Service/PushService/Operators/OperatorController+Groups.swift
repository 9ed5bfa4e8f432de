import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"name", "apps"?}`.
    func createGroup(_ parameters: JSONReader) async throws -> JSONObject {
        let apps = try await apps(parameters, "apps")
        var random = SystemRandomNumberGenerator()
        let created = try await GroupDirectory(store: store).create(
            name: try Self.name(parameters),
            apps: apps.map(\.id),
            at: clock.date,
            using: &random
        )
        var object = created.group.members(among: apps)
        object["master_secret"] = .string(created.masterSecret)
        return object
    }

    func listGroups() async throws -> JSONObject {
        let apps = try await store.apps()
        return ["groups": .array(try await store.groups().map { .object($0.members(among: apps)) })]
    }

    /// `{"group", "add"?, "remove"?}`, the latter two with the keys of apps.
    func changeGroup(_ parameters: JSONReader) async throws -> JSONObject {
        let group = try await group(parameters)
        try await store.changeGroup(
            group.id,
            adding: try await apps(parameters, "add").map(\.id),
            removing: try await apps(parameters, "remove").map(\.id)
        )
        return try await self.group(parameters).members(among: try await store.apps())
    }

    /// `{"group"}`.
    func deleteGroup(_ parameters: JSONReader) async throws -> JSONObject {
        let group = try await group(parameters)
        _ = try await store.deleteGroup(group.id)
        return group.members(among: try await store.apps())
    }

    private func group(_ parameters: JSONReader) async throws -> AppGroup {
        let key = try parameters.string("group")
        guard let groupKey = GroupKey(key), let group = try await store.group(groupKey) else {
            throw OperatorError(.notFound, Remark(.groupUnknown, ["key": key]))
        }
        return group
    }

    private func apps(_ parameters: JSONReader, _ member: String) async throws -> [App] {
        var apps: [App] = []
        for key in try parameters.optional(member, .strings) ?? [] { apps.append(try await app(key)) }
        return apps
    }
}

extension AppGroup {
    /// The group as an operator sees it.
    fileprivate func members(among apps: [App]) -> JSONObject {
        let members = apps.filter { self.apps.contains($0.id) }
        return [
            "group_key": .string(key.text), "name": .string(name), "created_at": .date(createdAt),
            "apps": .array(members.map { .string($0.key.text) }),
        ]
    }
}
