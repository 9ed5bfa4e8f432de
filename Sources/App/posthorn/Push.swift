import ArgumentParser
import Foundation
import PosthornStack
import PushModel

struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a push through a running service.",
        discussion:
            "Compose it from flags, or give a push object of the JPush REST API v3 in a file ('-' is standard input)."
    )

    @Argument(help: "A file with the push object; '-' reads standard input.")
    var file: String?

    @Option(help: "What the notification says.")
    var alert: String?

    @Option(help: "Its title.")
    var title: String?

    @Option(help: "A number, or +N or -N.")
    var badge: String?

    @Option(help: "A sound file of the app, or 'default'.")
    var sound: String?

    @Flag(help: "Send it to all devices of the app.")
    var all = false

    @Option(name: .customLong("tag"), help: "To devices with this tag; may be repeated.")
    var tags: [String] = []

    @Option(name: .customLong("alias"), help: "To devices with this alias; may be repeated.")
    var aliases: [String] = []

    @Option(name: .customLong("registration-id"), help: "To this device; may be repeated.")
    var registrationIDs: [String] = []

    @Option(help: "The APNs environment: development or production; the app's own setting if not given.")
    var environment: APNSEnvironment?

    @Flag(help: "Check the push, send nothing.")
    var validateOnly = false

    @Flag(help: "Print the service's answer as it came.")
    var json = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        if file != nil {
            guard alert == nil, title == nil, audience == nil, badge == nil, sound == nil else {
                throw ValidationError("Give a file or flags, not both.")
            }
            return
        }
        guard alert != nil || title != nil else { throw ValidationError("Say what to push: --alert, or a file.") }
        guard !all || (tags.isEmpty && aliases.isEmpty && registrationIDs.isEmpty) else {
            throw ValidationError("--all is everybody; expected it alone, or --tag, --alias or --registration-id.")
        }
        guard audience != nil else {
            throw ValidationError("Say to whom: --all, --tag, --alias or --registration-id.")
        }
    }

    func run() async throws {
        let client = try server.client()
        var body = try readFile()
        if body == nil { body = composed(for: try await environment(at: client)).bytes }
        let answer = try await client.post(validateOnly ? "/v3/push/validate" : "/v3/push", body ?? [])
        guard answer.status == 200 else { throw ServerRefusal(answer) }
        guard !json else { return printLine(answer.json.text) }
        let message = answer.json.object?["msg_id"]?.string ?? "?"
        printLine(validateOnly ? "Valid; nothing was sent." : "Accepted: msg_id \(message)")
        if !validateOnly { printLine("What became of it: posthorn why \(message) REGISTRATION_ID") }
    }

    private func environment(at client: APIClient) async throws -> APNSEnvironment {
        if let environment { return environment }
        let answer = try await client.get("/posthorn/v1/app")
        let setting = answer.json.object?["environment"]?.string.flatMap(APNSEnvironment.init(rawValue:))
        guard answer.status == 200, let setting else { throw ServerRefusal(answer) }
        return setting
    }

    /// The push object in the file that was named, byte for byte; nil if none was.
    private func readFile() throws -> [UInt8]? {
        guard let file else { return nil }
        let data: Data
        if file == "-" {
            data = FileHandle.standardInput.readDataToEndOfFile()
        } else {
            do { data = try Data(contentsOf: URL(filePath: file)) } catch {
                throw ValidationError("'\(file)' cannot be read: \(error.localizedDescription)")
            }
        }
        do { _ = try JSONValue(parsing: data) } catch { throw ValidationError("'\(file)' is not JSON: \(error).") }
        return Array(data)
    }

    private var audience: JSONValue? {
        if all { return "all" }
        var filter: JSONObject = [:]
        for (key, values) in [("tag", tags), ("alias", aliases), ("registration_id", registrationIDs)]
        where !values.isEmpty {
            filter[key] = .array(values.map { .string($0) })
        }
        return filter.isEmpty ? nil : .object(filter)
    }

    private func composed(for environment: APNSEnvironment) -> JSONValue {
        var ios: JSONObject = [:]
        if let title {
            ios["alert"] = ["title": .string(title), "body": .string(alert ?? "")]
        } else {
            ios["alert"] = .string(alert ?? "")
        }
        ios["badge"] = badge.map { .string($0) }
        ios["sound"] = sound.map { .string($0) }
        return [
            "platform": ["ios"], "audience": audience ?? .null, "notification": ["ios": .object(ios)],
            "options": ["apns_production": .bool(environment == .production)],
        ]
    }
}
