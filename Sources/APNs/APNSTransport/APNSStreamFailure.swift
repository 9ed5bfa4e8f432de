/// A request that got no answer.
package struct APNSStreamFailure: Error, CustomStringConvertible {
    /// Whether the other side may have acted on the request. False: it certainly has not, by RFC 9113, section 8.7.
    package var isUndecided: Bool
    package var reason: String

    package init(isUndecided: Bool, reason: String) {
        self.isUndecided = isUndecided
        self.reason = reason
    }

    package var description: String { reason }
}
