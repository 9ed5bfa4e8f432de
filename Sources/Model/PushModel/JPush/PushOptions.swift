/// The supported `options` of a push.
package struct PushOptions: Hashable, Sendable {
    /// Echoed in the response; 0 if the caller gave none.
    package var sendno: UInt32 = 0
    /// Seconds; 0 for a single attempt.
    package var timeToLive = JPushLimits.defaultTimeToLive
    package var environment = APNSEnvironment.production
    package var collapseID: String?
    /// Minutes over which the push is spread; 0 sends it at once. An app has few such pushes under way.
    package var pacedMinutes: Int64 = 0
    /// Minutes over which the push is spread, in each time zone of a schedule (`x_spread`, an extension of Posthorn).
    package var spreadMinutes: Int64 = 0
    /// An earlier push; devices on which it is opened before this one is sent do not get it (`x_unless_opened`, an extension of Posthorn).
    package var unlessOpened: MessageID?
    /// The wrong push that this one replaces (`x_undo`, an extension of Posthorn): that is withdrawn when this one is accepted.
    package var undoes: MessageID?
    /// Whether the notification goes away on the other devices of an alias when it is opened on one (`x_read_group`, an extension of
    /// Posthorn).
    package var isReadGroup = false
    /// The maximum number of pushes per second (`x_rate`, an extension of Posthorn); nil for no limit but that of APNs.
    package var rate: Int64?
    /// The quiet hours that apply to the push; an extension of Posthorn.
    package var quietHours = QuietHours.Choice.ofApp
    /// Whether a push for which there are warnings is refused (`x_strict`, an extension of Posthorn); nil for the app's setting.
    package var isStrict: Bool?
    /// The name of the push plan to which the push belongs (`business_operation_code`); nil for none.
    package var plan: String?
    /// The topic of the push (`x_topic`, an extension of Posthorn), which devices can decline; nil for none.
    package var topic: String?
    /// The message to override: must exist and be less than a day old; has no other effect on iOS.
    package var overriddenMessage: MessageID?

    package init() {}

    /// Minutes over which the push is spread, for either reason.
    package var slowMinutes: Int64 { max(pacedMinutes, spreadMinutes) }
}
