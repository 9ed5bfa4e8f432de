import APNSProvider
import ArgumentParser
import Foundation
import PushModel

extension LiveActivityPush.Event: ExpressibleByArgument {}

/// The flags of a push to a Live Activity.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
struct SendLiveActivity: ParsableArguments {
    @Option(
        name: .customLong("live-activity"),
        help: ArgumentHelp(
            "Push an event to a Live Activity. Fills in push type, priority, topic suffix and timestamp.",
            valueName: "event"
        )
    )
    var event: LiveActivityPush.Event?

    @Option(help: .json("The state of the Live Activity, as a JSON object.")) var contentState: String?
    @Option(help: .type("For a start: the name of the app's ActivityAttributes type.")) var attributesType: String?
    @Option(help: .json("For a start: the attributes, as a JSON object.")) var attributes: String?
    @Option(help: .seconds("When the state counts as out of date, in seconds since 1970.")) var staleDate: Int64?

    @Option(help: .seconds("For an end: when it leaves the Lock Screen, in seconds since 1970."))
    var dismissalDate: Int64?

    /// Whether a flag other than `--live-activity` is given.
    private var hasDetails: Bool {
        contentState != nil || attributesType != nil || attributes != nil || staleDate != nil || dismissalDate != nil
    }

    /// Checks the flags.
    ///
    /// - Parameters:
    ///   - hasPayload: whether `--payload` is given.
    ///   - alert: the members of the alert.
    /// - Throws: `ValidationError`, which names the flag that is missing or does not fit the event.
    func validate(hasPayload: Bool, alert: JSONObject) throws {
        guard let event else {
            try require(
                !hasDetails,
                "--content-state, --attributes, --stale-date and the like go with --live-activity start, update or end."
            )
            return
        }
        guard !hasPayload else {
            try require(!hasDetails, "Give --payload or flags such as --content-state, not both.")
            return
        }
        try require(
            contentState != nil || event == .end,
            "--content-state is missing; --live-activity \(event.rawValue) needs the new state."
        )
        guard event == .start else {
            try require(
                attributesType == nil && attributes == nil,
                "--attributes-type and --attributes go with --live-activity start."
            )
            try require(dismissalDate == nil || event == .end, "--dismissal-date goes with --live-activity end.")
            return
        }
        try require(
            attributesType != nil && attributes != nil,
            "--live-activity start needs --attributes-type and --attributes."
        )
        try require(
            !alert.isEmpty,
            "--live-activity start needs --title or --alert: iOS shows it when the activity starts."
        )
    }

    /// Returns the payload from the flags.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - alert: the members of the alert; empty for none.
    ///   - now: the time of the state.
    /// - Returns: the payload in JSON.
    /// - Throws: `ValidationError` for a flag that is not a JSON object.
    func payload(_ event: LiveActivityPush.Event, alert: JSONObject, at now: Date) throws -> [UInt8] {
        let state = try contentState.map { try object($0, "--content-state") }
        var activity = APSLiveActivity(.update, timestamp: now, contentState: state)
        switch event {
        case .update: break
        case .start:
            let attributes = try object(attributes ?? "", "--attributes")
            activity.event = .start(attributesType: attributesType ?? "", attributes: attributes)
            activity.input = .pushToken
        case .end: activity.event = .end(dismissalDate: dismissalDate.map(Self.date))
        }
        activity.staleDate = staleDate.map(Self.date)
        var aps = APS(liveActivity: activity).json
        if !alert.isEmpty { aps["alert"] = .object(alert) }
        return JSONValue.object(["aps": .object(aps)]).bytes
    }

    /// Checks a payload that was given as a whole, and fills in `timestamp` and `event` if they are missing.
    ///
    /// - Parameters:
    ///   - bytes: the payload.
    ///   - event: the event that it must have.
    ///   - now: the time of the state.
    /// - Returns: the same bytes if nothing is missing.
    /// - Throws: `ValidationError`, which names what is missing or does not fit the event.
    static func completed(_ bytes: [UInt8], _ event: LiveActivityPush.Event, at now: Date) throws -> [UInt8] {
        let json: JSONValue
        do { json = try JSONValue(parsing: bytes) } catch { throw ValidationError("--payload is not JSON: \(error).") }
        guard var payload = json.object, var aps = payload["aps"]?.object else {
            throw ValidationError("--payload has no object 'aps', which a Live Activity reads.")
        }
        try require(
            aps["event"].map({ $0 == .string(event.rawValue) }) ?? true,
            "--payload has the event \(aps["event"]?.text ?? ""), and --live-activity says '\(event.rawValue)'."
        )
        let missing = PayloadReview.liveActivityKeys(of: event.rawValue).filter {
            aps[$0] == nil && !["timestamp", "event"].contains($0)
        }
        guard missing.isEmpty else {
            let keys = missing.map { "'aps.\($0)'" }.joined(separator: ", ")
            throw ValidationError("--payload has no \(keys), which --live-activity \(event.rawValue) needs.")
        }
        guard aps["timestamp"] == nil || aps["event"] == nil else { return bytes }
        if aps["timestamp"] == nil { aps["timestamp"] = .integer(Int64(now.timeIntervalSince1970)) }
        aps["event"] = .string(event.rawValue)
        payload["aps"] = .object(aps)
        return payload.bytes
    }

    private static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

    private func object(_ text: String, _ option: String) throws -> JSONValue {
        .object(try JSONObject(text, of: option, such: #"{"eta":12}"#))
    }
}
