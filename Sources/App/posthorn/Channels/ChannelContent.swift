import APNSProvider
import ArgumentParser
import Foundation
import PushModel

/// A channel message, from flags or a file.
struct ChannelContent: ParsableArguments {
    enum Event: String, ExpressibleByArgument, CaseIterable {
        case update
        case end
    }

    @Option(help: .file("Path of the payload, sent byte for byte; '-' reads standard input.")) var payload: String?
    @Option(help: .json("The activities' new content state, a JSON object.")) var contentState: String?
    @Option(help: "What becomes of the activities: update or end.") var event = Event.update
    @Option(help: "The title of an alert that comes with the update.") var title: String?
    @Option(help: "The text of an alert that comes with the update.") var alert: String?
    @Option(help: "apns-expiration: seconds since 1970; 0 stores nothing.") var expiration: Int64 = 0
    @Option(help: "apns-priority: 10 for immediately, 5 to consider power, 1 to put power first.") var priority: Int?
    @Option(help: "apns-request-id: a UUID; generated if not given.") var id: String?

    func validate() throws {
        try require(
            (payload == nil) != (contentState == nil),
            "Say what to send: --content-state or --payload, and not both."
        )
        try require(
            payload == nil || (alert == nil && title == nil),
            "--alert and --title belong to --content-state; a payload has its own."
        )
        try require(
            id.map({ UUID(uuidString: $0) != nil }) ?? true,
            "--id is '\(id ?? "")'; expected a UUID as 8-4-4-4-12 hexadecimal digits."
        )
        _ = try state()
    }

    func push(to channel: APNSChannelID) throws -> APNSBroadcast {
        APNSBroadcast(
            to: channel,
            payload: try bytes(),
            expiration: APNSExpiration(rawValue: expiration),
            priority: priority.map(APNSPriority.init(rawValue:)),
            requestID: id.flatMap { UUID(uuidString: $0) } ?? UUID()
        )
    }

    private func bytes() throws -> [UInt8] {
        if let payload { return try readBytes(payload, "--payload") }
        var aps = APS()
        aps.liveActivity = APSLiveActivity(
            event == .update ? .update : .end(),
            timestamp: Date(),
            contentState: try state()
        )
        if alert != nil || title != nil {
            aps.alert = APSAlert(title: title.map { .literal($0) }, body: alert.map { .literal($0) })
        }
        return APNSPayload(aps).json.bytes
    }

    private func state() throws -> JSONValue? {
        try contentState.map { .object(try JSONObject($0, of: "--content-state", such: #"{"home":1}"#)) }
    }
}
