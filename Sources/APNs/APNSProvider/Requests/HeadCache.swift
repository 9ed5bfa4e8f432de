import APNSTransport
import PushModel

/// The shared heads of pushes, one object for each set of values, so that a connection encodes it once.
struct HeadCache: Sendable {
    /// The number of sets, more than a campaign has; beyond it the cache is emptied.
    private static let limit = 256

    private var heads: [APNSHeaders: HTTP2RequestHead] = [:]
    private var tokenNumber: Int32 = 0
    private var last: (key: APNSHeaders, head: HTTP2RequestHead, number: Int32)?

    /// Returns the head of a single push, which has its expiration and collapse id in its own fields.
    mutating func head(_ push: APNSPush, _ token: ProviderTokens.Token?) -> HTTP2RequestHead {
        let headers = push.headers
        if let last, last.number == token?.number ?? 0, last.key.expiration == nil, last.key.collapseID == nil,
            last.key.topic == headers.topic, last.key.pushType == headers.pushType,
            last.key.priority == headers.priority
        {
            return last.head
        }
        return head(headers.withoutOwnFields, token)
    }

    /// `token` is part of the head; a new token replaces all heads. Nil with a certificate.
    mutating func head(_ key: APNSHeaders, _ token: ProviderTokens.Token?) -> HTTP2RequestHead {
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

extension APNSHeaders {
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
