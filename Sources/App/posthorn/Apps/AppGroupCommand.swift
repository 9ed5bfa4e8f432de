import ArgumentParser
import Foundation
import PushModel
import PushService
import PushStoreSQLite

/// Groups of apps, for `/v3/grouppush` and the reports of groups.
struct AppGroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Manages groups of apps, which receive pushes together.",
        subcommands: [Create.self, List.self, Change.self, Delete.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a group and prints its key and its master secret, which is shown only once."
        )

        @Option(help: "The group's name.")
        var name: String

        @Option(name: .customLong("app"), help: "The key of an app in the group; may be repeated.")
        var apps: [String] = []

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func validate() throws {
            guard name.contains(where: { !$0.isWhitespace }) else {
                throw ValidationError("--name is empty; expected the group's name.")
            }
        }

        func run() async throws {
            let (store, _) = try await options.openExisting()
            let members = try await options.apps(apps, in: store)
            var random = SystemRandomNumberGenerator()
            let created = try await GroupDirectory(store: store).create(
                name: name,
                apps: members.map(\.id),
                at: Date(),
                using: &random
            )
            if json {
                var object = created.group.members(among: members)
                object["master_secret"] = .string(created.masterSecret)
                return printLine(JSONValue.object(object).text)
            }
            printLine("Group key      \(created.group.key)   (callers write group-\(created.group.key))")
            printLine("Master secret  \(created.masterSecret)   (only its hash is stored: write it down)")
            printLine(
                "Apps           \(members.isEmpty ? "none yet" : members.map(\.key.text).joined(separator: ", "))"
            )
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all groups with their apps.")

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            let (store, _) = try await options.openExisting()
            let groups = try await store.groups()
            let apps = try await store.apps()
            guard !json else {
                return printLine(JSONValue.array(groups.map { .object($0.members(among: apps)) }).text)
            }
            if groups.isEmpty { printLine("There are no groups yet; 'posthorn app group create' makes one.") }
            for group in groups {
                printLine("\(group.key)  \(group.name)")
                for app in apps where group.apps.contains(app.id) { printLine("  \(app.key)  \(app.name)") }
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds apps to a group or removes them.",
            discussion: "A running service applies the change from the next push on."
        )

        @Argument(help: "The group's key.")
        var key: String

        @Option(name: .customLong("add"), help: "The key of an app to add; may be repeated.")
        var added: [String] = []

        @Option(name: .customLong("remove"), help: "The key of an app to remove; may be repeated.")
        var removed: [String] = []

        @OptionGroup var options: DataOptions

        func validate() throws {
            guard !added.isEmpty || !removed.isEmpty else {
                throw ValidationError("Say what to change: --add or --remove, with the key of an app.")
            }
        }

        func run() async throws {
            let (store, _) = try await options.openExisting()
            let group = try await options.group(key, in: store)
            try await store.changeGroup(
                group.id,
                adding: try await options.apps(added, in: store).map(\.id),
                removing: try await options.apps(removed, in: store).map(\.id)
            )
            let count = try await options.group(key, in: store).apps.count
            printLine("\(group.name) has \(count) \(count == 1 ? "app" : "apps").")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a group, but not its apps.")

        @Argument(help: "The group's key.")
        var key: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            let (store, _) = try await options.openExisting()
            let group = try await options.group(key, in: store)
            _ = try await store.deleteGroup(group.id)
            printLine("\(group.name) is deleted.")
        }
    }
}

extension DataOptions {
    /// The apps with these keys.
    fileprivate func apps(_ keys: [String], in store: SQLiteStore) async throws -> [App] {
        let all = try await store.apps()
        return try keys.map { key in
            guard let app = all.first(where: { $0.key.text == key }) else {
                throw ValidationError("There is no app '\(key)' in '\(data)'; 'posthorn app list' shows all.")
            }
            return app
        }
    }

    fileprivate func group(_ key: String, in store: SQLiteStore) async throws -> AppGroup {
        guard let groupKey = GroupKey(key), let group = try await store.group(groupKey) else {
            throw ValidationError("There is no group '\(key)' in '\(data)'; 'posthorn app group list' shows all.")
        }
        return group
    }
}

extension AppGroup {
    fileprivate func members(among apps: [App]) -> JSONObject {
        [
            "group_key": .string(key.text), "name": .string(name), "created_at": .string(createdAt.formatted(.iso8601)),
            "apps": .array(apps.filter { self.apps.contains($0.id) }.map { .string($0.key.text) }),
        ]
    }
}
