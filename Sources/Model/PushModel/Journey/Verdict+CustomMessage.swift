extension Verdict {
    /// Judges the journey of a custom message, which goes over the SDK's link instead of APNs.
    public init(ofCustomMessage events: [JourneyEvent]) {
        self.init(events)
        guard let sentence = Self.customSentences[state] else { return }
        self.sentence = sentence
    }

    private static let customSentences: [State: String] = [
        .stored: "waits for the app: it comes over the SDK's link as soon as the app connects",
        .delivered: "delivered: the app has acknowledged the custom message",
        .opened: "delivered, and opened in the app",
        .expired: "not delivered: its time to live ended before the app had acknowledged it",
        .coalesced: "not delivered: newer custom messages took its place while the app was away",
        .withdrawn: "not delivered: it was withdrawn (DELETE /v3/push/{msg_id}) before the app had acknowledged it",
    ]
}
