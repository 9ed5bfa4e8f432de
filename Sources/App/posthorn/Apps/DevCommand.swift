import ArgumentParser
import PushModel
import PushService

/// Developers, who create apps through the Admin API.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Manages developers, who create apps through the Admin API (/v1/app).",
        subcommands: [
            Create.self, List.self, Enable.self, Disable.self, RenameCommand<DeveloperSubject>.self,
            SecretCommand<DeveloperSubject>.self, Delete.self,
        ]
    )

    struct Create: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a developer and prints the key and the secret, which is shown only once."
        )

        @Option(help: "The developer's name.") var name: String
        @OptionGroup var options: OperatorOptions

        static let createsFolder = true

        var request: OperatorRequest { .developerCreate(name: name) }

        func tell(_ developer: NewDeveloper) {
            printLine("Developer key  \(developer.devKey)")
            printLine("Secret         \(developer.devSecret)   (only its hash is stored: write it down)")
        }
    }

    struct List: OperatorCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all developers.")

        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .developerList }

        func tell(_ list: DeveloperListAnswer) {
            if list.developers.isEmpty { printLine("There are no developers yet; 'posthorn dev create' makes one.") }
            for developer in list.developers {
                printLine("\(developer.devKey)  \(developer.name.printed)\(developer.enabled ? "" : "  (disabled)")")
            }
        }
    }

    struct Enable: OperatorCommand {
        static let configuration = CommandConfiguration(commandName: "enable", abstract: "Enables a developer again.")

        @Argument(help: "The developer's key.") var key: String
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .developerEnable(developer: key) }

        func tell(_ developer: DeveloperAnswer) { printLine("\(developer.devKey) may use the Admin API.") }
    }

    struct Delete: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a developer, but not the apps.",
            discussion: """
                posthorn dev delete DEV-KEY --name NAME

                API calls are refused from then on. The apps keep pushing, and only an operator changes them.
                """
        )

        @Argument(help: "The developer's key.") var key: String
        @OptionGroup var deletion: DeletionOptions
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest {
            get async throws {
                let name = try await deletion.confirmedName("The developer's calls are refused; the apps stay.")
                return .developerDelete(developer: key, name: name)
            }
        }

        func tell(_ developer: DeletedDeveloper) {
            let left = developer.appsLeft
            printLine("\(developer.name.printed) is deleted; \(left) \(left == 1 ? "app stays" : "apps stay").")
        }
    }

    struct Disable: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disables a developer: API calls are refused with 4007, the apps keep pushing."
        )

        @Argument(help: "The developer's key.") var key: String
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .developerDisable(developer: key) }

        func tell(_ developer: DeveloperAnswer) { printLine("\(developer.devKey) may no longer use the Admin API.") }
    }
}
