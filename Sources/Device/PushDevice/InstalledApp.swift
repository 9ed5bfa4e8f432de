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
    public var entitlements: Set<Entitlement>
    /// Whether it has the `aps-environment` entitlement: without it no token comes.
    public var hasPushEntitlement = true
    /// Its `Localizable.strings`: by language, then by key. A language that has none gets those of
    /// ``developmentLanguage``.
    public var strings: [String: [String: String]] = [:]

    /// The sound files of its bundle, name with extension and length; nil if nothing is known of them, and each name is
    /// taken to be good.
    public var sounds: [String: Duration]?

    /// What Apple allows an app beyond the usual.
    public enum Entitlement: String, Hashable, Sendable {
        case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
        case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
    }

    /// - Parameters:
    ///   - bundleID: also the APNs topic.
    ///   - name: the name below the icon; the bundle id if nothing is said.
    ///   - environment: how the app was built.
    ///   - backgroundModes: becomes `UIBackgroundModes`.
    ///   - link: becomes `PosthornLink`, `ws://` or `wss://`.
    ///   - info: the rest of the Info.plist.
    ///   - entitlements: what Apple allows it beyond the usual.
    public init(
        bundleID: String,
        name: String? = nil,
        environment: APNSEnvironment = .development,
        backgroundModes: [String] = ["remote-notification"],
        link: String? = nil,
        info: JSONObject = [:],
        entitlements: Set<Entitlement> = []
    ) {
        self.entitlements = entitlements
        self.bundleID = bundleID
        self.name = name ?? bundleID
        self.environment = environment
        self.info = info
        self.info["UIBackgroundModes"] = .array(backgroundModes.map { .string($0) })
        if let link { self.info["PosthornLink"] = .string(link) }
    }

    /// The language in which the app was written: `CFBundleDevelopmentRegion` of its Info.plist, `en` if that says nothing.
    public var developmentLanguage: String { info["CFBundleDevelopmentRegion"]?.string ?? "en" }

    /// The strings that a person with this language sees, by key.
    ///
    /// Source: Apple, `CFBundleDevelopmentRegion`: the language of an app that is not localized for the person's.
    func strings(in language: String) -> [String: String] {
        strings[language] ?? strings[developmentLanguage] ?? [:]
    }

    /// The schemes of URLs that the app opens, in small letters: those of `CFBundleURLTypes` in its Info.plist.
    public var urlSchemes: Set<String> {
        let types = info["CFBundleURLTypes"]?.array ?? []
        let schemes = types.flatMap { $0.object?["CFBundleURLSchemes"]?.array ?? [] }
        return Set(schemes.compactMap { $0.string?.lowercased() })
    }

    /// Whether `content-available` may wake the app.
    public var wakesForPushes: Bool {
        info["UIBackgroundModes"]?.array?.contains("remote-notification") ?? false
    }
}
