import ArgumentParser
import Foundation
import PushModel
import PushService
import PushStoreSQLite

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
            abstract: "Creates a developer and prints the key and the secret, which is shown only once.",
            discussion: "Works while the service is running."
        )

        @Option(help: "The developer's name.")
        var name: String

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func validate() throws {
            guard name.contains(where: { !$0.isWhitespace }) else {
                throw ValidationError("--name is empty; expected the developer's name.")
            }
        }

        func run() async throws {
            let (store, _) = try await options.open()
            var random = SystemRandomNumberGenerator()
            let created = try await DeveloperDirectory(store: store).create(name: name, at: Date(), using: &random)
            if json {
                var object = created.developer.members
                object["dev_secret"] = .string(created.secret)
                return printLine(JSONValue.object(object).text)
            }
            printLine("Developer key  \(created.developer.key)")
            printLine("Secret         \(created.secret)   (only its hash is stored: write it down)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all developers.")

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            let developers = try await options.openExisting().store.developers()
            guard !json else { return printLine(JSONValue.array(developers.map { .object($0.members) }).text) }
            if developers.isEmpty { printLine("There are no developers yet; 'posthorn dev create' makes one.") }
            for developer in developers {
                printLine("\(developer.key)  \(developer.name)\(developer.isEnabled ? "" : "  (disabled)")")
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enables a developer again.")

        @Argument(help: "The developer's key.")
        var key: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.enableDeveloper(key, true)
            printLine("\(key) may use the Admin API.")
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disables a developer: API calls are refused with 4007, the apps keep pushing."
        )

        @Argument(help: "The developer's key.")
        var key: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.enableDeveloper(key, false)
            printLine("\(key) may no longer use the Admin API.")
        }
    }
}

extension DataOptions {
    fileprivate func enableDeveloper(_ key: String, _ isEnabled: Bool) async throws {
        let (store, _) = try await openExisting()
        guard let developer = AppKey(key), try await store.enableDeveloper(developer, isEnabled) else {
            throw ValidationError("There is no developer '\(key)' in '\(data)'; 'posthorn dev list' shows all.")
        }
    }
}

extension Developer {
    fileprivate var members: JSONObject {
        [
            "dev_key": .string(key.text), "name": .string(name), "enabled": .bool(isEnabled),
            "created_at": .string(createdAt.formatted(.iso8601)),
        ]
    }
}
