import Foundation
import PushModel

/// An answer that is not 200, and what it means for the push.
struct APNSRefusal {
    var status: Int
    var reason: APNSReason
    var timestamp: Date?

    init(status: Int, body: [UInt8]) {
        self.status = status
        let object = (try? JSONValue(parsing: body))?.object
        reason = APNSReason(rawValue: object?["reason"]?.string ?? "HTTP \(status)")
        timestamp = object?["timestamp"]?.double.map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    /// Whether repeating would not help.
    var isFinal: Bool {
        switch (status, reason) {
        case (_, .expiredProviderToken), (_, .tooManyProviderTokenUpdates), (_, .shutdown): false
        case (429, _), (500, _), (503, _): false
        default: true
        }
    }

    var outcome: APNSOutcome { .refused(status: status, reason, timestamp: timestamp) }
}
