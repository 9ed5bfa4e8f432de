/// The `reason` of an APNs response, spelled as on the wire.
///
/// A struct, not an enum: Apple adds reasons, and an unknown one must not break a client. Source: Apple, "Handling notification
/// responses from APNs", read October 2026.
public struct APNSReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    public static let badCollapseId = Self(rawValue: "BadCollapseId")
    public static let badDeviceToken = Self(rawValue: "BadDeviceToken")
    public static let badExpirationDate = Self(rawValue: "BadExpirationDate")
    public static let badMessageId = Self(rawValue: "BadMessageId")
    public static let badPriority = Self(rawValue: "BadPriority")
    public static let badTopic = Self(rawValue: "BadTopic")
    public static let deviceTokenNotForTopic = Self(rawValue: "DeviceTokenNotForTopic")
    public static let duplicateHeaders = Self(rawValue: "DuplicateHeaders")
    public static let idleTimeout = Self(rawValue: "IdleTimeout")
    public static let invalidPushType = Self(rawValue: "InvalidPushType")
    public static let missingDeviceToken = Self(rawValue: "MissingDeviceToken")
    public static let missingTopic = Self(rawValue: "MissingTopic")
    public static let payloadEmpty = Self(rawValue: "PayloadEmpty")
    public static let topicDisallowed = Self(rawValue: "TopicDisallowed")
    public static let badCertificate = Self(rawValue: "BadCertificate")
    public static let badCertificateEnvironment = Self(rawValue: "BadCertificateEnvironment")
    public static let expiredProviderToken = Self(rawValue: "ExpiredProviderToken")
    public static let forbidden = Self(rawValue: "Forbidden")
    public static let invalidProviderToken = Self(rawValue: "InvalidProviderToken")
    public static let missingProviderToken = Self(rawValue: "MissingProviderToken")
    public static let unrelatedKeyIdInToken = Self(rawValue: "UnrelatedKeyIdInToken")
    /// Apple's page has `BadEnvironmentKeyIdInToken`; APNs itself returns this value.
    public static let badEnvironmentKeyInToken = Self(rawValue: "BadEnvironmentKeyInToken")
    public static let badPath = Self(rawValue: "BadPath")
    public static let methodNotAllowed = Self(rawValue: "MethodNotAllowed")
    public static let expiredToken = Self(rawValue: "ExpiredToken")
    public static let unregistered = Self(rawValue: "Unregistered")
    public static let payloadTooLarge = Self(rawValue: "PayloadTooLarge")
    public static let tooManyProviderTokenUpdates = Self(rawValue: "TooManyProviderTokenUpdates")
    public static let tooManyRequests = Self(rawValue: "TooManyRequests")
    public static let internalServerError = Self(rawValue: "InternalServerError")
    public static let serviceUnavailable = Self(rawValue: "ServiceUnavailable")
    public static let shutdown = Self(rawValue: "Shutdown")

    // Broadcast channels.
    public static let featureNotEnabled = Self(rawValue: "FeatureNotEnabled")
    public static let missingChannelId = Self(rawValue: "MissingChannelId")
    public static let badChannelId = Self(rawValue: "BadChannelId")
    public static let channelNotRegistered = Self(rawValue: "ChannelNotRegistered")
    public static let badRequestParams = Self(rawValue: "BadRequestParams")
    public static let badRequestPayload = Self(rawValue: "BadRequestPayload")
    public static let missingPushType = Self(rawValue: "MissingPushType")
    public static let cannotCreateChannelConfig = Self(rawValue: "CannotCreateChannelConfig")
    public static let topicMismatch = Self(rawValue: "TopicMismatch")

    /// The HTTP status of the reason; 400 for an unknown one.
    public var status: Int {
        switch self {
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .unrelatedKeyIdInToken, .badEnvironmentKeyInToken, .topicMismatch:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        default: 400
        }
    }

    /// Whether the app was removed from the device, so that the token is no longer in use.
    public var isTokenGone: Bool { self == .unregistered || self == .expiredToken }
    /// Whether APNs refuses every push to this token, regardless of its content.
    public var isAboutToken: Bool { isTokenGone || self == .badDeviceToken || self == .deviceTokenNotForTopic }
}
