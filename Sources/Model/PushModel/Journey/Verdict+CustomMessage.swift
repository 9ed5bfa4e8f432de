extension Verdict {
    /// Judges the journey of a custom message, which goes over the SDK link instead of APNs.
    public init(ofCustomMessage events: [JourneyEvent]) {
        self.init(events)
        sentence = Self.customSentences[state] ?? sentence
    }

    /// Judges the journey of an in-app message.
    public init(ofInAppMessage events: [JourneyEvent]) {
        self.init(ofCustomMessage: events)
        sentence = Self.inAppSentences[state] ?? sentence
    }

    private static let customSentences: [State: String] = [
        .stored: "waits for the app: it comes over the SDK's link as soon as the app connects",
        .delivered: "delivered: the app has acknowledged the custom message",
        .opened: "delivered, and opened in the app",
        .expired: "not delivered: it expired before the app had acknowledged it",
        .coalesced: "not delivered: newer custom messages took its place while the app was away",
        .withdrawn: "not delivered: it was withdrawn (DELETE /v3/push/{msg_id}) before the app had acknowledged it",
    ]

    private static let inAppSentences: [State: String] = [
        .delivered: """
        the app has it: it shows it on its next page if the user has its notifications switched off, and drops it if not
        """,
        .opened: "shown within the app, and tapped by the user",
        .expired: "not shown within the app: it expired before the app connected",
        .coalesced: "not shown within the app: newer messages took its place while the app was away",
        .withdrawn: "not shown within the app: it was withdrawn (DELETE /v3/push/{msg_id}) before the app had it",
    ]
}
