public import PushModel

/// A kind of push that PushKit delivers to an app.
public enum PushKitType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Calls.
    case voIP = "PKPushTypeVoIP"
    /// Data for a watch face.
    case complication = "PKPushTypeComplication"
    /// Changes of files in a cloud.
    case fileProvider = "PKPushTypeFileProvider"

    /// The type of APNs whose pushes it receives.
    package var pushType: APNSPushType {
        switch self {
        case .voIP: .voip
        case .complication: .complication
        case .fileProvider: .fileprovider
        }
    }

    /// Nil if PushKit does not deliver pushes of the type.
    public init?(_ pushType: APNSPushType) {
        guard let type = Self.allCases.first(where: { $0.pushType == pushType }) else { return nil }
        self = type
    }
}

/// A call of PushKit to the system.
public enum PushKitCall: Hashable, Sendable, Codable {
    /// Replaces the types that the process wants.
    case desire(Set<PushKitType>)
    /// Reads a token. Answered with ``SystemReply/pushToken(_:)``.
    case token(PushKitType)
    /// A service extension passes on a payload as a VoIP push. Answered with ``SystemReply/done`` or
    /// ``SystemReply/failed(_:)``.
    case deliver(JSONObject)
}

/// An event for PushKit.
public enum PushKitEvent: Hashable, Sendable, Codable {
    /// The token of a type; the first one, or a new one.
    case updated(PushKitType, DeviceToken)
    /// The token of a type is no longer valid.
    case invalidated(PushKitType)
    /// A push, with the value of `PKVoIPPushMetadata.mustReport`. Answered with ``EventReply/methodReturned`` when the delegate's method
    /// has returned, and with ``EventReply/responded`` when the app has finished with it.
    case push(PushKitType, JSONObject, mustReport: Bool)
}
