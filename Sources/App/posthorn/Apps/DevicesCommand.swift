import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Shows and changes an app's devices, tags and aliases in a running service.",
        subcommands: [List.self, Show.self, DevicesExport.self, Tags.self, Alias.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists devices, oldest first: all, or those with a tag or an alias."
        )

        @Option(help: "Only devices with this tag.") var tag: String?
        @Option(help: "Only devices with this alias.") var alias: String?
        @Option(help: "Maximum number of devices.") var limit = 100
        @Option(help: "Continue after this registration id.") var after: String?
        @Flag(help: "Print a line of JSON per device.") var json = false
        @OptionGroup var server: ServerOptions

        func validate() throws {
            try require(limit > 0, "--limit is \(limit); expected 1 or more.")
        }

        func run() async throws {
            let client = try server.client
            let times = json ? nil : await ServiceTimes(of: client)
            let pages = DevicePages(client: client, tag: tag, alias: alias)
            var last = after
            var left = limit
            while left > 0 {
                let wanted = min(left, DevicePages.size)
                let page = try await pages.devices(after: last, limit: wanted)
                last = page.last?.registrationID ?? last
                for device in page {
                    printLine(times.map { Self.line(device, $0) } ?? JSONCoding.json(of: device).text)
                }
                left -= page.count
                guard page.count == wanted else { break }
            }
            if left == limit, !json { printNote("There are no such devices.") }
        }

        private static func line(_ device: RegisteredDeviceAnswer, _ times: ServiceTimes) -> String {
            let parts = [
                device.registrationID, device.environment.rawValue, device.token == nil ? "no token" : "",
                device.seen(times),
                device.alias.map { "alias \($0.printed)" } ?? "",
                device.tags.isEmpty ? "" : "tags \(device.tags.joined(separator: ",").printed)",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows everything known about a device."
        )

        @Argument(help: "The device's registration id.") var registrationID: String
        @OptionGroup var options: ResponseOptions

        func run() async throws {
            let client = try options.client
            let answer = try await client.get("/posthorn/v1/devices/\(APIClient.encoded(registrationID))")
            guard let device: RegisteredDeviceAnswer = try options.read(answer) else { return }
            let unknown = "not known"
            let proof = device.aliasProved ? ", for which the backend vouches" : ""
            printLine(
                """
                Registration id  \(device.registrationID)
                Token            \(device.token?.hexadecimal ?? "none: nothing can be sent to it")
                Environment      \(device.environment)
                Alias            \(device.alias?.printed ?? "none")\(proof)
                Tags             \(device.tags.isEmpty ? "none" : device.tags.joined(separator: ", ").printed)
                Mobile           \(device.mobile?.printed ?? "none")
                """
            )
            if device.attributes != [:] { printLine("Attributes       \(device.attributes.text)") }
            printLine(
                """
                Badge            \(device.badge)
                System           \(device.system.isEmpty ? unknown : device.system.printed)
                Time zone        \(device.zone?.printed ?? unknown)
                App version      \(device.appVersion?.printed ?? unknown)
                Language         \(device.language?.printed ?? unknown)
                Permission       \(device.permission?.printed ?? unknown)
                Seen             \(device.seen(await ServiceTimes(of: client)))
                """
            )
            if device.imported { printLine("It was imported; its app has not registered here yet.") }
        }
    }

    struct Tags: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tags",
            abstract: "Lists the app's tags, or shows and changes a device's tags.",
            usage: """
                posthorn devices tags [--delete TAG]
                posthorn devices tags REGISTRATION_ID [--add TAG …] [--remove TAG …] [--clear]
                """
        )

        @Argument(help: "The device's registration id.") var registrationID: String?
        @Option(help: "Add this tag to the device; may be repeated.") var add: [String] = []
        @Option(help: "Remove this tag from the device; may be repeated.") var remove: [String] = []
        @Flag(help: "Remove all tags from the device.") var clear = false
        @Option(name: .customLong("delete"), help: "Delete this tag, on all devices.") var deleted: String?
        @Flag(help: "Print as JSON.") var json = false
        @OptionGroup var server: ServerOptions

        private var edits: Bool { !add.isEmpty || !remove.isEmpty }

        func validate() throws {
            try require(
                registrationID != nil || (!edits && !clear),
                "--add, --remove and --clear change one device; give its registration id."
            )
            try require(
                registrationID == nil || deleted == nil,
                "--delete applies to all devices; expected no registration id with it."
            )
            try require(!clear || !edits, "--clear cannot be combined with --add or --remove.")
        }

        func run() async throws {
            let client = try server.client
            if let deleted { _ = try await client.delete("/v3/tags/\(APIClient.encoded(deleted))").members }
            guard let registrationID else { return try tell(try await client.get("/v3/tags")) }
            let path = "/v3/devices/\(APIClient.encoded(registrationID))"
            if edits || clear {
                let edit: JSONMembers = ["add": add, "remove": remove]
                _ = try await client.post(path, ["tags": clear ? "" : edit]).members
            }
            try tell(try await client.get(path))
        }

        private struct Answer: Decodable { let tags: [String] }

        private func tell(_ response: APIClient.Answer) throws {
            let answer: Answer = try response.read()
            guard !json else { return printLine(JSONValue.strings(answer.tags).text) }
            if answer.tags.isEmpty {
                printNote(registrationID == nil ? "There are no tags." : "The device has no tags.")
            }
            answer.tags.forEach(printLine)
        }
    }

    struct Alias: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "alias",
            abstract: "Shows or changes a device's alias.",
            usage: "posthorn devices alias REGISTRATION_ID [ALIAS | --clear]",
            discussion: "'posthorn devices list --alias ALIAS' lists the devices with an alias."
        )

        @Argument(help: "The device's registration id.") var registrationID: String
        @Argument(help: "The new alias.") var alias: String?
        @Flag(help: "Remove the alias.") var clear = false
        @Flag(help: "Print as JSON.") var json = false
        @OptionGroup var server: ServerOptions

        func validate() throws {
            try require(alias == nil || !clear, "Give an alias or --clear, not both.")
            try require(alias != "", "The alias is empty; --clear removes it.")
        }

        func run() async throws {
            let client = try server.client
            let path = "/v3/devices/\(APIClient.encoded(registrationID))"
            if clear || alias != nil {
                _ = try await client.post(path, ["alias": alias ?? ""]).members
            }
            let answer: Answer = try await client.get(path).read()
            printLine(json ? JSONValue.orNull(answer.alias).text : answer.alias ?? "The device has no alias.")
        }

        private struct Answer: Decodable { let alias: String? }
    }
}

extension RegisteredDeviceAnswer {
    /// Returns the date of the last connection, or `online`.
    fileprivate func seen(_ times: ServiceTimes) -> String { online ? "online" : times.text(lastSeen) }
}
