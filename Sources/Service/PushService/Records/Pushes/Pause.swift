package import Foundation
package import PushModel

/// A pause in which nothing is sent to a destination, because APNs refuses its credential or it has none.
package struct Pause: Hashable, Sendable {
    package var reason: PauseReason
    /// APNs's response, for the log.
    package var detail: String
    package var until: Date

    package init(reason: PauseReason, detail: String, until: Date) {
        self.reason = reason
        self.detail = detail
        self.until = until
    }
}
