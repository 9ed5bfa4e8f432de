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

    /// Every reason that Apple documents, in the order of the table in Documentation/Compatibility/APNs.md.
    public static let documented: [APNSReason] = rows.map(\.0)

    private static let advices = Dictionary(rows + APNSAdvice.ofChannels) { first, _ in first }

    private static let unknown = APNSAdvice(
        .reportProblem,
        meaning: "A reason that Posthorn does not know.",
        remedy: "Look it up in Apple's list, and report it to Posthorn."
    )

    /// The advice by reason. Source: Apple, "Handling notification responses from APNs", read October 2026.
    private static let rows: [(APNSReason, APNSAdvice)] = [
        (
            .badCollapseId,
            APNSAdvice(
                .reportProblem,
                meaning: "The collapse id is longer than 64 bytes.",
                remedy: "Shorten it; a hash of a long name will do."
            )
        ),
        (
            .badDeviceToken,
            APNSAdvice(
                .reportProblem,
                meaning: "The device token is malformed, was never issued, or belongs to the other environment.",
                remedy: "Check whether the app was built for development or production before you drop tokens."
            )
        ),
        (
            .badExpirationDate,
            APNSAdvice(
                .reportProblem,
                meaning: "The expiration is not a whole number of seconds since 1970.",
                remedy: "Correct apns-expiration."
            )
        ),
        (
            .badMessageId,
            APNSAdvice(.reportProblem, meaning: "The apns-id is not a UUID.", remedy: "Use the form 8-4-4-4-12.")
        ),
        (
            .badPriority,
            APNSAdvice(
                .reportProblem,
                meaning: "The priority is not 10, 5 or 1, or it is 10 for a background push.",
                remedy: "Correct apns-priority; background pushes take 5."
            )
        ),
        (
            .badTopic,
            APNSAdvice(
                .reportProblem,
                meaning: "The topic is malformed or does not fit the push type.",
                remedy: "Use the bundle id with the suffix of the push type."
            )
        ),
        (
            .deviceTokenNotForTopic,
            APNSAdvice(
                .reportProblem,
                meaning: "The device token belongs to another app.",
                remedy: "Check under which app the token was registered; the token itself may be alive."
            )
        ),
        (
            .duplicateHeaders,
            APNSAdvice(
                .reportProblem,
                meaning: "A header occurred twice.",
                remedy: "Look for a proxy that adds headers, and report it to Posthorn."
            )
        ),
        (
            .idleTimeout,
            APNSAdvice(
                .retry,
                meaning: "APNs has ended a connection that was idle.",
                remedy: "Nothing: another connection takes the push."
            )
        ),
        (
            .invalidPushType,
            APNSAdvice(
                .reportProblem,
                meaning: "APNs does not know the push type, or the topic is one of another type.",
                remedy:
                    "Correct apns-push-type: its values are in lower case, and a topic with a suffix has a type of its own."
            )
        ),
        (
            .missingDeviceToken,
            APNSAdvice(.reportProblem, meaning: "The device token is empty.", remedy: "Send to a device's token.")
        ),
        (
            .missingTopic,
            APNSAdvice(
                .reportProblem,
                meaning: "The topic is missing, and the credential is valid for more than one.",
                remedy: "Set the topic."
            )
        ),
        (
            .payloadEmpty,
            APNSAdvice(.reportProblem, meaning: "The payload is empty.", remedy: "Send a JSON object.")
        ),
        (
            .topicDisallowed,
            APNSAdvice(
                .reportProblem,
                meaning: "The credential is not valid for this topic.",
                remedy: "Check the bundle id, the team, and the topics of a key or certificate that is limited to some."
            )
        ),
        (
            .badCertificate,
            APNSAdvice(
                .pauseCredential,
                meaning: "The certificate is revoked, expired, or of an unknown issuer.",
                remedy: "Renew it in the developer account."
            )
        ),
        (
            .badCertificateEnvironment,
            APNSAdvice(
                .pauseCredential,
                meaning: "The certificate is for the other environment.",
                remedy: "Use it with the other environment, or one that is for both."
            )
        ),
        (
            .expiredProviderToken,
            APNSAdvice(
                .pauseCredential,
                meaning: "The provider token is older than an hour, although a new one was made.",
                remedy: "Set the clock of this machine."
            )
        ),
        (
            .forbidden,
            APNSAdvice(
                .pauseCredential,
                meaning: "The key or certificate may not do this; the key may be revoked.",
                remedy: "Check in the developer account that it is active and enabled for APNs."
            )
        ),
        (
            .invalidProviderToken,
            APNSAdvice(
                .pauseCredential,
                meaning: "APNs cannot verify the provider token.",
                remedy: "Check that key, key id and team id belong together."
            )
        ),
        (
            .missingProviderToken,
            APNSAdvice(
                .pauseCredential,
                meaning: "There was neither a provider token nor a certificate.",
                remedy: "Look for a proxy that drops the authorization header."
            )
        ),
        (
            .unrelatedKeyIdInToken,
            APNSAdvice(
                .pauseCredential,
                meaning: "The key is not related to the one that this connection was used with first.",
                remedy: "Give each key a client of its own."
            )
        ),
        (
            .badEnvironmentKeyInToken,
            APNSAdvice(
                .pauseCredential,
                meaning: "The key is for the other environment.",
                remedy: "Use it with the other environment, or one that is for both."
            )
        ),
        (
            .badPath,
            APNSAdvice(
                .reportProblem,
                meaning: "The path does not exist at APNs.",
                remedy: "Look for a proxy that changes paths, and report it to Posthorn."
            )
        ),
        (
            .methodNotAllowed,
            APNSAdvice(
                .reportProblem,
                meaning: "The method was not POST.",
                remedy: "Look for a proxy that changes requests, and report it to Posthorn."
            )
        ),
        (
            .expiredToken,
            APNSAdvice(.dropToken, meaning: "The device token has expired.", remedy: "Forget the token.")
        ),
        (
            .unregistered,
            APNSAdvice(
                .dropToken,
                meaning: "The device token is no longer active for the topic: the app is gone, or the token replaced.",
                remedy: "Forget the token, unless it was registered again after the timestamp."
            )
        ),
        (
            .payloadTooLarge,
            APNSAdvice(
                .reportProblem,
                meaning: "The payload is larger than 4096 bytes, or 5120 for VoIP.",
                remedy: "Shorten it; let the app fetch what is long."
            )
        ),
        (
            .tooManyProviderTokenUpdates,
            APNSAdvice(
                .retry,
                meaning: "The provider token was changed more than once in 20 minutes.",
                remedy: "Look for another process that makes tokens with the same key on this connection's behalf."
            )
        ),
        (
            .tooManyRequests,
            APNSAdvice(
                .retry,
                meaning: "Too many pushes went to one device one after another.",
                remedy: "Send less often to it, or collapse."
            )
        ),
        (
            .internalServerError,
            APNSAdvice(.retry, meaning: "APNs had an internal error.", remedy: "Nothing, unless it lasts.")
        ),
        (
            .serviceUnavailable,
            APNSAdvice(.retry, meaning: "APNs cannot take the push now.", remedy: "Nothing, unless it lasts.")
        ),
        (
            .shutdown,
            APNSAdvice(
                .retry,
                meaning: "The APNs server is shutting down.",
                remedy: "Nothing: another connection takes the push."
            )
        ),
    ]
}
