public import Foundation
import PushClock
import PushModel
import SystemPort

@available(iOS 16.1, *)
extension Activity {
    /// Starts an activity. The app must be in the foreground.
    ///
    /// - Parameters:
    ///   - attributes: the content that does not change.
    ///   - content: the content that does; with the attributes it has at most 4 KB of JSON.
    ///   - pushType: whether pushes change it, to its own token or through a channel; nil if only the app does.
    /// - Returns: the activity, which is visible.
    /// - Throws: an ``ActivityAuthorizationError``.
    @available(iOS 16.2, *)
    public static func request(
        attributes: Attributes,
        content: ActivityContent<ContentState>,
        pushType: PushType? = nil
    ) throws -> Activity<Attributes> { try start(attributes, content: content, pushType: pushType) { _ in } }

    /// Starts an activity with a style, as ``request(attributes:content:pushType:)``.
    @available(iOS 18.0, *)
    public static func request(
        attributes: Attributes,
        content: ActivityContent<ContentState>,
        pushType: PushType? = nil,
        style: ActivityStyle
    ) throws -> Activity<Attributes> {
        try start(attributes, content: content, pushType: pushType) { $0.activity.style = style.record }
    }

    /// Schedules an activity, as ``request(attributes:content:pushType:)``, with a style, and an alert at its start. It is `pending`
    /// until then; a start that has passed starts it now.
    ///
    /// - Throws: an ``ActivityAuthorizationError``.
    @available(iOS 26.0, *)
    public static func request(
        attributes: Attributes,
        content: ActivityContent<ContentState>,
        pushType: PushType? = nil,
        style: ActivityStyle = .standard,
        alertConfiguration: AlertConfiguration,
        start: Date
    ) throws -> Activity<Attributes> {
        try self.start(attributes, content: content, pushType: pushType) { request in
            request.activity.style = style.record
            request.alert = alertConfiguration.record(CurrentPort.find())
            request.startDate = start
        }
    }

    /// The spelling of ``request(attributes:content:pushType:style:alertConfiguration:start:)`` with `startDate`.
    @available(iOS 26.0, *)
    public static func request(
        attributes: Attributes,
        content: ActivityContent<ContentState>,
        pushType: PushType? = nil,
        style: ActivityStyle = .standard,
        alertConfiguration: AlertConfiguration,
        startDate: Date
    ) throws -> Activity<Attributes> {
        try request(
            attributes: attributes,
            content: content,
            pushType: pushType,
            style: style,
            alertConfiguration: alertConfiguration,
            start: startDate
        )
    }

    /// Starts an activity whose content has no stale date.
    @available(iOS, introduced: 16.1, deprecated: 16.2, message: "Use request(attributes:content:pushType:).")
    public static func request(
        attributes: Attributes,
        contentState: ContentState,
        pushType: PushType? = nil
    ) throws -> Activity<Attributes> {
        try request(
            attributes: attributes,
            content: ActivityContent(state: contentState, staleDate: nil),
            pushType: pushType
        )
    }

    private static func start(
        _ attributes: Attributes,
        content: ActivityContent<ContentState>,
        pushType: PushType?,
        _ adjust: (inout LiveActivityRequest) -> Void
    ) throws -> Activity<Attributes> {
        let port = declared()
        var record = LiveActivityRecord(
            // A UUID, like the id of a push.
            id: APNSID(high: port.randomNumber(), low: port.randomNumber()).text.uppercased(),
            type: typeName,
            attributes: try ActivityCoding.text(of: attributes),
            content: try content.record
        )
        record.channel = pushType?.channelID
        var request = LiveActivityRequest(activity: record, wantsToken: pushType == .token)
        adjust(&request)
        // The answer comes before the activity starts, as the call itself need not be answered at once.
        if case .liveActivityRefused(let refusal) = port.read(.liveActivity(.request(request))) {
            throw ActivityAuthorizationError(refusal)
        }
        if let start = request.startDate, start > port.clock.date { request.activity.state = .pending }
        let hub = ActivityHub.of(port)
        let cell = hub.start(request.activity)
        let activity = Activity(cell, attributes: attributes, state: content.state, port: port)
        port.call(.liveActivity(.request(request))) { hub.apply($0) }
        return activity
    }
}

@available(iOS 18.0, *)
extension ActivityStyle {
    fileprivate var record: LiveActivityRecord.Style { self == .transient ? .transient : .standard }
}

@available(iOS 16.2, *)
extension ActivityContent {
    /// The content as it is sent to the device.
    var record: LiveActivityContent {
        get throws {
            LiveActivityContent(
                state: try ActivityCoding.text(of: state),
                staleDate: staleDate,
                relevanceScore: relevanceScore
            )
        }
    }
}
