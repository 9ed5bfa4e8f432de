/// The `options` of a push that mean something here.
public struct PushOptions: Hashable, Sendable {
    /// Echoed in the answer; 0 when the caller gave none.
    public var sendno: Int32 = 0
    /// Seconds; 0 asks for one attempt.
    public var timeToLive = JPushLimits.defaultTimeToLive
    public var environment = APNSEnvironment.production
    public var collapseID: String?
    /// Minutes over which the push is spread; 0 is at once.
    public var pacedMinutes: Int64 = 0
    /// Must be known and younger than a day; has no further meaning for iOS.
    public var overriddenMessage: MessageID?

    public init() {}
}
