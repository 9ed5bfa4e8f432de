/// The value of `apns-push-type`. Values are case-sensitive.
///
/// Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSPushType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let alert = Self(rawValue: "alert")
    public static let background = Self(rawValue: "background")
    public static let voip = Self(rawValue: "voip")
    public static let complication = Self(rawValue: "complication")
    public static let fileprovider = Self(rawValue: "fileprovider")
    public static let location = Self(rawValue: "location")
    public static let liveactivity = Self(rawValue: "liveactivity")
    public static let pushtotalk = Self(rawValue: "pushtotalk")
    public static let widgets = Self(rawValue: "widgets")
    public static let controls = Self(rawValue: "controls")
    public static let mdm = Self(rawValue: "mdm")

    /// All known push types; Apple may add others.
    public static let known: [Self] = [
        .alert, .background, .voip, .complication, .fileprovider, .location, .liveactivity, .pushtotalk, .widgets,
        .controls, .mdm,
    ]

    /// The suffix of the topic after the bundle id; nil for an unknown type.
    public var topicSuffix: String? {
        switch self {
        case .alert, .background, .mdm: ""
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .location: ".location-query"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        default: nil
        }
    }

    /// Returns the topic of pushes of this type to an app.
    public func topic(of bundleID: String) -> String { bundleID + (topicSuffix ?? "") }

    /// The allowed values of `apns-priority`.
    public var allowedPriorities: [APNSPriority] {
        self == .background ? Self.prioritiesInBackground : Self.priorities
    }

    // Stored, because every push needs them.
    private static let priorities: [APNSPriority] = [.immediately, .consideringPower, .prioritizingPower]
    private static let prioritiesInBackground: [APNSPriority] = [.consideringPower, .prioritizingPower]

    /// The largest payload in bytes.
    public var payloadLimit: Int { self == .voip ? 5120 : 4096 }
}
