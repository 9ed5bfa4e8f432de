// The text of verdicts, in English: what happened, why, and what to do. ``Words`` has it by key, in each language.

extension Verdict {
    /// A sentence of a verdict, and its key in ``Words/journeys``. The sentences for outcomes of fetches, presentations, and custom and
    /// in-app messages have keys with these words in them.
    package enum Phrase: String, CaseIterable {
        case unknown, notInAudience, alsoCrashed, alsoReported
        case waiting, retried, heldInQuietHours, endedInQuietHours, wrongEnvironment, withdrawn
        case sent, refused, stored, storedByBudget, coalesced, expired, expiredOnDevice
        case tokenInHexadecimalTwice, tokenLength, tokenOfOtherApp, tokenOfOtherEnvironment
        case delivered, notDecoded, crashed
        case dismissed, removed, absent, opened, callAnswered, callDeclined, conversationJoined, conversationDeclined,
            acted, replied

        /// Returns the sentence with its values.
        func english(_ values: [String: String] = [:]) -> String {
            let words = Words.english.journeys[rawValue] ?? rawValue
            return values.isEmpty ? words : Words.fill(words) { values[$0] }
        }
    }
}

extension SuppressionReason {
    func sentence(_ context: Verdict.Context) -> String {
        guard self == .environment, let device = context.deviceEnvironment, let push = context.pushEnvironment else {
            return sentence
        }
        return Verdict.Phrase.wrongEnvironment.english([
            "device": device.rawValue, "push": push.rawValue, "isProduction": "\(device == .production)",
        ])
    }

    /// The sentence without the facts of one push.
    ///
    /// Source of those about types of pushes: Apple, "Sending notification requests to APNs", of each value of apns-push-type, and
    /// the page of each framework.
    package var sentence: String { Words.english.verdicts["suppressed_\(rawValue)"] ?? rawValue }
}

extension PauseReason {
    package var sentence: String { Words.english.verdicts["paused_\(rawValue)"] ?? rawValue }
}

extension FetchOutcome {
    var sentence: String { Words.english.journeys["handled_\(rawValue)"] ?? rawValue }

    /// Says it of an app that was in front.
    ///
    /// - Parameter reason: the reason why the user saw nothing of the push; nil if it had nothing to show.
    /// - Returns: the sentence.
    func sentenceInFront(unseen reason: String? = nil) -> String {
        guard let reason else { return Words.english.journeys["handledInFront_\(rawValue)"] ?? rawValue }
        return Words.fill(Words.english.journeys["handledUnseen_\(rawValue)"] ?? rawValue) { ["reason": reason][$0] }
    }
}

extension Presentation {
    var sentence: String { Words.english.journeys["shown_\(rawValue)"] ?? rawValue }
}
