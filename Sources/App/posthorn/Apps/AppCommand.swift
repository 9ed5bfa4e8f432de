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
            var app = OperatorRequest.AppDescription(name: name, bundleID: bundleID, environment: environment)
            app.p8 = try keyFile.map { try readText($0, "--p8") }
            (app.keyID, app.teamID) = (keyID, teamID)
            guard let app: NewApp = try await options.answer(.appCreate(app), creates: true) else { return }
            printLine("App key        \(app.appKey)")
            printLine("Master secret  \(app.masterSecret)   (only its hash is stored: write it down)")
            if !app.hasCredential { printLine("No APNs credential: pushes wait until there is one.") }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all apps.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let list: AppListAnswer = try await options.answer(.appList) else { return }
            if list.apps.isEmpty { printLine("There are no apps yet; 'posthorn app create' makes one.") }
            for app in list.apps { printLine("\(app.appKey)  \(app.bundleID)  \(app.name.printed)") }
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
            guard let app: ShownApp = try await options.answer(.appShow(app: key)) else { return }
            printLine("App key      \(app.appKey)")
            printLine("Name         \(app.name.printed)")
            printLine("Bundle id    \(app.bundleID)")
            printLine("Environment  \(app.environment)")
            if let hours = app.quietHours { printLine("Quiet hours  \(hours.words)") }
            if app.strict { printLine("Strict       yes") }
            CredentialCommand.print(app.second)
        }
    }
}
