import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

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

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard
                let group = try await options.answer(
                    .groupCreate,
                    ["name": .string(name), "apps": .strings(apps)]
                )
            else { return }
            let key = group.text("group_key")
            printLine("Group key      \(key)   (callers write group-\(key))")
            printLine("Master secret  \(group.text("master_secret"))   (only its hash is stored: write it down)")
            let apps = group.appKeys
            printLine("Apps           \(apps.isEmpty ? "none yet" : apps.joined(separator: ", "))")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all groups with their apps.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let groups = try await options.list(.groupList, "groups") else { return }
            if groups.isEmpty { printLine("There are no groups yet; 'posthorn group create' makes one.") }
            let apps = try await options.perform(.appList).objects("apps")
            for group in groups {
                printLine("\(group.text("group_key"))  \(group.text("name"))")
                for app in apps where group.appKeys.contains(app.text("app_key")) {
                    printLine("  \(app.text("app_key"))  \(app.text("name"))")
                }
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

        @OptionGroup var options: OperatorOptions

        func validate() throws {
            guard !added.isEmpty || !removed.isEmpty else {
                throw ValidationError("Say what to change: --add or --remove, with the key of an app.")
            }
        }

        func run() async throws {
            guard
                let group = try await options.answer(
                    .groupChange,
                    [
                        "group": .string(key), "add": .strings(added), "remove": .strings(removed),
                    ]
                )
            else { return }
            let count = group.appKeys.count
            printLine("\(group.text("name")) has \(count) \(count == 1 ? "app" : "apps").")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a group, but not its apps.")

        @Argument(help: "The group's key.")
        var key: String

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let group = try await options.answer(.groupDelete, ["group": .string(key)]) else { return }
            printLine("\(group.text("name")) is deleted.")
        }
    }
}

extension JSONObject {
    /// The keys of the apps of a group.
    fileprivate var appKeys: [String] { self.strings("apps") }
}
