public import PushModel

/// Why a push would be refused by any APNs, found before it is sent.
public struct APNSPushProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: APNSReason
    public var description: String
}

extension APNSPush {
    /// What APNs would refuse about the push whatever the token; nil if nothing is wrong.
    public var problem: APNSPushProblem? {
        if payload.isEmpty { return APNSPushProblem(reason: .payloadEmpty, description: "The payload is empty.") }
        if payload.count > pushType.payloadLimit {
            let text =
                "The payload has \(payload.count) bytes; \(pushType.payloadLimit) are allowed for '\(pushType.rawValue)'."
            return APNSPushProblem(reason: .payloadTooLarge, description: text)
        }
        if let collapseID, collapseID.utf8.count > 64 {
            let text = "The collapse id has \(collapseID.utf8.count) bytes; 64 are allowed."
            return APNSPushProblem(reason: .badCollapseId, description: text)
        }
        return nil
    }
}
