import Foundation
import PushModel
import Synchronization

/// The `date` field of refusals, formatted once per second (RFC 9110, section 6.6.1).
///
/// It is by the gateway's clock, which also judges provider tokens. Accepted pushes are answered without it, because they are the
/// majority.
final class AnswerDate: Sendable {
    private let written = Mutex<(second: Int64, octets: [UInt8])?>(nil)

    func octets(at now: Date) -> [UInt8] {
        let second = Int64(now.timeIntervalSince1970.rounded(.down))
        return written.withLock { written in
            if let written, written.second == second { return written.octets }
            let octets = Array(now.formatted(Date.VerbatimFormatStyle.http).utf8)
            written = (second, octets)
            return octets
        }
    }
}
