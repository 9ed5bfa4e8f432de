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
    private let template: PayloadTemplate

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
        template = PayloadTemplate(aps: longest.aps?.json ?? [:], others: payload.custom)
    }

    /// Returns the payload with a badge, clamped to 0 to 2147483647. Nil leaves it out.
    public func payload(badge: Int?) -> [UInt8] {
        template.payload(badge: badge.map(Self.clamped))
    }

    /// Appends the payload with a badge.
    func write(badge: Int?, to bytes: inout [UInt8]) {
        template.write(badge: badge.map(Self.clamped), to: &bytes)
    }

    private static func clamped(_ badge: Int) -> Int { min(max(badge, 0), highestBadge) }

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
        template.write(badge: badge, to: &requests.bytes)
        add(token, start..<requests.bytes.count)
    }
}
