/// The response to a refusal by APNs: the client's automatic action, and the remedy for a person.
public struct APNSAdvice: Hashable, Sendable {
    /// The client's reaction to the reason.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// The push is sent again after a pause, as long as it is useful.
        case retry
        /// The device token is dead: forget it, unless it was registered again after the answer's timestamp.
        case dropToken
        /// Every other push with this credential would be refused too: the client pauses it.
        case pauseCredential
        /// A person has to correct something about this push, its app or the program.
        case reportProblem
    }

    /// The client's reaction.
    public var action: Action
    /// The meaning of the reason, as a sentence.
    public var meaning: String
    /// The action to take, as a sentence.
    public var remedy: String

    /// The meaning and the remedy as the end of a sentence, without a full stop.
    package var clause: String { "\(Self.clause(meaning)); \(Self.clause(remedy))" }

    private static func clause(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? sentence.dropLast() : Substring(sentence)
        // An abbreviation such as APNs keeps its capitals.
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return String(text) }
        return first.lowercased() + text.dropFirst()
    }

    /// Creates advice from the client's reaction and two sentences.
    public init(_ action: Action, meaning: String, remedy: String) {
        self.action = action
        self.meaning = meaning
        self.remedy = remedy
    }
}

extension APNSReason {
    /// The advice for the reason. An unknown reason is reported to a person.
    public var advice: APNSAdvice { Self.advices[self] ?? (isStreamReset ? Self.resetAdvice : Self.unknown) }

    /// Returns the advice for the reason, or, if it is unknown, for the status: 429, 500 and 503 are worth another attempt, 410
    /// is the end of a token.
    public func advice(status: Int) -> APNSAdvice {
        if let known = Self.advices[self] { return known }
        var advice = Self.unknown
        switch status {
        case 410: advice.action = .dropToken
        case 429, 500, 503: advice.action = .retry
        default: break
        }
        return advice
    }

    /// Every reason that Apple documents for pushes, in the order of the table in Documentation/Compatibility/APNs.md.
    ///
    /// Source: Apple, "Handling notification responses from APNs", read October 2026.
    public static let documented: [APNSReason] = [
        .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
        .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken, .missingTopic,
        .payloadEmpty, .topicDisallowed, .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden,
        .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken, .badEnvironmentKeyInToken, .badPath,
        .methodNotAllowed, .expiredToken, .unregistered, .payloadTooLarge, .tooManyProviderTokenUpdates,
        .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown,
    ]

    /// The reasons that only channel requests get.
    ///
    /// Source: Apple, "Sending channel management requests to APNs", read October 2026.
    package static let ofChannels: [APNSReason] = [
        .featureNotEnabled, .missingChannelId, .badChannelId, .channelNotRegistered, .badRequestParams,
        .badRequestPayload, .missingPushType, .cannotCreateChannelConfig, .topicMismatch,
    ]

    private static let advices = Dictionary(
        (documented + ofChannels).map { reason in
            func words(_ part: String) -> String { Words.english.refusals["\(reason.rawValue)_\(part)"] ?? "" }
            return (reason, APNSAdvice(reason.action, meaning: words("meaning"), remedy: words("remedy")))
        }
    ) { first, _ in first }

    private static let unknown = APNSAdvice(
        .reportProblem,
        meaning: "A reason that Posthorn does not know.",
        remedy: "Look it up in Apple's list, and report it to Posthorn."
    )

    private var action: APNSAdvice.Action {
        switch self {
        case .idleTimeout, .tooManyProviderTokenUpdates, .tooManyRequests, .internalServerError, .serviceUnavailable,
            .shutdown:
            .retry
        case .expiredToken, .unregistered: .dropToken
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .unrelatedKeyIdInToken, .badEnvironmentKeyInToken:
            .pauseCredential
        default: .reportProblem
        }
    }
}
