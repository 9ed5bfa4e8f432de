public import PushModel

/// An app as it comes from its build: who it is and what it declares.
public struct InstalledApp: Hashable, Sendable {
    public var bundleID: String
    /// The name below the icon.
    public var name: String
    /// How the app was built, and so the APNs environment in which its token is good.
    public var environment: APNSEnvironment
    /// Its Info.plist. `UIBackgroundModes` with `remote-notification` lets pushes wake it; `PosthornLink` is the URL of
    /// the service's SDK link.
    public var info: JSONObject

    /// - Parameters:
    ///   - bundleID: also the APNs topic.
    ///   - name: the name below the icon; the bundle id if nothing is said.
    ///   - environment: how the app was built.
    ///   - backgroundModes: becomes `UIBackgroundModes`.
    ///   - link: becomes `PosthornLink`, `ws://` or `wss://`.
    ///   - info: the rest of the Info.plist.
    public init(
        bundleID: String,
        name: String? = nil,
        environment: APNSEnvironment = .development,
        backgroundModes: [String] = ["remote-notification"],
        link: String? = nil,
        info: JSONObject = [:]
    ) {
        self.bundleID = bundleID
        self.name = name ?? bundleID
        self.environment = environment
        self.info = info
        self.info["UIBackgroundModes"] = .array(backgroundModes.map { .string($0) })
        if let link { self.info["PosthornLink"] = .string(link) }
    }

    /// Whether `content-available` may wake the app.
    public var wakesForPushes: Bool {
        info["UIBackgroundModes"]?.array?.contains("remote-notification") ?? false
    }
}
