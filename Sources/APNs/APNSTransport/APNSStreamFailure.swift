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

    package init(_ fate: Fate, _ reason: String) {
        self.fate = fate
        self.reason = reason
    }

    package var description: String { reason }
}
