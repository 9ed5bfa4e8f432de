/// The supported `options` of a push.
public struct PushOptions: Hashable, Sendable {
    /// Echoed in the response; 0 if the caller gave none.
    public var sendno: UInt32 = 0
    /// Seconds; 0 for a single attempt.
    public var timeToLive = JPushLimits.defaultTimeToLive
    public var environment = APNSEnvironment.production
    public var collapseID: String?
    /// Minutes over which the push is spread; 0 sends it at once.
    public var pacedMinutes: Int64 = 0
    /// The maximum number of pushes per second (`x_rate`, an extension of Posthorn); nil for no limit but that of APNs.
    public var rate: Int64?
    /// The quiet hours that apply to the push; an extension of Posthorn.
    public var quietHours = QuietHours.Choice.ofApp
    /// The message to override: must exist and be less than a day old; has no other effect on iOS.
    public var overriddenMessage: MessageID?

    public init() {}
}
