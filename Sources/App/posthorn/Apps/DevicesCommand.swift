import ArgumentParser
import PosthornStack
import PushModel

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Shows and changes an app's devices, tags and aliases in a running service.",
        subcommands: [List.self, Show.self, DevicesExport.self, Tags.self, Alias.self]
    )
}

extension DevicesCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists devices, oldest first: all, or those with a tag or an alias."
        )

        @Option(help: "Only devices with this tag.")
        var tag: String?

        @Option(help: "Only devices with this alias.")
        var alias: String?

        @Option(help: "Maximum number of devices.")
        var limit = 100

        @Option(help: "Continue after this registration id.")
        var after: String?

        @Flag(help: "Print a line of JSON per device.")
        var json = false

        @OptionGroup var server: ServerOptions

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit is \(limit); expected 1 or more.") }
        }

        func run() async throws {
            var pages = DevicePages(client: try server.client(), tag: tag, alias: alias, last: after)
            var left = limit
            while left > 0 {
                let wanted = min(left, DevicePages.size)
                let page = try await pages.next(limit: wanted)
                for device in page { printLine(json ? JSONValue.object(device).text : Self.line(device)) }
                left -= page.count
                guard page.count == wanted else { break }
            }
            if left == limit, !json { printNote("There are no such devices.") }
        }

        private static func line(_ device: JSONObject) -> String {
            let seen = device["online"]?.bool == true ? "online" : device.text("last_seen")
            let tags = device.strings("tags").joined(separator: ",")
            let parts = [
                device.text("registration_id"), device.text("environment"), device["token"] == .null ? "no token" : "",
                seen, device["alias"]?.string.map { "alias \($0)" } ?? "", tags.isEmpty ? "" : "tags \(tags)",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows everything known about a device.")

        @Argument(help: "The device's registration id.")
        var registrationID: String

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let path = "/posthorn/v1/devices/\(APIClient.encoded(registrationID))"
            let device = try await server.client().get(path).members
            guard !json else { return printLine(JSONValue.object(device).text) }
            let tags = device.strings("tags")
            printLine("Registration id  \(device.text("registration_id"))")
            printLine("Token            \(device["token"]?.string ?? "none: nothing can be sent to it")")
            printLine("Environment      \(device.text("environment"))")
            printLine("Alias            \(device["alias"]?.string ?? "none")")
            printLine("Tags             \(tags.isEmpty ? "none" : tags.joined(separator: ", "))")
            printLine("Mobile           \(device["mobile"]?.string ?? "none")")
            printLine("Badge            \(device["badge"]?.integer ?? 0)")
            printLine("System           \(device.text("system").isEmpty ? "not known" : device.text("system"))")
            printLine("Time zone        \(device["zone"]?.string ?? "not known")")
            printLine("App version      \(device["app_version"]?.string ?? "not known")")
            printLine("Language         \(device["language"]?.string ?? "not known")")
            printLine("Permission       \(device["permission"]?.string ?? "not known")")
            printLine("Seen             \(device["online"]?.bool == true ? "online" : device.text("last_seen"))")
            if device["imported"]?.bool == true {
                printLine("It was imported; its app has not registered here yet.")
            }
        }
    }

    struct Tags: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the app's tags, or shows and changes a device's tags.",
            usage: """
                posthorn devices tags [--delete TAG]
                posthorn devices tags REGISTRATION_ID [--add TAG …] [--remove TAG …] [--clear]
                """
        )

        @Argument(help: "The device's registration id.")
        var registrationID: String?

        @Option(help: "Add this tag to the device; may be repeated.")
        var add: [String] = []

        @Option(help: "Remove this tag from the device; may be repeated.")
        var remove: [String] = []

        @Flag(help: "Remove all tags from the device.")
        var clear = false

        @Option(name: .customLong("delete"), help: "Delete this tag, on all devices.")
        var deleted: String?

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var server: ServerOptions

        private var edits: Bool { !add.isEmpty || !remove.isEmpty }

        func validate() throws {
            guard registrationID != nil || (!edits && !clear) else {
                throw ValidationError("--add, --remove and --clear change one device; give its registration id.")
            }
            guard registrationID == nil || deleted == nil else {
                throw ValidationError("--delete applies to all devices; expected no registration id with it.")
            }
            guard !clear || !edits else { throw ValidationError("--clear cannot be combined with --add or --remove.") }
        }

        func run() async throws {
            let client = try server.client()
            if let deleted {
                _ = try await client.delete("/v3/tags/\(APIClient.encoded(deleted))").members
            }
            guard let registrationID else { return try await tell(try await client.get("/v3/tags")) }
            let path = "/v3/devices/\(APIClient.encoded(registrationID))"
            if edits || clear {
                let edit: JSONValue = [
                    "add": .strings(add), "remove": .strings(remove),
                ]
                let body: JSONValue = ["tags": clear ? "" : edit]
                _ = try await client.post(path, body.bytes).members
            }
            try await tell(try await client.get(path))
        }

        private func tell(_ answer: APIClient.Answer) async throws {
            guard answer.status == 200, let tags = answer.json.object?["tags"] else { throw ServerRefusal(answer) }
            guard !json else { return printLine(tags.text) }
            let names = (tags.array ?? []).compactMap(\.string)
            if names.isEmpty { printNote(registrationID == nil ? "There are no tags." : "The device has no tags.") }
            for name in names { printLine(name) }
        }
    }

    struct Alias: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows or changes a device's alias.",
            usage: "posthorn devices alias REGISTRATION_ID [ALIAS | --clear]",
            discussion: "'posthorn devices list --alias ALIAS' lists the devices with an alias."
        )

        @Argument(help: "The device's registration id.")
        var registrationID: String

        @Argument(help: "The new alias.")
        var alias: String?

        @Flag(help: "Remove the alias.")
        var clear = false

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var server: ServerOptions

        func validate() throws {
            guard alias == nil || !clear else { throw ValidationError("Give an alias or --clear, not both.") }
            guard alias != "" else { throw ValidationError("The alias is empty; --clear removes it.") }
        }

        func run() async throws {
            let client = try server.client()
            let path = "/v3/devices/\(APIClient.encoded(registrationID))"
            if clear || alias != nil {
                let body: JSONValue = ["alias": .string(alias ?? "")]
                _ = try await client.post(path, body.bytes).members
            }
            let answer = try await client.get(path)
            guard answer.status == 200, let found = answer.json.object?["alias"] else { throw ServerRefusal(answer) }
            guard !json else { return printLine(found.text) }
            printLine(found.string ?? "The device has no alias.")
        }
    }
}
