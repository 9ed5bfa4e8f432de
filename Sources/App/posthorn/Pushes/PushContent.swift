import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

/// The content and the audience of a push, from flags or from a file.
struct PushContent: ParsableArguments {
    @Argument(help: "Path of a file with the push object; '-' reads standard input.") var file: String?
    @Option(help: "The text of the notification.") var alert: String?
    @Option(help: "The title of the notification.") var title: String?
    @Option(help: "The badge: a number, or +N or -N to change it.") var badge: String?
    @Option(help: "The sound: a file of the app, or 'default'.") var sound: String?
    @Option(help: "The notification's category, which defines its buttons.") var category: String?

    @Flag(help: "Wake the app in the background; without alert, title, badge and sound, the push is silent.")
    var contentAvailable = false

    @Flag(help: "Let the app's service extension change the notification before it is shown.")
    var mutableContent = false

    @Option(
        name: .customLong("extra"),
        help: .pair(
            "Custom data for the app; may be repeated. The value is JSON if it parses as JSON, and text otherwise."
        )
    )
    var extras: [String] = []

    @Option(help: .json("A call: the JSON object that PushKit hands to the app, alone or beside an alert."))
    var voip: String?

    @Option(help: .url("The address that is told what becomes of the push.")) var callback: String?

    @Option(help: "The collapse id: a later push with the same id replaces this one.")
    var collapseID: String?

    @Option(help: "Seconds to keep the push for an offline device; a day if not given.") var timeToLive: Int?
    @Flag(help: "Send to all devices of the app.") var all = false

    @Option(name: .customLong("tag"), help: "Send to devices with this tag; may be repeated, one match is enough.")
    var tags: [String] = []

    @Option(name: .customLong("tag-and"), help: "Send only to devices that also have this tag; may be repeated.")
    var tagsAnd: [String] = []

    @Option(name: .customLong("tag-not"), help: "Exclude devices with this tag; may be repeated.")
    var tagsNot: [String] = []

    @Option(name: .customLong("alias"), help: "Send to devices with this alias; may be repeated.")
    var aliases: [String] = []

    @Option(name: .customLong("registration-id"), help: "Send to this device; may be repeated.")
    var registrationIDs: [String] = []

    @Option(help: "Send only to devices of this segment of the app.") var segment: String?
    @Option(help: "The topic of the notification, which devices can decline.") var topic: String?

    @Option(help: "The APNs environment: development or production; the app's own setting if not given.")
    var environment: APNSEnvironment?

    @Option(help: "An idempotency key, APPKEY-UUID: a push sent again with the same cid is not delivered again.")
    var cid: String?

    /// Whether flags describe a notification.
    var hasNotification: Bool { hasAlert || voip != nil }

    /// Whether flags describe a notification other than a call.
    private var hasAlert: Bool {
        alert != nil || title != nil || badge != nil || sound != nil || category != nil
            || contentAvailable || mutableContent || !extras.isEmpty
    }

    /// Whether flags name an audience.
    var namesAudience: Bool { audience != nil }

    /// - Throws: `ValidationError` for conflicting or missing flags.
    func check() throws {
        if file != nil {
            try require(
                !hasNotification && audience == nil && collapseID == nil && timeToLive == nil && environment == nil
                    && callback == nil && topic == nil,
                "Give a file or flags, not both."
            )
            return
        }
        try require(
            alert != nil || title != nil || contentAvailable || (voip != nil && !hasAlert),
            "Say what to push: --alert, --content-available, --voip, or a file."
        )
        _ = try call()
        try checkAudience()
        _ = try extraMembers()
    }

    private func checkAudience() throws {
        let filters = [tags, tagsAnd, tagsNot, aliases, registrationIDs, segments]
        try require(
            !all || filters.allSatisfy(\.isEmpty),
            "--all means every device; expected it alone, or --tag, --tag-and, --tag-not, --alias, --registration-id or "
                + "--segment."
        )
        try require(
            audience != nil,
            "Say to whom: --all, --tag, --tag-and, --tag-not, --alias, --registration-id or --segment."
        )
    }

    /// The push object: the file's, byte for byte, or one composed from the flags.
    func body(_ client: APIClient) async throws -> [UInt8] {
        if let file {
            let bytes = try Self.read(file)
            guard let cid else { return bytes }
            guard case .object(var object) = try Self.json(bytes, of: file) else {
                throw ValidationError("'\(file)' is not a push object; expected '{'.")
            }
            object["cid"] = .string(cid)
            return object.bytes
        }
        var push = try await parts(client)
        push["audience"] = audience
        push["cid"] = JSONValue(cid)
        return push.bytes
    }

    /// The push object without its audience.
    func parts(_ client: APIClient) async throws -> JSONObject {
        var ios: JSONObject = [:]
        if let title {
            ios["alert"] = ["title": .string(title), "body": .string(alert ?? "")]
        } else if let alert {
            ios["alert"] = .string(alert)
        } else if !contentAvailable {
            // The API requires an alert, even an empty one.
            ios["alert"] = ""
        }
        if contentAvailable { ios["content-available"] = true }
        if mutableContent { ios["mutable-content"] = true }
        ios["category"] = JSONValue(category)
        ios["badge"] = JSONValue(badge)
        ios["sound"] = JSONValue(sound)
        let extras = try extraMembers()
        if !extras.isEmpty { ios["extras"] = .object(extras) }
        let environment = try await environment(at: client)
        var options: JSONObject = ["apns_production": .bool(environment == .production)]
        options["apns_collapse_id"] = JSONValue(collapseID)
        options["time_to_live"] = JSONValue(timeToLive)
        options["x_topic"] = JSONValue(topic)
        var notification: JSONObject = [:]
        if hasAlert || voip == nil { notification["ios"] = .object(ios) }
        notification["voip"] = JSONValue(try call())
        var push: JSONObject = [
            "platform": ["ios"], "notification": .object(notification), "options": .object(options),
        ]
        push["callback"] = callback.map { ["url": .string($0)] }
        return push
    }

    /// The payload of `--voip`.
    private func call() throws -> JSONObject? {
        try voip.map { try JSONObject($0, of: "--voip", such: #"{"caller":"Ana"}"#) }
    }

    private func extraMembers() throws -> JSONObject {
        var members: JSONObject = [:]
        for extra in extras {
            let parts = extra.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try require(parts.count == 2 && !parts[0].isEmpty, "--extra is '\(extra)'; expected KEY=VALUE.")
            members[String(parts[0])] = (try? JSONValue(parsing: String(parts[1]))) ?? .string(String(parts[1]))
        }
        return members
    }

    private func environment(at client: APIClient) async throws -> APNSEnvironment {
        if let environment { return environment }
        let app: AppAnswer = try await client.get("/posthorn/v1/app").read()
        return app.environment
    }

    private var segments: [String] { segment.map { [$0] } ?? [] }

    private var audience: JSONValue? {
        if all { return "all" }
        var filter: JSONObject = [:]
        for (key, values) in [
            ("tag", tags), ("tag_and", tagsAnd), ("tag_not", tagsNot), ("alias", aliases),
            ("registration_id", registrationIDs), ("segment", segments),
        ] where !values.isEmpty {
            filter[key] = .strings(values)
        }
        return filter.isEmpty ? nil : .object(filter)
    }

    /// The JSON in a file or in standard input.
    private static func read(_ file: String) throws -> [UInt8] {
        let bytes = try readBytes(file)
        _ = try json(bytes, of: file)
        return bytes
    }

    static func json(_ bytes: [UInt8], of file: String) throws -> JSONValue {
        do { return try JSONValue(parsing: bytes) } catch { throw ValidationError("'\(file)' is not JSON: \(error).") }
    }
}

/// Reads a file; `-` is standard input. `option` is what names it.
func readBytes(_ path: String, _ option: String? = nil) throws -> [UInt8] {
    if path == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
        throw ValidationError((option.map { "\($0) " } ?? "") + unreadable(path, error))
    }
}

/// Returns the sentence about a file that cannot be read, and may be a folder.
func unreadable(_ path: String, _ error: any Error) -> String {
    let isFolder = (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    return "'\(path)' "
        + (isFolder
            ? "is a folder; expected a file."
            : "cannot be read: \(FileWords.reason(of: error) ?? error.localizedDescription)")
}
