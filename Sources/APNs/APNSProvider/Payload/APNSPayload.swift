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
        for member in custom.members { object[member.key] = member.value }
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
