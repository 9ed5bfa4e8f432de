import APNSTransport
import PushModel
import Synchronization

/// What many pushes have in common, as one object for each set of values, so that a connection encodes it once.
final class HeadCache: Sendable {
    struct Key: Hashable, Sendable {
        /// Nil with a certificate.
        var token: String?
        var topic: String?
        var pushType: APNSPushType
        var priority: APNSPriority?
        var expiration: APNSExpiration?
        var collapseID: String?
    }

    /// More sets than a campaign has; beyond it all are made anew.
    private static let limit = 256

    private let heads = Mutex<[Key: HTTP2RequestHead]>([:])

    func head(_ key: Key) -> HTTP2RequestHead {
        heads.withLock { heads in
            if let known = heads[key] { return known }
            if heads.count >= Self.limit { heads = [:] }
            let head = HTTP2RequestHead(fields: key.fields)
            heads[key] = head
            return head
        }
    }
}

extension HeadCache.Key {
    fileprivate var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let token { fields.append((name: "authorization", value: "bearer \(token)")) }
        if let topic { fields.append((name: "apns-topic", value: topic)) }
        fields.append((name: "apns-push-type", value: pushType.rawValue))
        if let priority { fields.append((name: "apns-priority", value: priority.description)) }
        if let expiration { fields.append((name: "apns-expiration", value: expiration.description)) }
        if let collapseID { fields.append((name: "apns-collapse-id", value: collapseID)) }
        return fields
    }
}
