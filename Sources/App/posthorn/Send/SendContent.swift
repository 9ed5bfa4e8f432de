import APNSProvider
import ArgumentParser
import Foundation
import PushModel

/// The push, from flags or a file, and its header fields.
struct SendContent: ParsableArguments {
    @Option(help: "The device token in hexadecimal digits; spaces and angle brackets are ignored.") var token: String

    @Option(
        help: "apns-topic: the bundle id, with the suffix of the push type. Optional for a certificate with one topic."
    )
    var topic: String?

    @Option(help: .file("Path of the payload, sent byte for byte; '-' reads standard input.")) var payload: String?
    @Option(help: "The text of the notification.") var alert: String?
    @Option(help: "The title of the notification.") var title: String?
    @Option(help: "The number on the app's icon; 0 removes it.") var badge: Int?
    @Option(help: "The sound: a file of the app, or 'default'.") var sound: String?
    @OptionGroup var activity: SendLiveActivity

    @Flag(
        help: "Push a call, with the payload of --payload. Fills in push type, priority, topic suffix and one attempt."
    )
    var voip = false

    @Option(
        help: .type(
            "apns-push-type: alert, background, voip, liveactivity … By default that of the other flags, or alert."
        )
    )
    var pushType: String?

    @Option(help: "apns-priority: 10 for immediately, 5 to consider power, 1 to put power first.") var priority: Int?
    @Option(help: "apns-expiration: seconds since 1970; 0 for one attempt.") var expiration: Int64?
    @Option(help: "apns-collapse-id: at most 64 bytes.") var collapseID: String?
    @Option(help: "apns-id: a UUID; generated if not given.") var id: String?

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp(
            "Any header field; replaces one of the same name, or removes it if the value is empty. May be repeated.",
            valueName: "name:value"
        )
    )
    var headers: [String] = []

    func validate() throws {
        try require(
            DeviceToken(written: token) != nil,
            "--token is '\(token)'; expected an even number of hexadecimal digits, usually 64."
        )
        let hasFlags = alert != nil || title != nil || badge != nil || sound != nil
        try require(payload == nil || !hasFlags, "Give --payload or flags, not both.")
        try validateKind()
        try require(
            payload != nil || hasFlags || type == .background || activity.event != nil,
            "Say what to push: --alert, --title, --badge or --sound, or --payload."
        )
        for header in headers where !header.contains(":") {
            throw ValidationError("--header is '\(header)'; expected 'name: value'.")
        }
    }

    /// Checks the flags of Live Activities and calls.
    private func validateKind() throws {
        try activity.validate(hasPayload: payload != nil, alert: activityAlert)
        guard activity.event != nil || voip else { return }
        try require(activity.event == nil || !voip, "Give --live-activity or --voip, not both.")
        let flag = voip ? "--voip" : "--live-activity"
        try require(
            pushType.map({ APNSPushType(rawValue: $0) == type }) ?? true,
            "\(flag) sends pushes of type '\(type.rawValue)'; leave --push-type out."
        )
        try require(badge == nil, "--badge is of no use with \(flag).")
        try require(
            !voip || payload != nil,
            "--voip needs --payload, a file with the JSON object that the app receives."
        )
    }

    func push() throws -> APNSPush {
        guard let token = DeviceToken(written: token) else { throw ValidationError("--token is '\(token)'.") }
        return APNSPush(
            id: id ?? UUID().uuidString.lowercased(),
            token: token,
            topic: suffixedTopic,
            pushType: type,
            priority: priority.map(APNSPriority.init(rawValue:)) ?? defaultPriority,
            expiration: effectiveExpiration,
            collapseID: collapseID,
            payload: try bytes()
        )
    }

    /// The fields of --header; one without a value removes the field.
    var fields: [APNSProbe.Field] {
        headers.map { header in
            let name = header.prefix { $0 != ":" }
            let value = header.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
            return (name: name.trimmingCharacters(in: .whitespaces).lowercased(), value: value.isEmpty ? nil : value)
        }
    }

    private var type: APNSPushType {
        if activity.event != nil { return .liveactivity }
        if voip { return .voip }
        return APNSPushType(rawValue: pushType ?? "alert")
    }

    /// The topic, with the suffix of calls or Live Activities if one of their flags is given.
    private var suffixedTopic: String? {
        guard activity.event != nil || voip, let suffix = type.topicSuffix, let topic, !topic.hasSuffix(suffix) else {
            return topic
        }
        return topic + suffix
    }

    /// That of --header, which replaces the one of --expiration.
    private var effectiveExpiration: APNSExpiration? {
        if let field = fields.last(where: { $0.name == "apns-expiration" }) {
            return field.value.flatMap { Int64($0) }.map(APNSExpiration.init(rawValue:))
        }
        return expiration.map(APNSExpiration.init(rawValue:)) ?? (voip ? .oneAttempt : nil)
    }

    private var defaultPriority: APNSPriority? {
        if activity.event != nil || voip { return .immediately }
        return type == .background ? .consideringPower : nil
    }

    /// The alert of a Live Activity's push.
    private var activityAlert: JSONObject {
        var members: JSONObject = [:]
        members["title"] = JSONValue(title)
        members["body"] = JSONValue(alert)
        if !members.isEmpty { members["sound"] = JSONValue(sound) }
        return members
    }

    private func bytes() throws -> [UInt8] {
        if let event = activity.event, payload == nil {
            return try activity.payload(event, alert: activityAlert, at: Date())
        }
        if let payload {
            let bytes = try readBytes(payload, "--payload")
            guard let event = activity.event else { return voip ? try Self.call(bytes) : bytes }
            return try SendLiveActivity.completed(bytes, event, at: Date())
        }
        var aps = APS(badge: badge, sound: sound.map { APSSound($0) }, contentAvailable: type == .background)
        if alert != nil || title != nil {
            aps.alert = APSAlert(title: title.map { .literal($0) }, body: alert.map { .literal($0) })
        }
        return APNSPayload(aps).json.bytes
    }

    /// Checks the payload of a call.
    private static func call(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let value = try? JSONValue(parsing: bytes), value.object != nil else {
            throw ValidationError("--payload is no JSON object; PushKit hands the app an object.")
        }
        return bytes
    }
}
