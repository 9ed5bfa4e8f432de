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

    enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

    struct Create: DeveloperCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Creates an App ID.")

        @Argument(help: "The app's bundle id, such as com.example.app; wildcards are not allowed.") var bundleID: String
        @Option(help: "Whether apps with this App ID can receive pushes: on or off.") var push = Switch.on
        @OptionGroup var output: DeveloperOutput

        func perform() throws {
            let appID = try AppID(bundleID: bundleID, hasPush: push == .on)
            try AppIDStore(folder: output.options.makeFolder()).create(appID)
            appID.print(json: output.json)
        }
    }

    struct Set: DeveloperCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Turns push on or off for an App ID."
        )

        @Argument(help: "The app's bundle id.") var bundleID: String
        @Option(help: "Whether apps with this App ID can receive pushes: on or off.") var push: Switch
        @OptionGroup var output: DeveloperOutput

        func perform() throws {
            let appIDs = try output.options.appIDs()
            var appID = try appIDs.get(bundleID)
            appID.hasPush = push == .on
            try appIDs.replace(appID)
            appID.print(json: output.json)
        }
    }

    struct List: DeveloperCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all App IDs.")

        @OptionGroup var output: DeveloperOutput

        func perform() throws {
            let all = try output.options.appIDs().all()
            guard !output.json else { return printLine(JSONCoding.json(of: all.map(\.members)).text) }
            if all.isEmpty { printLine("There are no App IDs yet; 'posthorn appid create' makes one.") }
            for appID in all { printLine("\(appID.bundleID)  push \(appID.push)") }
        }
    }

    struct Show: DeveloperCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one App ID.")

        @Argument(help: "The app's bundle id.") var bundleID: String
        @OptionGroup var output: DeveloperOutput

        func perform() throws { try output.options.appIDs().get(bundleID).print(json: output.json) }
    }
}

extension AppID {
    fileprivate var push: AppIDCommand.Switch { hasPush ? .on : .off }

    fileprivate var members: JSONMembers { ["bundle_id": bundleID, "push": hasPush] }

    fileprivate func print(json: Bool) {
        guard !json else { return printJSON(members) }
        printLine("Bundle id  \(bundleID)")
        printLine("Push       \(push)")
    }
}
