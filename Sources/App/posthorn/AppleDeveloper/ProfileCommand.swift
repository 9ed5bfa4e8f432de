import APNSGateway
import AppleDeveloper
import ArgumentParser
import Foundation
import PushClock
import PushModel

struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Creates and shows provisioning profiles.",
        subcommands: [Create.self, Show.self]
    )

    struct Create: DeveloperCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a provisioning profile for an App ID.",
            discussion: """
                Its 'aps-environment' decides in which environment the app's device tokens are valid. If push is off for the \
                App ID, the profile has no 'aps-environment', and the app gets error 3000 instead of a token.
                """
        )

        @Option(help: "The bundle id of the App ID.") var appID: String

        @Option(help: "The app's build: development, or production for Ad Hoc and the App Store.")
        var environment: APNSEnvironment

        @Option(
            name: .customLong("device"),
            help: ArgumentHelp("A device that may install it; may be repeated. All if not given.", valueName: "udid")
        )
        var devices: [String] = []

        @Option(help: "The profile's name; bundle id and environment if not given.") var name: String?
        @Option(help: "Validity in days.") var days = 365
        @Option(help: .file("Path of the profile to write; standard output if not given.")) var out: String?
        @Flag(help: "Print a description as JSON; needs --out.") var json = false
        @OptionGroup var team: TeamOptions
        @OptionGroup var options: DeveloperOptions

        func validate() throws {
            try check("--days", days, in: 1...3650)
            try require(!json || out != nil, "--json needs --out; without it the profile itself is printed.")
        }

        func perform() throws {
            let appID = try options.appIDs().get(appID)
            let now = SystemClock().date
            let profile = ProvisioningProfile(
                name: name ?? "\(appID.bundleID) \(environment.rawValue)",
                id: UUID(),
                teamID: team.teamID,
                bundleID: appID.bundleID,
                environment: appID.hasPush ? environment : nil,
                devices: devices.isEmpty ? nil : Swift.Set(devices),
                created: now,
                expires: now.addingTimeInterval(TimeInterval(days) * 86400)
            )
            if !appID.hasPush {
                printNote(
                    "warning: push is off for '\(appID.bundleID)', so the profile has no 'aps-environment' and the "
                        + "app gets no device token; 'posthorn appid set \(appID.bundleID) --push on' turns it on."
                )
            }
            try write(profile)
        }

        private func write(_ profile: ProvisioningProfile) throws {
            let file = try profile.propertyList()
            guard let out else {
                return printLine(String(decoding: file, as: UTF8.self).trimmingCharacters(in: .newlines))
            }
            try writeFile(file, to: out, "--out")
            profile.print(json: json)
            if !json { printLine("Written      \(out)") }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a provisioning profile.",
            discussion: "Reads profiles signed by Apple too. The signature is not checked."
        )

        @Argument(help: "Path of the profile.") var file: String
        @Flag(help: "Print as JSON.") var json = false

        func run() throws { try ProvisioningProfile(path: file).print(json: json) }
    }
}

extension ProvisioningProfile {
    /// Reads a profile's file.
    ///
    /// - Throws: `ValidationError` when the file is missing or not a profile.
    init(path: String) throws {
        let bytes = Data(try readBytes(path, "The profile"))
        do { try self.init(file: bytes) } catch { throw ValidationError("'\(path)': \(error)") }
    }

    fileprivate func print(json: Bool) {
        guard !json else { return printJSON(members) }
        let isExpired = SystemClock().date >= expires
        printLine(
            """
            Name         \(name)
            App          \(teamID).\(bundleID)
            Push         \(environment?.rawValue ?? "none: the app gets error 3000 in the place of a token")
            Devices      \(devices?.sorted().joined(separator: ", ") ?? "all")
            Expires      \(expires.formatted(.iso8601))\(isExpired ? ": expired, nobody can install it" : "")
            """
        )
    }

    private var members: JSONMembers {
        [
            "name": name, "uuid": id.uuidString, "team_id": teamID,
            "bundle_id": bundleID, "application_identifier": "\(teamID).\(bundleID)",
            "aps_environment": environment?.rawValue,
            "devices": devices?.sorted(),
            "created_at": created, "expires_at": expires,
        ]
    }
}
