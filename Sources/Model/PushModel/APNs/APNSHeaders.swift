public import Foundation

/// The header fields that tell APNs what to do with a push.
public struct APNSHeaders: Hashable, Sendable {
    /// The bundle id, with the suffix of the push type; nil leaves the header out, which only a client certificate for a single
    /// topic allows.
    public var topic: String?
    /// The value of `apns-push-type`.
    public var pushType: APNSPushType
    /// Nil leaves the header out.
    public var priority: APNSPriority?
    /// Nil leaves the header out.
    public var expiration: APNSExpiration?
    /// At most 64 bytes.
    public var collapseID: String?

    /// Creates headers. Nothing is checked before a push is sent with them.
    public init(
        topic: String?,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil
    ) {
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }
}

/// The value of `apns-expiration`: the time until which APNs keeps a push for an unreachable device.
///
/// In seconds since 1970. Without one, APNs keeps a push for at most 30 days.
/// Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSExpiration: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible
{
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public init(integerLiteral value: Int64) { rawValue = value }
    public var description: String { String(rawValue) }

    /// 0: one delivery attempt, without storage.
    public static let oneAttempt: Self = 0

    /// Returns the expiration at `date`, rounded down to whole seconds.
    public static func at(_ date: Date) -> Self {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return Self(rawValue: Int64(exactly: seconds) ?? (seconds > 0 ? .max : 0))
    }

    /// Whether the date is over. A push with one attempt has none.
    package func hasPassed(at date: Date) -> Bool {
        self != .oneAttempt && rawValue <= Int64(date.timeIntervalSince1970)
    }
}

/// The value of `apns-priority`: delivery speed against the device's power use.
///
/// APNs defines 10, 5 and 1. Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSPriority: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public init(integerLiteral value: Int) { rawValue = value }
    public var description: String { String(rawValue) }

    /// 10: immediately. The default of APNs; an error with ``APNSPushType/background``.
    public static let immediately: Self = 10
    /// 5: depending on the device's power; may be grouped with other pushes.
    public static let consideringPower: Self = 5
    /// 1: saves power above all; does not wake the device.
    public static let prioritizingPower: Self = 1
}

/// An apns-id: a UUID in 16 octets, whatever the case of its digits.
package struct APNSID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the form 8-4-4-4-12; nil for anything else.
    package init?(_ text: String) {
        guard Array(text.utf8).span.isUUID, let octets = [UInt8](hexadecimal: text.replacing("-", with: "")) else {
            return nil
        }
        func word(_ range: Range<Int>) -> UInt64 { octets[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(0..<8), low: word(8..<16))
    }

    /// The id marked as random (RFC 9562, section 5.4).
    package var version4: APNSID { APNSID(high: high & ~0xF000 | 0x4000, low: low >> 2 | 1 << 63) }

    /// The form 8-4-4-4-12 in lower case.
    package var text: String {
        func digits(_ value: UInt64, _ count: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: count - text.count) + text
        }
        return [
            digits(high >> 32, 8), digits(high >> 16 & 0xFFFF, 4), digits(high & 0xFFFF, 4), digits(low >> 48, 4),
            digits(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}

extension String {
    /// The reason why the text cannot be the value of a header field, such as `apns-collapse-id`, as the rest of a sentence about it;
    /// nil if it can.
    ///
    /// The other end of an HTTP/2 connection resets the stream of a request with such a value.
    ///
    /// Source: RFC 9110, section 5.5; RFC 9113, section 8.2.1. A tab inside is refused as well (our choice).
    package var flawAsFieldValue: String? {
        if utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return "has a control character; a header field cannot carry it"
        }
        if utf8.first == 0x20 || utf8.last == 0x20 {
            return "begins or ends with a space; a header field cannot carry it"
        }
        return nil
    }
}
