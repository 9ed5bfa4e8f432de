/// The `reason` of an APNs response, spelled as on the wire.
///
/// A struct, not an enum: Apple adds reasons, and an unknown one must not break a client. Source: Apple, "Handling notification
/// responses from APNs", read October 2026.
public struct APNSReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The collapse id is longer than 64 bytes.
    public static let badCollapseId = Self(rawValue: "BadCollapseId")
    /// The device token is malformed, was never issued, or belongs to the other environment.
    public static let badDeviceToken = Self(rawValue: "BadDeviceToken")
    /// The expiration is not a whole number of seconds since 1970.
    public static let badExpirationDate = Self(rawValue: "BadExpirationDate")
    /// The apns-id is not a UUID.
    public static let badMessageId = Self(rawValue: "BadMessageId")
    /// The priority is not 10, 5 or 1, or it is 10 for a background push.
    public static let badPriority = Self(rawValue: "BadPriority")
    /// The topic is malformed or does not fit the push type.
    public static let badTopic = Self(rawValue: "BadTopic")
    /// The device token belongs to another app.
    public static let deviceTokenNotForTopic = Self(rawValue: "DeviceTokenNotForTopic")
    /// A header occurred twice.
    public static let duplicateHeaders = Self(rawValue: "DuplicateHeaders")
    /// APNs has ended a connection that was idle.
    public static let idleTimeout = Self(rawValue: "IdleTimeout")
    /// APNs does not know the push type.
    public static let invalidPushType = Self(rawValue: "InvalidPushType")
    /// The device token is empty.
    public static let missingDeviceToken = Self(rawValue: "MissingDeviceToken")
    /// The topic is missing, and the credential is valid for more than one.
    public static let missingTopic = Self(rawValue: "MissingTopic")
    /// The payload is empty.
    public static let payloadEmpty = Self(rawValue: "PayloadEmpty")
    /// The credential is not valid for this topic.
    public static let topicDisallowed = Self(rawValue: "TopicDisallowed")
    /// The certificate is revoked, expired, or of an unknown issuer.
    public static let badCertificate = Self(rawValue: "BadCertificate")
    /// The certificate is for the other environment.
    public static let badCertificateEnvironment = Self(rawValue: "BadCertificateEnvironment")
    /// The provider token is older than an hour, although a new one was made.
    public static let expiredProviderToken = Self(rawValue: "ExpiredProviderToken")
    /// The key or certificate may not do this; the key may be revoked.
    public static let forbidden = Self(rawValue: "Forbidden")
    /// APNs cannot verify the provider token.
    public static let invalidProviderToken = Self(rawValue: "InvalidProviderToken")
    /// There was neither a provider token nor a certificate.
    public static let missingProviderToken = Self(rawValue: "MissingProviderToken")
    /// The key is not related to the one that this connection was used with first.
    public static let unrelatedKeyIdInToken = Self(rawValue: "UnrelatedKeyIdInToken")
    /// Apple's page has `BadEnvironmentKeyIdInToken`; APNs itself returns this value.
    public static let badEnvironmentKeyInToken = Self(rawValue: "BadEnvironmentKeyInToken")
    /// The path does not exist at APNs.
    public static let badPath = Self(rawValue: "BadPath")
    /// The method was not POST.
    public static let methodNotAllowed = Self(rawValue: "MethodNotAllowed")
    /// The device token has expired.
    public static let expiredToken = Self(rawValue: "ExpiredToken")
    /// The device token is no longer active for the topic: the app is gone, or the token replaced.
    public static let unregistered = Self(rawValue: "Unregistered")
    /// The payload is larger than 4096 bytes, or 5120 for VoIP.
    public static let payloadTooLarge = Self(rawValue: "PayloadTooLarge")
    /// The provider token was changed more than once in 20 minutes.
    public static let tooManyProviderTokenUpdates = Self(rawValue: "TooManyProviderTokenUpdates")
    /// Too many pushes went to one device one after another.
    public static let tooManyRequests = Self(rawValue: "TooManyRequests")
    /// APNs had an internal error.
    public static let internalServerError = Self(rawValue: "InternalServerError")
    /// APNs cannot take the push now.
    public static let serviceUnavailable = Self(rawValue: "ServiceUnavailable")
    /// The APNs server is shutting down.
    public static let shutdown = Self(rawValue: "Shutdown")

    // Broadcast channels.
    /// The app is not enabled for broadcasts.
    public static let featureNotEnabled = Self(rawValue: "FeatureNotEnabled")
    /// The channel id is missing.
    public static let missingChannelId = Self(rawValue: "MissingChannelId")
    /// The channel id is malformed.
    public static let badChannelId = Self(rawValue: "BadChannelId")
    /// There is no such channel in this environment: it was deleted, or created in the other environment.
    public static let channelNotRegistered = Self(rawValue: "ChannelNotRegistered")
    /// A header or the path is wrong.
    public static let badRequestParams = Self(rawValue: "BadRequestParams")
    /// The body is wrong.
    public static let badRequestPayload = Self(rawValue: "BadRequestPayload")
    /// The push type is missing.
    public static let missingPushType = Self(rawValue: "MissingPushType")
    /// The app has 10,000 channels in this environment, which is all it may have.
    public static let cannotCreateChannelConfig = Self(rawValue: "CannotCreateChannelConfig")
    /// The credential is not valid for the app in the path.
    public static let topicMismatch = Self(rawValue: "TopicMismatch")

    /// The reasons that Apple's pages list, in the spelling of the page and of the wire.
    package static let known: [Self] = documented + ofChannels + [Self(rawValue: "BadEnvironmentKeyIdInToken")]

    /// The known reason that an unknown one was probably meant to be, for messages.
    package static func expected(by unknown: Self) -> String {
        let nearest = NameDistance.nearest(to: unknown.rawValue, in: known.lazy.map(\.rawValue))
        return "a reason of APNs; the nearest is '\(nearest?.name ?? "")'"
    }

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

// Pushes whose stream APNs resets. That is no answer, and mostly passes; but a request that the other end cannot read is reset each
// time, and such a push has to end.

extension APNSReason {
    private static let resetPrefix = "RST_STREAM "

    /// Returns the reason for a push whose stream APNs has reset with this error (RFC 9113, section 7) at every attempt.
    package static func streamReset(_ error: String) -> Self { Self(rawValue: resetPrefix + error) }

    /// Whether APNs has reset the push's stream.
    package var isStreamReset: Bool { rawValue.hasPrefix(Self.resetPrefix) }

    /// The number of attempts in a row that may end with this reset before the push is given up.
    ///
    /// The errors that blame the request need few of them. An internal error may be an outage, which ten attempts outlast by minutes.
    package var resetAttempts: Int {
        let ofRequest = [
            "PROTOCOL_ERROR", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "COMPRESSION_ERROR", "HTTP_1_1_REQUIRED",
        ]
        return ofRequest.contains { rawValue == Self.resetPrefix + $0 } ? 5 : 10
    }

    static let resetAdvice = APNSAdvice(
        .reportProblem,
        meaning: "APNs reset the stream at every attempt, without an answer.",
        remedy:
            "Look for a header field or a payload that HTTP/2 or APNs cannot read, such as a collapse id with a control character."
    )
}
