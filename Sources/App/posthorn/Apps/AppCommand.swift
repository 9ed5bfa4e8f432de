import ArgumentParser
import Foundation
import PushModel
import PushService

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Manages the service's apps.",
        subcommands: [
            Create.self, Set.self, RenameCommand<AppSubject>.self, AppAliasKey.self, SecretCommand<AppSubject>.self,
            List.self, Show.self, Delete.self,
        ]
    )

    struct Create: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates an app and prints its key and its master secret, which is shown only once.",
            discussion:
                """
                With --p8, --key-id and --team-id the app can push at once. Without them, its pushes wait for a credential.

                Whoever has a copy of the app has its app key, and can register a device with any alias. With --aliases proved, a device \
                gets an alias only with a proof from the app's backend.
                """
        )

        @Option(help: "The app's name.") var name: String
        @Option(help: "The app's bundle id, which is also its APNs topic.") var bundleID: String

        @Option(help: "The APNs environment of imported devices that name none: development or production.")
        var environment = APNSEnvironment.production

        @OptionGroup var key: SigningKeyOptions

        @Option(help: "Who sets aliases: anyone, proved or backend.")
        var aliases: AliasRules.Policy?

        @Option(help: ArgumentHelp("The beginning of tags that are protected like aliases.", valueName: "prefix"))
        var protectedTags: String?

        @OptionGroup var options: OperatorOptions

        static let createsFolder = true

        var request: OperatorRequest {
            get throws {
                var app = OperatorRequest.AppDescription(name: name, bundleID: bundleID, environment: environment)
                app.p8 = try key.p8.map { try readText($0, "--p8") }
                app.keyID = key.keyID
                app.teamID = key.teamID
                app.aliases = aliases
                app.protectedTags = protectedTags
                return .appCreate(app)
            }
        }

        func tell(_ app: NewApp) {
            printLine("App key        \(app.appKey)")
            printLine("Master secret  \(app.masterSecret)   (only its hash is stored: write it down)")
            if !app.hasCredential { printLine("No APNs credential: pushes wait until there is one.") }
            switch app.aliases {
            case .anyone:
                let command = "posthorn app set \(app.appKey) --aliases proved"
                printLine("Aliases        any device sets its own; '\(command)' asks for proofs")
            case .proved:
                let command = "posthorn app alias-key \(app.appKey)"
                printLine("Aliases        with proofs; '\(command)' makes the backend's key for them")
            case .backend: printLine("Aliases        set by the backend alone, with POST /v3/devices")
            }
        }
    }

    struct List: OperatorCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all apps.")

        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .appList }

        func tell(_ list: AppListAnswer) {
            if list.apps.isEmpty { printLine("There are no apps yet; 'posthorn app create' makes one.") }
            for app in list.apps { printLine("\(app.appKey)  \(app.bundleID)  \(app.name.printed)") }
        }
    }

    struct Show: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows one app, its credentials, and where it can push to."
        )

        @Argument(help: "The app's key.") var key: String
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .appShow(app: key) }

        func tell(_ app: ShownApp) {
            printLine(
                """
                App key      \(app.appKey)
                Name         \(app.name.printed)
                Bundle id    \(app.bundleID)
                Environment  \(app.environment)
                """
            )
            if let hours = app.quietHours { printLine("Quiet hours  \(hours.words)") }
            if app.strict { printLine("Strict       yes") }
            printLine("Aliases      \(app.first.aliasWords)")
            if let end = app.formerSecretUntil {
                printLine("Old secret   valid until \(ServiceTimes.ofOperators.text(end))")
            }
            CredentialCommand.print(app.second)
        }
    }

    struct Set: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Changes an app's settings.",
            discussion: """
                posthorn app set APP-KEY --environment development
                posthorn app set APP-KEY --quiet-hours 22:00-07:00
                posthorn app set APP-KEY --quiet-hours 22:00-07:00 --quiet-zone Asia/Shanghai --allow-time-sensitive
                posthorn app set APP-KEY --no-quiet-hours
                posthorn app set APP-KEY --strict
                posthorn app set APP-KEY --aliases proved --protected-tags role=

                The environment is the one of 'posthorn push' without --environment, and of imported devices that name none. A request \
                to the REST API without apns_production goes to production, whatever the setting.

                A device receives no notifications during its quiet hours. A notification whose time to live lasts until they end is \
                sent then. A push overrides this with options.x_quiet_hours.

                A strict app's push with a member that has no effect here is refused; otherwise the response has a warning. A push \
                overrides this with options.x_strict.

                With --aliases anyone, each device sets its alias itself. With proved, it needs a proof, which the app's backend makes by \
                the key of 'posthorn app alias-key'; with backend, only POST /v3/devices sets aliases. Custom messages to an alias then go \
                to devices alone for which the backend has vouched. Tags that begin with --protected-tags follow the same rule; '' \
                protects none.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @Option(help: "The app's environment: development or production.") var environment: APNSEnvironment?

        @Option(help: ArgumentHelp("Start and end of the quiet hours, such as 22:00-07:00.", valueName: "times"))
        var quietHours: String?

        @Option(help: "The time zone of --quiet-hours, such as Asia/Shanghai; 'device' for each device's own.")
        var quietZone: String?

        @Flag(help: "Send time-sensitive and critical notifications during quiet hours too.")
        var allowTimeSensitive = false

        @Flag(help: "Remove the quiet hours.") var noQuietHours = false
        @Flag(inversion: .prefixedNo, help: "Refuse pushes that have warnings.") var strict: Bool?

        @Option(help: "Who sets aliases: anyone, proved or backend.")
        var aliases: AliasRules.Policy?

        @Option(help: ArgumentHelp("The beginning of tags that are protected like aliases.", valueName: "prefix"))
        var protectedTags: String?

        @OptionGroup var options: OperatorOptions

        func validate() throws {
            guard
                environment != nil || quietHours != nil || noQuietHours || strict != nil || aliases != nil
                    || protectedTags != nil
            else {
                throw ValidationError(
                    "Say what to set: --environment, --quiet-hours, --no-quiet-hours, --strict, --aliases or --protected-tags."
                )
            }
            try require(quietHours == nil || !noQuietHours, "--quiet-hours and --no-quiet-hours exclude each other.")
            try require(
                quietHours != nil || (quietZone == nil && !allowTimeSensitive),
                "--quiet-zone and --allow-time-sensitive go with --quiet-hours."
            )
            _ = try setting
        }

        var request: OperatorRequest {
            get throws {
                .appSet(
                    app: key,
                    environment: environment,
                    quietHours: try setting,
                    strict: strict,
                    aliases: aliases,
                    protectedTags: protectedTags
                )
            }
        }

        func tell(_ app: AppAnswer) {
            let hours = app.quietHours.map { "quiet hours from \($0.words)" } ?? "no quiet hours"
            printLine(
                "\(app.name.printed) has the environment \(app.environment) and \(hours)\(app.strict ? ", and is strict" : "")."
            )
            guard aliases != nil || protectedTags != nil else { return }
            printLine("Aliases: \(app.aliasWords).")
            if app.aliases == .proved, !app.hasAliasKey {
                printLine("There is no key for proofs yet: 'posthorn app alias-key \(app.appKey)' makes it.")
            }
        }

        /// The quiet hours to set: null removes them, nil leaves them.
        private var setting: JSONValue? {
            get throws {
                guard let quietHours else { return noQuietHours ? .null : nil }
                let times = quietHours.split(separator: "-", omittingEmptySubsequences: false)
                try require(
                    times.count == 2,
                    "--quiet-hours is '\(quietHours)'; expected two times of day, such as 22:00-07:00."
                )
                let hours: JSONValue = [
                    "from": .string(String(times[0])), "to": .string(String(times[1])),
                    "zone": .string(quietZone ?? "device"), "allow_time_sensitive": .bool(allowTimeSensitive),
                ]
                do { _ = try QuietHours(json: hours, at: "--quiet-hours") } catch {
                    throw ValidationError(error.message)
                }
                return hours
            }
        }
    }
}

extension QuietHours {
    /// The quiet hours as text: `22:00 to 07:00, in each device's zone`.
    var words: String {
        let place = if case .named(let name) = zone { "in \(name)" } else { "in each device's zone" }
        let exception = allowsTimeSensitive ? ", but for time-sensitive notifications" : ""
        return "\(Self.text(from)) to \(Self.text(to)), \(place)\(exception)"
    }
}

extension AppAnswer {
    /// The setter of the app's aliases and protected tags, in words.
    fileprivate var aliasWords: String {
        let words =
            switch aliases {
            case .anyone: "any device sets its own"
            case .proved: "with proofs of the backend"
            case .backend: "set by the backend alone"
            }
        guard let protectedTags else { return words }
        let tags = "tags that begin with '\(protectedTags)'"
        return aliases == .anyone ? "\(words); \(tags) would be protected" : "\(words), and so are \(tags)"
    }
}

extension AliasRules.Policy: ExpressibleByArgument {}
