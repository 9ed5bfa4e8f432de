public import PushModel
import SystemPort

/// An app as built: its identity and its declarations.
public struct InstalledApp: Hashable, Sendable {
    /// The app's bundle id.
    public var bundleID: String
    /// The name below the icon.
    public var name: String
    /// The environment that the app was built for, in which its token is valid.
    public var environment: APNSEnvironment
    /// Its Info.plist. `UIBackgroundModes` with `remote-notification` lets pushes wake it; `PosthornLink` is the URL of
    /// the service's SDK link.
    public var info: JSONObject
    /// The app's entitlements.
    public var entitlements: Set<Entitlement>
    /// Whether it has the `aps-environment` entitlement, without which it gets no token of any kind, and no Live Activity starts that asks
    /// for pushes.
    public var hasPushEntitlement = true
    /// Its `Localizable.strings` by language, then by key. A language without strings falls back to
    /// ``developmentLanguage``.
    public var strings: [String: [String: String]] = [:]

    /// The sound files of its bundle: names with extension, and lengths; nil if unknown, in which case every name is
    /// accepted.
    public var sounds: [String: Duration]?

    /// Its associated domains, as the entitlement `com.apple.developer.associated-domains` has them: `applinks:example.com` claims
    /// the links of a domain, and `applinks:*.example.com` those of its subdomains.
    public var associatedDomains: [String] = []

    /// The `apple-app-site-association` of its domains, by the domain as ``associatedDomains`` has it after `applinks:`. An app claims
    /// every link of a domain without one: Posthorn has no web server to ask.
    public var siteAssociations: [String: SiteAssociation] = [:]

    /// Whether the app's delegate configures its scenes in `application(_:configurationForConnecting:options:)`, without a configuration
    /// in the Info.plist: the phone cannot see that before the app runs. Only an app built with the SDK of iOS 27 has to say so
    /// (``adoptsScenes``).
    public var configuresScenesInCode = false

    /// The entitlements of UserNotifications. Pushes themselves need `aps-environment`, which is ``hasPushEntitlement``.
    public enum Entitlement: String, Hashable, Sendable, CaseIterable {
        /// Without it a time-sensitive notification counts as active, and the setting is not supported.
        case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
        /// Lets a service extension filter notifications, and pass on VoIP pushes. Without it, content without text is replaced by the
        /// push as it came.
        case filtering = "com.apple.developer.usernotifications.filtering"
        /// Without it a critical alert counts as active, and the setting is not supported.
        case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
        /// Communication notifications. Without it the device shows title and icon as the push has them, and the summary may hold it.
        case communication = "com.apple.developer.usernotifications.communication"
    }

    /// - Parameters:
    ///   - bundleID: the bundle id, which is also the APNs topic.
    ///   - name: the name below the icon; the bundle id by default.
    ///   - environment: the environment that the app was built for.
    ///   - backgroundModes: the value of `UIBackgroundModes`.
    ///   - link: the value of `PosthornLink`, `ws://` or `wss://`.
    ///   - info: the rest of the Info.plist.
    ///   - entitlements: the entitlements of UserNotifications; that for communication notifications by default.
    public init(
        bundleID: String,
        name: String? = nil,
        environment: APNSEnvironment = .development,
        backgroundModes: [String] = ["remote-notification"],
        link: String? = nil,
        info: JSONObject = [:],
        entitlements: Set<Entitlement> = [.communication]
    ) {
        self.entitlements = entitlements
        self.bundleID = bundleID
        self.name = name ?? bundleID
        self.environment = environment
        self.info = info
        self.info["UIBackgroundModes"] = .strings(backgroundModes)
        if let link { self.info["PosthornLink"] = .string(link) }
    }

    /// The app's development language: `CFBundleDevelopmentRegion` of its Info.plist, or `en`.
    public var developmentLanguage: String { info["CFBundleDevelopmentRegion"]?.string ?? "en" }

    /// Returns the strings for a user with this language, by key.
    ///
    /// Source: Apple, `CFBundleDevelopmentRegion`: the language used if the app is not localized for the user's.
    func strings(in language: String) -> [String: String] { strings[language] ?? strings[developmentLanguage] ?? [:] }

    /// The URL schemes that the app opens, in lower case: those of `CFBundleURLTypes` in its Info.plist.
    public var urlSchemes: Set<String> {
        let types = info["CFBundleURLTypes"]?.array ?? []
        let schemes = types.flatMap { $0.object?["CFBundleURLSchemes"]?.array ?? [] }
        return Set(schemes.compactMap { $0.string?.lowercased() })
    }

    /// Returns whether the app claims a link, whose host is given in lower case. Source: Apple, "Associated Domains Entitlement".
    func claims(_ host: String, _ link: SiteLink) -> Bool {
        associatedDomains.contains { entry in
            guard entry.hasPrefix("applinks:") else { return false }
            // A mode for developers may follow.
            let domain = entry.dropFirst("applinks:".count).prefix { $0 != "?" }.lowercased()
            guard domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : host == domain else { return false }
            return siteAssociations[domain]?.opens(link, bundleID: bundleID) ?? true
        }
    }

    /// Whether its `UIBackgroundModes` have a mode.
    func hasBackgroundMode(_ mode: JSONValue) -> Bool { info["UIBackgroundModes"]?.array?.contains(mode) ?? false }

    /// Whether the system may let the app fetch in the background.
    public var fetchesInBackground: Bool { hasBackgroundMode("fetch") }

    /// Whether it may have Live Activities: `NSSupportsLiveActivities` of its Info.plist.
    public var supportsLiveActivities: Bool { info["NSSupportsLiveActivities"]?.isYes ?? false }

    /// Whether it may update them often: `NSSupportsLiveActivitiesFrequentUpdates`.
    public var supportsFrequentActivityUpdates: Bool { info["NSSupportsLiveActivitiesFrequentUpdates"]?.isYes ?? false }

    /// The quick actions in its Info.plist.
    var declaredShortcuts: [ShortcutRecord] {
        (info["UIApplicationShortcutItems"]?.array ?? []).compactMap {
            $0.object.flatMap(ShortcutRecord.init(declaration:))
        }
    }

    /// Whether `content-available` may wake the app.
    public var wakesForPushes: Bool { hasBackgroundMode("remote-notification") }
}

extension JSONValue {
    /// Whether it is true; property lists are also written with 1 or YES.
    fileprivate var isYes: Bool { bool ?? (integer == 1 || string == "YES") }
}

/// The state of an app as the system manages it.
public enum AppCondition: String, Hashable, Sendable {
    /// Never opened, or ended by the system: a push may start it in the background.
    case notRunning
    /// The user swiped it away: no push starts it until it is opened again.
    case forceQuit
    /// In the foreground.
    case active
    /// In the background, running or suspended.
    case background
}
