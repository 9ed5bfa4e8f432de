public import PushModel

/// The facts about itself and its device that an app can read at any time, without waiting.
public struct AppFacts: Hashable, Sendable, Codable {
    /// The app's bundle id.
    public var bundleID: String
    /// The environment that the app was built for, in which its token is valid.
    public var environment: APNSEnvironment
    /// The app's Info.plist.
    public var info: JSONObject
    /// The device's name, as `UIDevice.name`.
    public var deviceName: String
    /// The iOS version, `17.0` for example.
    public var systemVersion: String
    /// A UUID, constant for this app on this device until it is removed.
    public var vendorID: String
    /// A UUID, the same for all apps of the device.
    public var advertisingID = "00000000-0000-0000-0000-000000000000"
    /// The number on the app's icon; 0 for none.
    public var iconBadge = 0
    /// The time zone's IANA identifier.
    public var timeZone = "GMT"
    /// The device's language, a BCP 47 tag.
    public var language = "en"
    /// The app's `Localizable.strings` in the device's language.
    public var strings: [String: String] = [:]
    /// The `UIBackgroundRefreshStatus`: 1 denied, 2 available.
    public var backgroundRefresh = 2
    /// Whether the app has a device token, as `UIApplication.isRegisteredForRemoteNotifications`.
    public var isRegisteredForRemoteNotifications = false
    /// Whether files under data protection can be read: the device, which has a passcode, is unlocked.
    public var isProtectedDataAvailable = true
    /// The battery level, 0 to 1.
    public var batteryLevel: Float = 1
    /// Whether the device is charging.
    public var isCharging = false
    /// The `UIDeviceOrientation`: 1 is portrait.
    public var orientation = 1
    /// The facts about the app's use of the location.
    public var location = LocationFacts()
    /// The facts about the app's Live Activities.
    public var liveActivities = LiveActivityFacts()

    /// The values of `UIBackgroundRefreshStatus`.
    package enum BackgroundRefresh: Int, Sendable { case restricted, denied, available }

    /// The major version of ``systemVersion``, `17` for example.
    public var systemMajor: Int { SystemVersion(systemVersion).major }

    /// Creates the facts of an app; the others have their defaults.
    public init(
        bundleID: String,
        environment: APNSEnvironment,
        info: JSONObject,
        deviceName: String,
        systemVersion: String,
        vendorID: String
    ) {
        self.bundleID = bundleID
        self.environment = environment
        self.info = info
        self.deviceName = deviceName
        self.systemVersion = systemVersion
        self.vendorID = vendorID
    }
}
