import Foundation
import PushModel
import Synchronization

/// The `Date` header of responses, formatted once per second (RFC 9110, section 5.6.7).
///
/// It uses the system time regardless of the service's clock, as the server does for other responses.
final class HTTPDate: Sendable {
    private let written = Mutex((second: 0, text: ""))

    var now: String {
        let now = Date()
        let second = Int(now.timeIntervalSince1970)
        return written.withLock { written in
            if written.second != second { written = (second, now.formatted(Date.VerbatimFormatStyle.http)) }
            return written.text
        }
    }
}
