/// The value of `apns-push-type`. Values are case-sensitive.
///
/// Sources: Apple, "Sending notification requests to APNs", read October 2026; of `accessory` and `nowplaying`, "Receiving iOS
/// notifications on an accessory" and "Publishing remote media sessions", read November 2026.
public struct APNSPushType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A notification that is shown, sounds or sets the badge.
    public static let alert = Self(rawValue: "alert")
    /// A push that wakes the app without showing anything; priority 5.
    public static let background = Self(rawValue: "background")
    /// A call, which PushKit delivers; the topic ends in `.voip`.
    public static let voip = Self(rawValue: "voip")
    /// An update of a watchOS complication; the topic ends in `.complication`.
    public static let complication = Self(rawValue: "complication")
    /// A change signalled to a File Provider extension; the topic ends in `.pushkit.fileprovider`.
    public static let fileprovider = Self(rawValue: "fileprovider")
    /// A request for the location; the topic ends in `.location-query`.
    public static let location = Self(rawValue: "location")
    /// The start, an update or the end of a Live Activity; the topic ends in `.push-type.liveactivity`.
    public static let liveactivity = Self(rawValue: "liveactivity")
    /// An update of a Push to Talk channel; the topic ends in `.voip-ptt`.
    public static let pushtotalk = Self(rawValue: "pushtotalk")
    /// A reload of widgets; the topic ends in `.push-type.widgets`.
    public static let widgets = Self(rawValue: "widgets")
    /// A reload of controls; the topic ends in `.push-type.controls`.
    public static let controls = Self(rawValue: "controls")
    /// A response of an accessory to notifications that were forwarded to it (iOS 26.5); the topic ends in `.push-type.accessory`.
    public static let accessory = Self(rawValue: "accessory")
    /// The start, an update or the end of media that another device plays (iOS 27); the topic ends in `.push-type.nowplaying`.
    public static let nowplaying = Self(rawValue: "nowplaying")
    /// A request to a managed device to contact its MDM server.
    public static let mdm = Self(rawValue: "mdm")

    /// All known push types; Apple may add others.
    public static let known: [Self] = [
        .alert, .background, .voip, .complication, .fileprovider, .location, .liveactivity, .pushtotalk, .widgets,
        .controls, .accessory, .nowplaying, .mdm,
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
        case .accessory: ".push-type.accessory"
        case .nowplaying: ".push-type.nowplaying"
        default: nil
        }
    }

    /// The types whose topics have a suffix.
    package static let suffixed: [Self] = known.filter { $0.topicSuffix?.isEmpty == false }
    package static let suffixes = suffixed.compactMap(\.topicSuffix)

    /// Finds the type whose suffix the topic has; nil for a topic without one of the known suffixes.
    package init?(suffixOf topic: String) {
        guard let place = Self.suffixes.firstIndex(where: { topic.hasSuffix($0) }), topic != Self.suffixes[place] else {
            return nil
        }
        self = Self.suffixed[place]
    }

    /// Returns the topic of pushes of this type to an app.
    public func topic(of bundleID: String) -> String { bundleID + (topicSuffix ?? "") }

    /// Returns the app of a topic of pushes of this type; nil for another topic.
    package func bundleID(of topic: String) -> String? {
        guard let topicSuffix, topic.hasSuffix(topicSuffix) else { return nil }
        return String(topic.dropLast(topicSuffix.count))
    }

    /// The allowed values of `apns-priority`.
    public var allowedPriorities: [APNSPriority] { self == .background ? Self.prioritiesInBackground : Self.priorities }

    // Stored, because every push needs them.
    private static let priorities: [APNSPriority] = [.immediately, .consideringPower, .prioritizingPower]
    private static let prioritiesInBackground: [APNSPriority] = [.consideringPower, .prioritizingPower]

    /// The largest payload in bytes.
    public var payloadLimit: Int { self == .voip ? 5120 : 4096 }
}

extension String {
    /// Whether the text has only the characters of bundle ids: letters, digits, '.', '-' and '_'.
    package var isWrittenLikeTopic: Bool { utf8.allSatisfy { $0.isLetterOrDigit || ".-_".utf8.contains($0) } }
}
