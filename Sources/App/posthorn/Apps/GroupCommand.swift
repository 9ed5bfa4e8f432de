import ArgumentParser
import PosthornStack
import PushModel
import PushService

/// Groups of apps, for `/v3/grouppush` and the reports of groups.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Manages groups of apps, which receive pushes together.",
        subcommands: [
            Create.self, List.self, Change.self, RenameCommand<GroupSubject>.self, SecretCommand<GroupSubject>.self,
            Delete.self,
        ]
    )

    struct Create: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a group and prints its key and its master secret, which is shown only once."
        )

        @Option(help: "The group's name.") var name: String

        @Option(name: .customLong("app"), help: "The key of an app in the group; may be repeated.")
        var apps: [String] = []

        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .groupCreate(name: name, apps: apps) }

        func tell(_ group: NewGroup) {
            printLine(
                """
                Group key      \(group.groupKey)   (callers write group-\(group.groupKey))
                Master secret  \(group.masterSecret)   (only its hash is stored: write it down)
                Apps           \(group.apps.isEmpty ? "none yet" : group.apps.joined(separator: ", "))
                """
            )
        }
    }

    struct List: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists all groups with their apps."
        )

        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .groupList }

        func tell(_ list: GroupListAnswer) async throws {
            if list.groups.isEmpty { printLine("There are no groups yet; 'posthorn group create' makes one.") }
            let apps: AppListAnswer = try OperatorClient.read(try await options.perform(.appList))
            for group in list.groups {
                printLine("\(group.groupKey)  \(group.name.printed)")
                for app in apps.apps where group.apps.contains(app.appKey) {
                    printLine("  \(app.appKey)  \(app.name.printed)")
                }
            }
        }
    }

    struct Change: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Adds apps to a group or removes them.",
            discussion: "A running service applies the change from the next push on."
        )

        @Argument(help: "The group's key.") var key: String
        @Option(name: .customLong("add"), help: "The key of an app to add; may be repeated.") var added: [String] = []

        @Option(name: .customLong("remove"), help: "The key of an app to remove; may be repeated.")
        var removed: [String] = []

        @OptionGroup var options: OperatorOptions

        func validate() throws {
            try require(
                !added.isEmpty || !removed.isEmpty,
                "Say what to change: --add or --remove, with the key of an app."
            )
        }

        var request: OperatorRequest { .groupChange(group: key, add: added, remove: removed) }

        func tell(_ group: GroupAnswer) {
            let count = group.apps.count
            printLine("\(group.name.printed) has \(count) \(count == 1 ? "app" : "apps").")
        }
    }

    struct Delete: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a group, but not its apps.",
            discussion: """
                posthorn group delete GROUP-KEY --name NAME

                Its callers are refused from then on. Its apps and the pushes to it stay.
                """
        )

        @Argument(help: "The group's key.") var key: String
        @OptionGroup var deletion: DeletionOptions
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest {
            get async throws {
                let name = try await deletion.confirmedName("The callers of the group are refused; its apps stay.")
                return .groupDelete(group: key, name: name)
            }
        }

        func tell(_ group: GroupAnswer) { printLine("\(group.name.printed) is deleted.") }
    }
}
