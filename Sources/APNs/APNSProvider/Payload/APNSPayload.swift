import APNSTransport
public import Foundation
public import PushModel

/// The JSON payload of a push: `aps` for the operating system, next to the app's own keys.
///
/// ```swift
/// let payload = APNSPayload(APS(alert: "Lunch is ready", badge: 1), custom: ["table": 7])
/// ```
/// Pushes to MDM clients and Wallet passes have no `aps`: `APNSPayload(custom: ["mdm": "…"])` and `APNSPayload()`.
public struct APNSPayload: Hashable, Sendable {
    /// The keys for the system; nil leaves `aps` out.
    public var aps: APS?
    /// The app's own keys.
    public var custom: JSONObject

    /// Creates a payload of Apple's keys and the app's own.
    public init(_ aps: APS? = nil, custom: JSONObject = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// The payload as JSON: `aps` first, then the app's keys in their order.
    public var json: JSONObject {
        var object: JSONObject = [:]
        object["aps"] = aps.map { .object($0.json) }
        object.add(custom)
        return object
    }

    /// Returns compact JSON in UTF-8.
    ///
    /// - Parameter pushType: determines the largest size: 4096 bytes, or 5120 for `voip`.
    /// - Returns: the value for `APNSPush.payload`.
    /// - Throws: ``APNSPayloadProblem`` if it is longer, if a number is not valid in JSON or out of range, or if the
    ///   app's keys include `aps`.
    public func bytes(for pushType: APNSPushType = .alert) throws(APNSPayloadProblem) -> [UInt8] {
        try bytes(limit: pushType.payloadLimit, for: "'\(pushType.rawValue)'")
    }

    func bytes(limit: Int, for purpose: String) throws(APNSPayloadProblem) -> [UInt8] {
        if let problem { throw problem }
        let bytes = JSONValue.object(json).bytes
        guard bytes.count <= limit else {
            throw APNSPayloadProblem(
                key: "payload",
                found: "\(bytes.count) bytes long",
                expected: "at most \(limit) for \(purpose)"
            )
        }
        return bytes
    }

    /// The error that applies to every push type; nil if there is none.
    private var problem: APNSPayloadProblem? {
        if let value = custom["aps"] {
            return APNSPayloadProblem(
                key: "custom.aps",
                found: value.kind,
                expected: "keys of the app's own; what the system reads belongs into 'aps'"
            )
        }
        if let volume = aps?.sound?.volume, !(0...1).contains(volume) {
            return APNSPayloadProblem(key: "aps.sound.volume", found: "\(volume)", expected: "a number from 0 to 1")
        }
        if let score = aps?.relevanceScore, aps?.liveActivity == nil, !(0...1).contains(score) {
            return APNSPayloadProblem(key: "aps.relevance-score", found: "\(score)", expected: "a number from 0 to 1")
        }
        if let badge = aps?.badge, badge < 0 {
            return APNSPayloadProblem(key: "aps.badge", found: "\(badge)", expected: "0 or more")
        }
        return JSONValue.object(json).unwritable(at: "")
    }
}

extension JSONValue {
    /// Finds a number that JSON cannot represent, such as infinity.
    fileprivate func unwritable(at path: String) -> APNSPayloadProblem? {
        switch self {
        case .double(let value) where !value.isFinite:
            return APNSPayloadProblem(key: path, found: "\(value)", expected: "a finite number")
        case .array(let values):
            for (index, value) in values.enumerated() {
                if let problem = value.unwritable(at: "\(path)[\(index)]") { return problem }
            }
        case .object(let object):
            for member in object.members {
                let path = path.isEmpty ? member.key : "\(path).\(member.key)"
                if let problem = member.value.unwritable(at: path) { return problem }
            }
        default: break
        }
        return nil
    }
}

/// An error in a payload: the invalid part, its value, and what it must be.
public struct APNSPayloadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the part, such as `aps.sound.volume`; `payload` for the whole.
    public var key: String
    /// The value found, such as `2.0` or `an object`.
    public var found: String
    /// The expected value, such as `a number from 0 to 1`.
    public var expected: String

    /// Creates a problem.
    public init(key: String, found: String, expected: String) {
        self.key = key
        self.found = found
        self.expected = expected
    }

    public var description: String { "'\(key)' is \(found); expected \(expected)." }
}

extension APNSPush {
    /// Creates a push with a typed payload.
    ///
    /// ```swift
    /// let push = try APNSPush(
    ///     APNSPayload(APS(alert: "Lunch is ready", sound: .default)),
    ///     to: token,
    ///     app: "com.example.app"
    /// )
    /// ```
    /// - Parameters:
    ///   - payload: the content of the push.
    ///   - token: the device's token.
    ///   - bundleID: the app's; the topic is derived from it and the push type.
    ///   - pushType: the push type, which determines the largest payload.
    ///   - priority: nil means 5 for `background`, which cannot have 10; otherwise it leaves the header out, which means 10.
    ///   - expiration: nil lets APNs keep the push for 30 days at most.
    ///   - collapseID: at most 64 bytes; a later push with the same id replaces this one.
    ///   - id: the apns-id, which identifies the push along its whole path.
    /// - Throws: `APNSPayloadProblem` if the payload is too long or contains an invalid value.
    public init(
        _ payload: APNSPayload,
        to token: DeviceToken,
        app bundleID: String,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil,
        id: UUID = UUID()
    ) throws(APNSPayloadProblem) {
        self.init(
            id: id.uuidString.lowercased(),
            token: token,
            topic: pushType.topic(of: bundleID),
            pushType: pushType,
            priority: priority ?? (pushType == .background ? .consideringPower : nil),
            expiration: expiration,
            collapseID: collapseID,
            payload: try payload.bytes(for: pushType)
        )
    }
}

extension JSONValue {
    /// Encodes a value of the app's own type as JSON, such as the `ContentState` of a Live Activity.
    ///
    /// This uses a `JSONEncoder` with its default strategies, which are the ones that ActivityKit decodes with.
    /// - Throws: any error of the encoder.
    public init(encoding value: some Encodable) throws {
        try self.init(parsing: JSONEncoder().encode(value))
    }
}

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
    public func payload(badge: Int?) -> [UInt8] { template.payload(badge: badge.map(Self.clamped)) }

    /// Appends the payload with a badge.
    func write(badge: Int?, to bytes: inout [UInt8]) { template.write(badge: badge.map(Self.clamped), to: &bytes) }

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
