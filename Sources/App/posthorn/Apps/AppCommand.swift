import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Manages the service's apps.",
        subcommands: [Create.self, AppCredential.self, AppGroupCommand.self, AppSet.self, List.self, Show.self]
    )
}

extension AppCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an app and prints its key and its master secret, which is shown only once.",
            discussion:
                "With --p8, --key-id and --team-id the app can push at once. Without them, its pushes wait for a credential."
        )

        @Option(help: "The app's name.")
        var name: String

        @Option(help: "The app's bundle id, which is also its APNs topic.")
        var bundleID: String

        @Option(help: "The APNs environment of imported devices that name none: development or production.")
        var environment = APNSEnvironment.production

        @Option(name: .customLong("p8"), help: "Path of the APNs key, a .p8 file from Apple.")
        var keyFile: String?

        @Option(name: .customLong("key-id"), help: "The key's id, ten characters.")
        var keyID: String?

        @Option(name: .customLong("team-id"), help: "The team's id, ten characters.")
        var teamID: String?

        @OptionGroup var options: OperatorOptions

        func validate() throws {
            let given = [keyFile, keyID, teamID].compactMap(\.self).count
            guard given == 0 || given == 3 else {
                throw ValidationError("A credential needs all three of --p8, --key-id and --team-id.")
            }
        }

        func run() async throws {
            var parameters: JSONObject = [
                "name": .string(name), "bundle_id": .string(bundleID), "environment": .string(environment.rawValue),
            ]
            if let keyFile, let keyID, let teamID {
                parameters["p8"] = .string(try readText(keyFile, "--p8"))
                parameters["key_id"] = .string(keyID)
                parameters["team_id"] = .string(teamID)
            }
            guard let app = try await options.answer(.appCreate, parameters, creates: true) else { return }
            printLine("App key        \(app.text("app_key"))")
            printLine("Master secret  \(app.text("master_secret"))   (only its hash is stored: write it down)")
            if app["has_credential"]?.bool != true { printLine("No APNs credential: pushes wait until there is one.") }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all apps.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let apps = try await options.list(.appList, "apps") else { return }
            if apps.isEmpty { printLine("There are no apps yet; 'posthorn app create' makes one.") }
            for app in apps { printLine("\(app.text("app_key"))  \(app.text("bundle_id"))  \(app.text("name"))") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows one app, its credentials, and where it can push to."
        )

        @Argument(help: "The app's key.")
        var key: String

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let app = try await options.answer(.appShow, ["app": .string(key)]) else { return }
            printLine("App key      \(app.text("app_key"))")
            printLine("Name         \(app.text("name"))")
            printLine("Bundle id    \(app.text("bundle_id"))")
            printLine("Environment  \(app.text("environment"))")
            if let hours = try app.quietHours { printLine("Quiet hours  \(hours.words)") }
            CredentialCommand.printCredentials(of: app)
        }
    }
}

extension JSONObject {
    /// The member `quiet_hours` of an app.
    var quietHours: QuietHours? {
        get throws {
            try self["quiet_hours"].flatMap { $0 == .null ? nil : try QuietHours(json: $0, at: "quiet_hours") }
        }
    }
}
