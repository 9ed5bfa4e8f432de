extension APNSAdvice {
    /// The advice for the reasons that only channel requests get.
    ///
    /// Source: Apple, "Sending channel management requests to APNs", read October 2026.
    static let ofChannels: [(APNSReason, APNSAdvice)] = [
        (
            .featureNotEnabled,
            APNSAdvice(
                .reportProblem,
                meaning: "The app is not enabled for broadcasts.",
                remedy: "Switch on Broadcast Capability for its bundle id in the developer account."
            )
        ),
        (
            .missingChannelId,
            APNSAdvice(.reportProblem, meaning: "The channel id is missing.", remedy: "Name the channel.")
        ),
        (
            .badChannelId,
            APNSAdvice(
                .reportProblem,
                meaning: "The channel id is malformed.",
                remedy: "Use the base64 text that APNs gave when the channel was made."
            )
        ),
        (
            .channelNotRegistered,
            APNSAdvice(
                .reportProblem,
                meaning:
                    "There is no such channel in this environment: it was deleted, or created in the other environment.",
                remedy: "Make a channel, and have the app listen to that one."
            )
        ),
        (
            .badRequestParams,
            APNSAdvice(.reportProblem, meaning: "A header or the path is wrong.", remedy: "Report it to Posthorn.")
        ),
        (
            .badRequestPayload,
            APNSAdvice(.reportProblem, meaning: "The body is wrong.", remedy: "Report it to Posthorn.")
        ),
        (
            .missingPushType,
            APNSAdvice(.reportProblem, meaning: "The push type is missing.", remedy: "Report it to Posthorn.")
        ),
        (
            .cannotCreateChannelConfig,
            APNSAdvice(
                .reportProblem,
                meaning: "The app has 10,000 channels in this environment, which is all it may have.",
                remedy: "Delete channels that are no longer needed."
            )
        ),
        (
            .topicMismatch,
            APNSAdvice(
                .reportProblem,
                meaning: "The credential is not valid for the app in the path.",
                remedy: "Check the bundle id, and the team or topics of the key."
            )
        ),
    ]
}
