import ArgumentParser
import PosthornStack
import PushModel
import PushService

/// Developers, who create apps through the Admin API.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Manages developers, who create apps through the Admin API (/v1/app).",
        subcommands: [Create.self, List.self, Enable.self, Disable.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a developer and prints the key and the secret, which is shown only once."
        )

        @Option(help: "The developer's name.") var name: String
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let request = OperatorRequest.developerCreate(name: name)
            guard let developer: NewDeveloper = try await options.answer(request, creates: true) else { return }
            printLine("Developer key  \(developer.devKey)")
            printLine("Secret         \(developer.devSecret)   (only its hash is stored: write it down)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all developers.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let list: DeveloperListAnswer = try await options.answer(.developerList) else { return }
            if list.developers.isEmpty { printLine("There are no developers yet; 'posthorn dev create' makes one.") }
            for developer in list.developers {
                printLine("\(developer.devKey)  \(developer.name.printed)\(developer.enabled ? "" : "  (disabled)")")
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "enable", abstract: "Enables a developer again.")

        @Argument(help: "The developer's key.") var key: String
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let request = OperatorRequest.developerEnable(developer: key)
            guard let developer: DeveloperAnswer = try await options.answer(request) else { return }
            printLine("\(developer.devKey) may use the Admin API.")
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disables a developer: API calls are refused with 4007, the apps keep pushing."
        )

        @Argument(help: "The developer's key.") var key: String
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let request = OperatorRequest.developerDisable(developer: key)
            guard let developer: DeveloperAnswer = try await options.answer(request) else { return }
            printLine("\(developer.devKey) may no longer use the Admin API.")
        }
    }
}
