import APNSTransport
import PushModel

/// The shared heads of pushes, one object for each set of values, so that a connection encodes it once.
struct HeadCache: Sendable {
    struct Key: Hashable, Sendable {
        var topic: String?
        var pushType: APNSPushType
        var priority: APNSPriority?
        /// The expiration of a batch; a single push has it in its own field.
        var expiration: APNSExpiration?
        var collapseID: String?
    }

    /// The number of sets, more than a campaign has; beyond it the cache is emptied.
    private static let limit = 256

    private var heads: [Key: HTTP2RequestHead] = [:]
    private var tokenNumber: Int32 = 0
    private var last: (key: Key, head: HTTP2RequestHead, number: Int32)?

    /// Returns the head of a single push.
    mutating func head(_ push: APNSPush, _ token: ProviderTokens.Token?) -> HTTP2RequestHead {
        if let last, last.number == token?.number ?? 0, last.key.expiration == nil, last.key.collapseID == nil,
            last.key.topic == push.topic, last.key.pushType == push.pushType, last.key.priority == push.priority
        {
            return last.head
        }
        return head(Key(topic: push.topic, pushType: push.pushType, priority: push.priority), token)
    }

    /// - `token`: part of the head; a new token replaces all heads. Nil with a certificate.
    mutating func head(_ key: Key, _ token: ProviderTokens.Token?) -> HTTP2RequestHead {
        if let token, tokenNumber != token.number {
            heads = [:]
            last = nil
            tokenNumber = token.number
        }
        if let last, last.key == key { return last.head }
        if let known = heads[key] {
            last = (key, known, tokenNumber)
            return known
        }
        if heads.count >= Self.limit { heads = [:] }
        let head = HTTP2RequestHead(fields: key.fields(token))
        heads[key] = head
        last = (key, head, tokenNumber)
        return head
    }
}

extension HeadCache.Key {
    /// Returns the header fields, in the order of the wire.
    func fields(_ token: ProviderTokens.Token?) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let token { fields.append((name: "authorization", value: "bearer \(token.text)")) }
        if let topic { fields.append((name: "apns-topic", value: topic)) }
        fields.append((name: "apns-push-type", value: pushType.rawValue))
        if let priority { fields.append((name: "apns-priority", value: priority.description)) }
        if let expiration { fields.append((name: "apns-expiration", value: expiration.description)) }
        if let collapseID { fields.append((name: "apns-collapse-id", value: collapseID)) }
        return fields
    }
}
