/// The `options` of a push that mean something here.
public struct PushOptions: Hashable, Sendable {
    /// Echoed in the answer; 0 when the caller gave none.
    public var sendno: UInt32 = 0
    /// Seconds; 0 asks for one attempt.
    public var timeToLive = JPushLimits.defaultTimeToLive
    public var environment = APNSEnvironment.production
    public var collapseID: String?
    /// Minutes over which the push is spread; 0 is at once.
    public var pacedMinutes: Int64 = 0
    /// Pushes a second at most (`x_rate`, Posthorn's own); nil is as fast as APNs takes them.
    public var rate: Int64?
    /// Whether it is held back from devices in their quiet hours; an extension of ours.
    public var quietHours = QuietHours.Choice.ofApp
    /// Must be known and younger than a day; has no further meaning for iOS.
    public var overriddenMessage: MessageID?

    public init() {}
}
