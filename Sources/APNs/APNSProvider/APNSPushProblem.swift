public import PushModel

/// The reason why any APNs would refuse a push, found before it is sent.
public struct APNSPushProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason that APNs would answer with.
    public var reason: APNSReason
    /// The text that says what was found, what was expected and what to do.
    public var description: String
}

extension APNSPush {
    /// The error with which APNs would refuse the push, whatever the token; nil if there is none.
    ///
    /// Only certain refusals are reported: a push type that Apple may have added since is let through.
    public var problem: APNSPushProblem? {
        if token.bytes.isEmpty {
            return APNSPushProblem(
                reason: .missingDeviceToken,
                description: "The push has no device token; expected the bytes that the app was given, mostly 32."
            )
        }
        if APNSID(id) == nil {
            return APNSPushProblem(
                reason: .badMessageId,
                description: "The apns-id is '\(id)'; expected a UUID such as 123e4567-e89b-12d3-a456-426614174000."
            )
        }
        let type = headers.pushType
        return headers.problem
            ?? APNSPushProblem(payloadBytes: payload.count, limit: type.payloadLimit, for: type.rawValue)
    }
}

extension APNSHeaders {
    /// The error with which APNs would refuse every push with these headers; nil if there is none.
    public var problem: APNSPushProblem? {
        APNSPushProblem.problem(with: pushType) ?? topic.flatMap { APNSPushProblem.problem(with: $0, pushType) }
            ?? priority.flatMap { APNSPushProblem.problem(with: $0, pushType) }
            ?? collapseID.flatMap(APNSPushProblem.problem(withCollapseID:))
    }
}

extension APNSPushProblem {
    /// Finds an error in the length of a payload; nil if there is none.
    init?(payloadBytes count: Int, limit: Int, for purpose: String) {
        if count == 0 {
            self.init(
                reason: .payloadEmpty,
                description: "The payload is empty; expected a JSON object, '{}' at least."
            )
        } else if count > limit {
            self.init(
                reason: .payloadTooLarge,
                description: "The payload has \(count) bytes; \(limit) are allowed for '\(purpose)'."
            )
        } else {
            return nil
        }
    }

    fileprivate static func problem(with pushType: APNSPushType) -> Self? {
        let text = pushType.rawValue
        let isWord = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard !isWord else { return nil }
        let meant = APNSPushType(rawValue: text.lowercased())
        let expected =
            APNSPushType.known.contains(meant)
            ? "'\(meant.rawValue)': case matters"
            : "one of " + APNSPushType.known.map(\.rawValue).joined(separator: ", ")
        return Self(reason: .invalidPushType, description: "The push type is '\(text)'; expected \(expected).")
    }

    fileprivate static func problem(with topic: String, _ pushType: APNSPushType) -> Self? {
        guard !topic.isEmpty, topic.isWrittenLikeTopic else {
            return Self(
                reason: .badTopic,
                description: "The topic is '\(topic)'; expected a bundle id: letters, digits, '.', '-' and '_'."
            )
        }
        guard let suffix = pushType.topicSuffix, !suffix.isEmpty, !topic.hasSuffix(suffix) || topic == suffix else {
            return nil
        }
        return Self(
            reason: .badTopic,
            description: "The topic '\(topic)' does not fit the push type '\(pushType.rawValue)'; "
                + "expected the bundle id with '\(suffix)' at its end."
        )
    }

    fileprivate static func problem(with priority: APNSPriority, _ pushType: APNSPushType) -> Self? {
        guard !pushType.allowedPriorities.contains(priority) else { return nil }
        let allowed = pushType.allowedPriorities.map(\.description).joined(separator: ", ")
        return Self(
            reason: .badPriority,
            description: "The priority is \(priority); expected one of \(allowed) for '\(pushType.rawValue)'."
        )
    }

    static let collapseIDLimit = 64

    fileprivate static func problem(withCollapseID text: String) -> Self? {
        guard text.utf8.count <= collapseIDLimit else {
            return Self(
                reason: .badCollapseId,
                description: "The collapse id has \(text.utf8.count) bytes; \(collapseIDLimit) are allowed."
            )
        }
        guard let flaw = text.flawAsFieldValue else { return nil }
        return Self(reason: .badCollapseId, description: "The collapse id \(flaw).")
    }
}
