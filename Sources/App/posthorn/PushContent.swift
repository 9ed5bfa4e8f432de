import ArgumentParser
import Foundation
import PosthornStack
import PushModel

/// What is pushed, and to whom: from flags, or from a file.
struct PushContent: ParsableArguments {
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

    @Option(help: "The category of its buttons.")
    var category: String?

    @Flag(help: "Let the app run in the background; without alert, title, badge and sound nobody notices the push.")
    var contentAvailable = false

    @Flag(help: "Let the app's service extension change it before it is shown.")
    var mutableContent = false

    @Option(
        name: .customLong("extra"),
        help: ArgumentHelp(
            "More for the app; may be repeated. The value is JSON, or else a text.",
            valueName: "key=value"
        )
    )
    var extras: [String] = []

    @Option(name: .customLong("collapse-id"), help: "A later push with the same one takes its place.")
    var collapseID: String?

    @Option(help: "Seconds for which it waits for a device that is away; a day if not given.")
    var timeToLive: Int?

    @Flag(help: "Send it to all devices of the app.")
    var all = false

    @Option(name: .customLong("tag"), help: "To devices with this tag; of repeated ones any will do.")
    var tags: [String] = []

    @Option(name: .customLong("tag-and"), help: "To devices that have this tag too; may be repeated.")
    var tagsAnd: [String] = []

    @Option(name: .customLong("tag-not"), help: "Not to devices with this tag; may be repeated.")
    var tagsNot: [String] = []

    @Option(name: .customLong("alias"), help: "To devices with this alias; may be repeated.")
    var aliases: [String] = []

    @Option(name: .customLong("registration-id"), help: "To this device; may be repeated.")
    var registrationIDs: [String] = []

    @Option(help: "The APNs environment: development or production; the app's own setting if not given.")
    var environment: APNSEnvironment?

    @Option(
        help:
            "A name for the push, KEY-UUID with the app's key before a UUID: sent again under it, it is not pushed again."
    )
    var cid: String?

    /// Whether a flag says what the notification is.
    var hasNotification: Bool {
        alert != nil || title != nil || badge != nil || sound != nil || category != nil
            || contentAvailable || mutableContent || !extras.isEmpty
    }

    /// Whether a flag says whom it is for.
    var namesAudience: Bool { audience != nil }

    /// - Throws: `ValidationError` for flags that do not go together, or too few of them.
    func check() throws {
        if file != nil {
            guard !hasNotification, audience == nil, collapseID == nil, timeToLive == nil, environment == nil else {
                throw ValidationError("Give a file or flags, not both.")
            }
            return
        }
        guard alert != nil || title != nil || contentAvailable else {
            throw ValidationError("Say what to push: --alert, --content-available, or a file.")
        }
        try checkAudience()
        _ = try extraMembers()
    }

    private func checkAudience() throws {
        let filters = [tags, tagsAnd, tagsNot, aliases, registrationIDs]
        guard !all || filters.allSatisfy(\.isEmpty) else {
            throw ValidationError(
                "--all is everybody; expected it alone, or --tag, --tag-and, --tag-not, --alias or --registration-id."
            )
        }
        guard audience != nil else {
            throw ValidationError("Say to whom: --all, --tag, --tag-and, --tag-not, --alias or --registration-id.")
        }
    }

    /// The push object: that of the file, byte for byte, or what the flags say.
    func body(_ client: APIClient) async throws -> [UInt8] {
        if let file {
            let bytes = try Self.read(file)
            guard let cid else { return bytes }
            guard case .object(var object) = try Self.json(bytes, of: file) else {
                throw ValidationError("'\(file)' holds no push object; expected '{'.")
            }
            object["cid"] = .string(cid)
            return JSONValue.object(object).bytes
        }
        var push = try await parts(client)
        push["audience"] = audience
        push["cid"] = cid.map { .string($0) }
        return JSONValue.object(push).bytes
    }

    /// All but whom it is for.
    func parts(_ client: APIClient) async throws -> JSONObject {
        var ios: JSONObject = [:]
        if let title {
            ios["alert"] = ["title": .string(title), "body": .string(alert ?? "")]
        } else if let alert {
            ios["alert"] = .string(alert)
        } else if !contentAvailable {
            // The API wants to be told, were it that there is none.
            ios["alert"] = ""
        }
        if contentAvailable { ios["content-available"] = true }
        if mutableContent { ios["mutable-content"] = true }
        ios["category"] = category.map { .string($0) }
        ios["badge"] = badge.map { .string($0) }
        ios["sound"] = sound.map { .string($0) }
        let extras = try extraMembers()
        if !extras.isEmpty { ios["extras"] = .object(extras) }
        let environment = try await environment(at: client)
        var options: JSONObject = ["apns_production": .bool(environment == .production)]
        options["apns_collapse_id"] = collapseID.map { .string($0) }
        options["time_to_live"] = timeToLive.map { .integer(Int64($0)) }
        return ["platform": ["ios"], "notification": ["ios": .object(ios)], "options": .object(options)]
    }

    private func extraMembers() throws -> JSONObject {
        var members: JSONObject = [:]
        for extra in extras {
            let parts = extra.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("--extra is '\(extra)'; expected KEY=VALUE.")
            }
            members[String(parts[0])] = (try? JSONValue(parsing: String(parts[1]))) ?? .string(String(parts[1]))
        }
        return members
    }

    private func environment(at client: APIClient) async throws -> APNSEnvironment {
        if let environment { return environment }
        let answer = try await client.get("/posthorn/v1/app")
        let setting = answer.json.object?["environment"]?.string.flatMap(APNSEnvironment.init(rawValue:))
        guard answer.status == 200, let setting else { throw ServerRefusal(answer) }
        return setting
    }

    private var audience: JSONValue? {
        if all { return "all" }
        var filter: JSONObject = [:]
        for (key, values) in [
            ("tag", tags), ("tag_and", tagsAnd), ("tag_not", tagsNot), ("alias", aliases),
            ("registration_id", registrationIDs),
        ] where !values.isEmpty {
            filter[key] = .array(values.map { .string($0) })
        }
        return filter.isEmpty ? nil : .object(filter)
    }

    /// A file, or standard input, that holds JSON.
    private static func read(_ file: String) throws -> [UInt8] {
        let bytes = try readBytes(of: file)
        _ = try json(bytes, of: file)
        return bytes
    }

    private static func json(_ bytes: [UInt8], of file: String) throws -> JSONValue {
        do { return try JSONValue(parsing: bytes) } catch { throw ValidationError("'\(file)' is not JSON: \(error).") }
    }
}

/// All of a file, or of standard input.
func readBytes(of file: String) throws -> [UInt8] {
    if file == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    do { return Array(try Data(contentsOf: URL(filePath: file))) } catch {
        throw ValidationError("'\(file)' cannot be read: \(error.localizedDescription)")
    }
}
