public import PushModel

/// The keys of a payload that the operating system reads: the value of `aps`.
///
/// Every key has a property of the same name; nil, false and empty values are left out.
/// ```swift
/// let aps = APS(alert: APSAlert(title: "Lunch", body: "It is ready."), badge: 1, sound: .default)
/// ```
/// Source: Apple, "Generating a remote notification", read October 2026.
public struct APS: Hashable, Sendable {
    /// The content that is shown.
    public var alert: APSAlert?
    /// The number on the app's icon; 0 removes it.
    public var badge: Int?
    /// The sound that is played.
    public var sound: APSSound?
    /// `thread-id`: notifications with the same id are grouped.
    public var threadID: String?
    /// The buttons: the identifier of a `UNNotificationCategory` of the app. An unknown one shows none.
    public var category: String?
    /// `content-available`: wakes the app in the background. With `APNSPushType.background` it is the only key.
    public var contentAvailable: Bool
    /// `mutable-content`: the app's service extension may change the notification, for 30 seconds. Needs an alert.
    public var mutableContent: Bool
    /// `target-content-id`: the window to bring forward.
    public var targetContentID: String?
    /// `interruption-level` (iOS 15).
    public var interruptionLevel: APSInterruptionLevel?
    /// `relevance-score`: the order in a summary, from 0 to 1; any number for a Live Activity.
    public var relevanceScore: Double?
    /// `filter-criteria`: decides which Focus shows it.
    public var filterCriteria: String?
    /// The keys of a Live Activity.
    public var liveActivity: APSLiveActivity?
    /// `content-changed`: reloads widgets or controls.
    public var contentChanged: Bool
    /// `url-args`: fills the URL of a website push in Safari.
    public var urlArgs: [String]
    /// `summary-arg`: iOS 12 to 14.
    public var summaryArg: String?
    /// `summary-arg-count`: iOS 12 to 14.
    public var summaryArgCount: Int?
    /// Other keys. They take precedence over the properties.
    public var others: JSONObject

    /// Creates the content of `aps`; the parameters are its properties.
    public init(
        alert: APSAlert? = nil,
        badge: Int? = nil,
        sound: APSSound? = nil,
        threadID: String? = nil,
        category: String? = nil,
        contentAvailable: Bool = false,
        mutableContent: Bool = false,
        targetContentID: String? = nil,
        interruptionLevel: APSInterruptionLevel? = nil,
        relevanceScore: Double? = nil,
        filterCriteria: String? = nil,
        liveActivity: APSLiveActivity? = nil,
        contentChanged: Bool = false,
        urlArgs: [String] = [],
        summaryArg: String? = nil,
        summaryArgCount: Int? = nil,
        others: JSONObject = [:]
    ) {
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.threadID = threadID
        self.category = category
        self.contentAvailable = contentAvailable
        self.mutableContent = mutableContent
        self.targetContentID = targetContentID
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
        self.filterCriteria = filterCriteria
        self.liveActivity = liveActivity
        self.contentChanged = contentChanged
        self.urlArgs = urlArgs
        self.summaryArg = summaryArg
        self.summaryArgCount = summaryArgCount
        self.others = others
    }

    /// A payload that wakes the app in the background and shows nothing: for `APNSPushType.background`.
    public static let background = APS(contentAvailable: true)

    /// The value as JSON, with Apple's keys.
    public var json: JSONObject {
        var aps: JSONObject = [:]
        if liveActivity == nil {
            aps["alert"] = alert?.json
            aps["sound"] = sound?.json
        } else {
            aps["alert"] = alert?.liveActivityJSON(sound: sound)
        }
        aps.add(present: [
            "badge": badge, "thread-id": threadID, "category": category,
            "content-available": contentAvailable ? 1 : nil, "mutable-content": mutableContent ? 1 : nil,
            "target-content-id": targetContentID, "interruption-level": interruptionLevel?.rawValue,
            "relevance-score": relevanceScore, "filter-criteria": filterCriteria,
        ])
        liveActivity?.add(to: &aps)
        aps.add(present: [
            "content-changed": contentChanged ? true : nil, "url-args": urlArgs.isEmpty ? nil : urlArgs,
            "summary-arg": summaryArg, "summary-arg-count": summaryArgCount,
        ])
        aps.add(others)
        return aps
    }
}

/// The importance and presentation of a notification: the value of `aps.interruption-level` (iOS 15).
///
/// A struct, not an enum: Apple may add levels. A device treats an unknown level as ``active``.
public struct APSInterruptionLevel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Added to the list of notifications; the screen stays dark.
    public static let passive = Self(rawValue: "passive")
    /// Presented at once, with sound; the default.
    public static let active = Self(rawValue: "active")
    /// Presented at once, also during a Focus. The app needs a capability for it.
    public static let timeSensitive = Self(rawValue: "time-sensitive")
    /// Presented at once, also when muted. The app needs an entitlement from Apple for it.
    public static let critical = Self(rawValue: "critical")
}
