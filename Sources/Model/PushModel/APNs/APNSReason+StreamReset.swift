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
    /// The errors that blame the request need few of them. An internal error may be an outage, which ten attempts outlast by
    /// minutes.
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
