import APNSGateway
import AppleDeveloper
import ArgumentParser
import PushModel

struct AppIDCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appid",
        abstract: "Manages a gateway's App IDs, as on Apple's developer site.",
        discussion: """
            A push needs an App ID with push turned on, a certificate for it ('posthorn cert'), and a provisioning profile \
            for the app ('posthorn profile').
            """,
        subcommands: [Create.self, Set.self, List.self, Show.self]
    )

    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on
        case off
    }
}

extension AppIDCommand {
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates an App ID.")

        @Argument(help: "The app's bundle id, such as com.example.app; wildcards are not allowed.")
        var bundleID: String

        @Option(help: "Whether apps with this App ID can receive pushes: on or off.")
        var push = Switch.on

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DeveloperOptions

        func run() throws {
            try explaining {
                let appID = try AppID(bundleID: bundleID, hasPush: push == .on)
                try AppIDStore(folder: options.makeFolder()).create(appID)
                appID.print(json: json)
            }
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Turns push on or off for an App ID.")

        @Argument(help: "The app's bundle id.")
        var bundleID: String

        @Option(help: "Whether apps with this App ID can receive pushes: on or off.")
        var push: Switch

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DeveloperOptions

        func run() throws {
            try explaining {
                let appIDs = try options.appIDs()
                var appID = try appIDs.get(bundleID)
                appID.hasPush = push == .on
                try appIDs.replace(appID)
                appID.print(json: json)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all App IDs.")

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DeveloperOptions

        func run() throws {
            try explaining {
                let all = try options.appIDs().all()
                guard !json else { return printLine(JSONValue.array(all.map { .object($0.members) }).text) }
                if all.isEmpty { printLine("There are no App IDs yet; 'posthorn appid create' makes one.") }
                for appID in all { printLine("\(appID.bundleID)  push \(appID.push)") }
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one App ID.")

        @Argument(help: "The app's bundle id.")
        var bundleID: String

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DeveloperOptions

        func run() throws {
            try explaining { try options.appIDs().get(bundleID).print(json: json) }
        }
    }
}

extension AppID {
    fileprivate var push: AppIDCommand.Switch { hasPush ? .on : .off }

    fileprivate var members: JSONObject { ["bundle_id": .string(bundleID), "push": .bool(hasPush)] }

    fileprivate func print(json: Bool) {
        guard !json else { return printLine(JSONValue.object(members).text) }
        printLine("Bundle id  \(bundleID)")
        printLine("Push       \(push)")
    }
}
