import ArgumentParser
import Foundation
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
}

extension DevCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a developer and prints the key and the secret, which is shown only once."
        )

        @Option(help: "The developer's name.")
        var name: String

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let developer = try await options.answer(.developerCreate, ["name": .string(name)], creates: true)
            else { return }
            printLine("Developer key  \(developer.text("dev_key"))")
            printLine("Secret         \(developer.text("dev_secret"))   (only its hash is stored: write it down)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all developers.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let developers = try await options.list(.developerList, "developers") else { return }
            if developers.isEmpty { printLine("There are no developers yet; 'posthorn dev create' makes one.") }
            for developer in developers {
                let state = developer["enabled"]?.bool == false ? "  (disabled)" : ""
                printLine("\(developer.text("dev_key"))  \(developer.text("name"))\(state)")
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enables a developer again.")

        @Argument(help: "The developer's key.")
        var key: String

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let developer: JSONObject = ["developer": .string(key)]
            if try await options.answer(.developerEnable, developer) != nil {
                printLine("\(key) may use the Admin API.")
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disables a developer: API calls are refused with 4007, the apps keep pushing."
        )

        @Argument(help: "The developer's key.")
        var key: String

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let developer: JSONObject = ["developer": .string(key)]
            if try await options.answer(.developerDisable, developer) != nil {
                printLine("\(key) may no longer use the Admin API.")
            }
        }
    }
}
