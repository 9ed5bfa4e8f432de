/// How one generation of iOS differs from the others, as data.
///
/// Sources: user-notifications.md sections 1, 2 and 8.
public struct SystemProfile: Hashable, Sendable {
    /// `17.0`, for example.
    public var version: String
    /// Pending local notifications that an app may have; a repeating one counts once.
    public var pendingLimit = 64
    /// Which request goes when there are too many.
    public var eviction = Eviction.latestFiring
    /// Rule R1: an app's entries leave the notification centre when it is opened while it runs.
    public var clearsDeliveredOnActivation = false
    /// Buttons in the expanded view.
    public var expandedActions = 10
    /// Buttons where there is little room.
    public var compactActions = 2
    public var hasProvisionalPermission = true
    /// Passive, time-sensitive and critical notifications differ from active ones.
    public var hasInterruptionLevels = true
    /// Background wakes by silent pushes that an app has in an hour; nil for no limit. Apple says "two or three per hour".
    public var silentWakesPerHour: Int? = 3

    public enum Eviction: Hashable, Sendable {
        /// The soonest to fire stay.
        case latestFiring
        /// The last to be added stay.
        case oldestAdded
    }

    public init(version: String) {
        self.version = version
        clearsDeliveredOnActivation = major == 10
        // openradar 38065340.
        eviction = major == 11 ? .oldestAdded : .latestFiring
        expandedActions = major <= 11 ? 4 : 10
        hasProvisionalPermission = major >= 12
        hasInterruptionLevels = major >= 15
    }

    /// `17`, for example; 17 where the version does not begin with a number.
    var major: Int { version.split(separator: ".").first.flatMap { Int($0) } ?? 17 }

    /// An iOS by its number: 10 to 18.
    public static func iOS(_ major: Int) -> SystemProfile { SystemProfile(version: "\(major).0") }
}
