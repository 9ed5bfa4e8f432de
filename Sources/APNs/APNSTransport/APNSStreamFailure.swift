/// A request that got no answer.
package struct APNSStreamFailure: Error, CustomStringConvertible {
    package enum Fate: Sendable {
        /// The connection accepts no more requests: the other side has certainly not acted on this one (RFC 9113, section 6.8).
        case notProcessed
        /// The other side refused this one stream and has not acted on it (RFC 9113, section 8.7).
        case refused
        /// The other side may have acted on it.
        case undecided
    }

    package var fate: Fate
    package var reason: String
    /// The error with which the other side reset the stream; nil for another failure, and for errors that only ask to try again.
    package var reset: HTTP2ErrorCode?

    package init(_ fate: Fate, _ reason: String, reset: HTTP2ErrorCode? = nil) {
        self.fate = fate
        self.reason = reason
        self.reset = reset
    }

    package var description: String { reason }
}
