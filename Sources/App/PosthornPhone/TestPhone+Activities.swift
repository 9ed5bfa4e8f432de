import DeviceLink
public import Foundation
public import PushDevice
public import PushModel
import SystemPort

// Live Activities: what the phone shows of them, pushes to them, and what the user does to them.

extension TestPhone {
    /// The Live Activities on the lock screen: the most relevant first.
    public var activities: [ShownActivity] { device.screen.activities }

    /// Sends a push that changes or ends a Live Activity, to its token.
    ///
    /// - Parameters:
    ///   - message: the push.
    ///   - activity: the id of the activity. If it has ended, a gateway refuses the push with 410; here it reaches the phone.
    ///   - app: the app of the activity.
    /// - Returns: the apns-id, which identifies the journey.
    @discardableResult
    public func push(
        liveActivity message: LiveActivityMessage,
        to activity: String,
        of app: InstalledApp
    ) async -> String {
        await send(message, named: activity, of: app)
    }

    /// Sends a push that starts a Live Activity, to the app's token for starts of its type.
    ///
    /// - Parameters:
    ///   - message: the push, made by ``LiveActivityMessage/start(_:attributes:contentState:)``.
    ///   - app: the app.
    /// - Returns: the apns-id, which identifies the journey.
    @discardableResult
    public func push(liveActivity message: LiveActivityMessage, startingIn app: InstalledApp) async -> String {
        var name = ""
        if case .start(let type, _) = message.event { name = type }
        return await send(message, named: "start/\(name)", of: app)
    }

    /// Sends a message to the Live Activities of an app that listen to a broadcast channel.
    ///
    /// - Parameters:
    ///   - message: the message, an update or an end.
    ///   - channel: the id of the channel.
    ///   - app: the app.
    /// - Returns: the apns-id, which identifies the journey.
    @discardableResult
    public func broadcast(_ message: LiveActivityMessage, in channel: String, of app: InstalledApp) async -> String {
        var push = CourierPush(
            apnsID: nextID(),
            topic: app.bundleID,
            environment: app.environment,
            pushType: .liveactivity,
            priority: message.priority.rawValue,
            collapseID: nil,
            payload: message.payload(at: clock.date).bytes
        )
        push.channel = channel
        await deliver(push)
        return push.apnsID
    }

    private func send(_ message: LiveActivityMessage, named name: String, of app: InstalledApp) async -> String {
        let topic = CourierTopic(APNSPushType.liveactivity.topic(of: app.bundleID), name: name)
        return await push(
            message.payload(at: clock.date),
            to: app,
            type: .liveactivity,
            priority: message.priority,
            topic: topic.text
        )
    }

    /// Touches a Live Activity, which opens its app. The test fails if it is not there, or the phone is locked.
    ///
    /// - Parameters:
    ///   - id: the id of the activity.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func tapActivity(
        _ id: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await act(on: id, "touch", at: location) { $0.tapActivity(id) }
    }

    /// Swipes a Live Activity off the lock screen, which ends it. The test fails if it is not there.
    ///
    /// - Parameters:
    ///   - id: the id of the activity.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func dismissActivity(
        _ id: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await act(on: id, "swipe away", at: location) { $0.dismissActivity(id) }
    }

    private func act(on id: String, _ what: String, at location: TestLocation, _ act: (Device) -> Bool) async -> Bool {
        await attempt(at: location, act) { isDone, screen in
            guard !isDone else { return nil }
            let shown = screen.activities.map { "\($0.id) of \($0.appName)" }.joined(separator: ", ")
            let found = shown.isEmpty ? "no Live Activity is on the screen" : "on the screen are \(shown)"
            return "Expected to \(what) the Live Activity \(id); \(found)."
        }
    }

    /// Switches an app's Live Activities on or off, as the user does in Settings.
    ///
    /// - Parameters:
    ///   - app: the app whose settings change.
    ///   - allowed: whether the app may have Live Activities. Off, all of them end and leave the lock screen.
    public func setLiveActivities(of app: InstalledApp, allowed: Bool) async {
        await perform { $0.setLiveActivities(of: app.bundleID, allowed: allowed) }
    }
}

/// A push for a Live Activity, in the words of Apple's payload.
public struct LiveActivityMessage: Hashable, Sendable {
    enum Event: Hashable, Sendable {
        case start(type: String, attributes: JSONValue)
        case update
        case end
    }

    let event: Event
    /// The `content-state`: a value of the app's `ContentState`.
    public var contentState: JSONValue?
    /// The `timestamp`; nil for the phone's time at sending.
    public var timestamp: Date?
    /// The `stale-date`.
    public var staleDate: Date?
    /// The `dismissal-date` of an end.
    public var dismissalDate: Date?
    /// The `relevance-score`.
    public var relevanceScore: Double?
    /// The `alert`.
    public var alert: JSONValue?
    /// The `input-push-channel` of a start.
    public var channel: String?
    /// The `input-push-token` of a start without a channel: since iOS 18 an activity gets a token for its updates only if the push asks
    /// for it.
    public var requestsToken = true
    /// The priority: 10 counts against the budget of the app, 5 does not.
    public var priority = APNSPriority.immediately

    /// Starts an activity.
    ///
    /// - Parameters:
    ///   - type: the name of the app's `ActivityAttributes` type.
    ///   - attributes: a value of that type.
    ///   - contentState: a value of its `ContentState`.
    /// - Returns: the message.
    public static func start(_ type: String, attributes: JSONValue, contentState: JSONValue) -> Self {
        Self(event: .start(type: type, attributes: attributes), contentState: contentState)
    }

    /// Changes the content.
    public static func update(_ contentState: JSONValue) -> Self { Self(event: .update, contentState: contentState) }

    /// Ends the activity.
    ///
    /// - Parameters:
    ///   - contentState: the last content; nil leaves it as it is.
    ///   - dismissalDate: the time at which it leaves the lock screen; nil for four hours after its end.
    /// - Returns: the message.
    public static func end(_ contentState: JSONValue? = nil, dismissalDate: Date? = nil) -> Self {
        Self(event: .end, contentState: contentState, dismissalDate: dismissalDate)
    }

    private init(event: Event, contentState: JSONValue?, dismissalDate: Date? = nil) {
        self.event = event
        self.contentState = contentState
        self.dismissalDate = dismissalDate
    }

    /// Returns the payload.
    ///
    /// - Parameter now: the time at sending.
    /// - Returns: the payload as JSON.
    func payload(at now: Date) -> JSONValue {
        func seconds(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970)) }
        var aps: JSONObject = ["timestamp": seconds(timestamp ?? now)]
        switch event {
        case .start(let type, let attributes):
            aps["event"] = "start"
            aps["attributes-type"] = .string(type)
            aps["attributes"] = attributes
            aps["input-push-channel"] = JSONValue(channel)
            if channel == nil, requestsToken { aps["input-push-token"] = 1 }
        case .update: aps["event"] = "update"
        case .end: aps["event"] = "end"
        }
        aps["content-state"] = contentState
        aps["stale-date"] = staleDate.map(seconds)
        aps["dismissal-date"] = dismissalDate.map(seconds)
        aps["relevance-score"] = JSONValue(relevanceScore)
        aps["alert"] = alert
        return ["aps": .object(aps)]
    }
}
