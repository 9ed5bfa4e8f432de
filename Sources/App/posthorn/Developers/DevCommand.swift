import ArgumentParser
import Foundation
import PushModel
import PushService
import PushStoreSQLite

/// Developers, who make apps over the Admin API.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "The developers who make apps over the Admin API (/v1/app).",
        subcommands: [Create.self, List.self, Enable.self, Disable.self]
    )
}

extension DevCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a developer; prints the key, and the secret this once.",
            discussion: "Works beside a running service."
        )

        @Option(help: "What people call the developer.")
        var name: String

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func validate() throws {
            guard name.contains(where: { !$0.isWhitespace }) else {
                throw ValidationError("--name is empty; expected what people call the developer.")
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
            printLine("Secret         \(created.secret)   (kept as a hash only: write it down)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "All developers.")

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
        static let configuration = CommandConfiguration(abstract: "Let a developer in again.")

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
            abstract: "Refuse a developer's calls with 4007; the apps stay and go on pushing."
        )

        @Argument(help: "The developer's key.")
        var key: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.enableDeveloper(key, false)
            printLine("\(key) may not use the Admin API any more.")
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
