public import SystemPort

/// A Live Activity that the user sees and can act on.
public struct ShownActivity: Hashable, Sendable {
    /// The bundle id of the app.
    public var bundleID: String
    /// The name of the app.
    public var appName: String
    /// The activity.
    public var record: LiveActivityRecord

    init(_ record: LiveActivityRecord, of app: InstalledApp) {
        bundleID = app.bundleID
        appName = app.name
        self.record = record
    }

    /// The id, as `Activity.id` of ActivityKit, used by user actions.
    public var id: String { record.id }
    /// The content state as JSON. The emulated device has no widgets that draw it.
    public var content: String { record.content.state }
    /// The state in the life cycle.
    public var state: LiveActivityRecord.State { record.state }

    /// The type and the content in one line.
    var line: String { "\(record.type) \(content)" }
}

/// A change of a Live Activity.
public enum ActivityChange: String, Hashable, Sendable {
    /// It is scheduled to start later.
    case scheduled
    case started
    case updated
    /// Its content is out of date.
    case stale
    /// Its content changes no more.
    case ended
    /// It left the lock screen.
    case dismissed
}
