import APNSTransport
public import PushModel

/// A payload for many devices that differs in the badge alone: made and checked once, then copied.
///
/// ```swift
/// let template = try APNSPayloadTemplate(APNSPayload(APS(alert: "Lunch is ready")))
/// var batch = APNSBatch(topic: "com.example.app")
/// for (token, badge) in devices { batch.add(token, template, badge: badge) }
/// ```
public struct APNSPayloadTemplate: Sendable {
    /// `{"aps":{…`, up to where the badge goes.
    let head: [UInt8]
    /// From behind the badge to the end.
    let tail: [UInt8]
    /// The key, with a comma where one is needed.
    let badgeKey: [UInt8]

    /// - Parameters:
    ///   - payload: a badge in it counts for nothing.
    ///   - pushType: sets how long it may be.
    /// - Throws: ``APNSPayloadProblem`` as ``APNSPayload/bytes(for:)`` does, counting the longest badge there is to be:
    ///   ten digits.
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

    /// The payload with a badge from 0 to 2147483647; what is beyond counts as the nearest. Nil leaves it out.
    public func payload(badge: Int?) -> [UInt8] {
        var payload: [UInt8] = []
        payload.append(self, badge: badge)
        return payload
    }

    /// Badges are held to 32 bits, the least that any device counts in.
    static let highestBadge = Int(Int32.max)
}

extension APNSBatch {
    /// Adds a push whose payload is made of a template; nil leaves the badge out.
    public mutating func add(_ token: DeviceToken, _ template: APNSPayloadTemplate, badge: Int?) {
        token.withBytes { add(token: $0, template, badge: badge) }
    }

    /// Adds a push for the device whose token's bytes are given.
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
