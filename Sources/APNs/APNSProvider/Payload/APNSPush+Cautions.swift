package import Foundation
public import PushModel

extension APNSPush {
    /// Warnings about content that APNs accepts but a device may drop, delay or not understand: one sentence each, for a person.
    ///
    /// Reads the whole payload, so it is for tools and tests rather than for every push.
    /// Source: Apple, "Generating a remote notification" and "Sending notification requests to APNs", read October 2026.
    public var cautions: [String] {
        headers.cautions + PayloadReview.remarks(on: payload, of: headers.pushType)
    }
}

extension APNSHeaders {
    package var cautions: [String] {
        var cautions: [String] = []
        if let expiration, expiration.rawValue >= PayloadReview.earliestMilliseconds {
            cautions.append(
                "apns-expiration is \(expiration); expected seconds since 1970, and these look like milliseconds."
            )
        }
        if pushType == .pushtotalk, expiration != .oneAttempt || ![nil, .immediately].contains(priority) {
            cautions.append(
                "A push of type 'pushtotalk' is of use at once or never: expected priority 10 and expiration 0."
            )
        }
        if pushType.topicSuffix == "", let foreign = topic.flatMap(APNSPushType.init(suffixOf:)) {
            cautions.append(
                "The topic ends like those of type '\(foreign.rawValue)', and the push is of type '\(pushType.rawValue)'."
            )
        }
        return cautions
    }
}

extension APNSExpiration {
    /// Ten years in seconds.
    private static let longestDuration: Int64 = 315_360_000

    /// A warning about a date in the past, for a person: a small number is meant as a duration.
    package func caution(at now: Date) -> String? {
        guard hasPassed(at: now) else { return nil }
        let found = "apns-expiration is \(self), which is over; expected seconds since 1970"
        guard (1...Self.longestDuration).contains(rawValue) else { return found + "." }
        let seconds = rawValue == 1 ? "second" : "seconds"
        return found + ", such as \(Int64(now.timeIntervalSince1970) + rawValue) for \(self) \(seconds) from now."
    }
}
