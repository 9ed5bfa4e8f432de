public import PushModel

/// What an app can know about itself and its device at any moment, without waiting.
public struct AppFacts: Hashable, Sendable, Codable {
    public var bundleID: String
    /// How the app was built, and so where its token is good.
    public var environment: APNSEnvironment
    /// The app's Info.plist.
    public var info: JSONObject
    public var deviceName: String
    /// `17.0`, for example.
    public var systemVersion: String
    /// A UUID, the same for this app on this device until it is removed.
    public var vendorID: String
    /// A UUID, the same for all apps of the device.
    public var advertisingID = "00000000-0000-0000-0000-000000000000"
    public var iconBadge = 0
    /// An IANA identifier.
    public var timeZone = "GMT"
    /// The app's `Localizable.strings` in the device's language.
    public var strings: [String: String] = [:]
    /// As `UIBackgroundRefreshStatus`: 1 denied, 2 available.
    public var backgroundRefresh = 2
    public var isRegisteredForRemoteNotifications = false
    /// 0 to 1.
    public var batteryLevel: Float = 1
    public var isCharging = false
    /// As `UIDeviceOrientation`: 1 is portrait.
    public var orientation = 1
    public var location = LocationFacts()

    /// Of ``systemVersion``: `17`, for example.
    public var systemMajor: Int { systemVersion.split(separator: ".").first.flatMap { Int($0) } ?? 17 }

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
