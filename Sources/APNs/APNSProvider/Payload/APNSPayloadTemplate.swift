import APNSTransport
public import PushModel

/// A payload for many devices that differs only in the badge: created and checked once, then copied.
///
/// ```swift
/// let template = try APNSPayloadTemplate(APNSPayload(APS(alert: "Lunch is ready")))
/// var batch = APNSBatch(topic: "com.example.app")
/// for (token, badge) in devices { batch.add(token, template, badge: badge) }
/// ```
public struct APNSPayloadTemplate: Sendable {
    /// The bytes from `{"aps":{…` up to the badge.
    let head: [UInt8]
    /// The bytes after the badge.
    let tail: [UInt8]
    /// The badge key, with a comma if one is needed.
    let badgeKey: [UInt8]

    /// - Parameters:
    ///   - payload: the payload; its badge is ignored.
    ///   - pushType: determines the largest size.
    /// - Throws: ``APNSPayloadProblem`` as ``APNSPayload/bytes(for:)`` does, with the longest possible badge counted: ten
    ///   digits.
    public init(_ payload: APNSPayload, for pushType: APNSPushType = .alert) throws(APNSPayloadProblem) {
        var longest = payload
        longest.aps = longest.aps ?? APS()
        longest.aps?.others["badge"] = nil
        longest.aps?.badge = Self.highestBadge
        _ = try longest.bytes(for: pushType)
        longest.aps?.badge = nil
        let aps = longest.aps?.json ?? [:]
        badgeKey = Array((aps.isEmpty ? #""badge":"# : #","badge":"#).utf8)
        // The object without its closing brace.
        head = Array(#"{"aps":"#.utf8) + JSONValue.object(aps).bytes.dropLast()
        let members = JSONValue.object(payload.custom).bytes.dropFirst()
        tail = Array((payload.custom.isEmpty ? "}" : "},").utf8) + members
    }

    /// Returns the payload with a badge, clamped to 0 to 2147483647. Nil leaves it out.
    public func payload(badge: Int?) -> [UInt8] {
        var payload: [UInt8] = []
        payload.append(self, badge: badge)
        return payload
    }

    /// The largest badge: 32 bits, the smallest size that any device uses.
    static let highestBadge = Int(Int32.max)
}

extension APNSBatch {
    /// Adds a push with a payload from a template; nil leaves the badge out.
    public mutating func add(_ token: DeviceToken, _ template: APNSPayloadTemplate, badge: Int?) {
        token.withBytes { add(token: $0, template, badge: badge) }
    }

    /// Adds a push for a device, given the bytes of its token.
    public mutating func add(token: Span<UInt8>, _ template: APNSPayloadTemplate, badge: Int?) {
        let start = requests.bytes.count
        requests.bytes.append(template, badge: badge)
        add(token, start..<requests.bytes.count)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ template: APNSPayloadTemplate, badge: Int?) {
        append(contentsOf: template.head)
        if let badge {
            append(contentsOf: template.badgeKey)
            appendDecimal(Int64(Swift.min(Swift.max(badge, 0), APNSPayloadTemplate.highestBadge)))
        }
        append(contentsOf: template.tail)
    }
}
