import APNSTransport
import PushModel

/// The shared heads of pushes, one object for each set of values, so that a connection encodes it once.
struct HeadCache: Sendable {
    /// The number of sets, more than a campaign has; beyond it the cache is emptied.
    private static let limit = 256

    private var heads: [APNSHeaders: HTTP2RequestHead] = [:]
    private var tokenNumber: Int32 = 0
    private var last: (key: APNSHeaders, head: HTTP2RequestHead)?

    /// `token` is part of the head; a new token replaces all heads. Nil with a certificate.
    mutating func head(_ key: APNSHeaders, _ token: ProviderTokens.Token?) -> HTTP2RequestHead {
        if let token, tokenNumber != token.number {
            heads = [:]
            last = nil
            tokenNumber = token.number
        }
        if let last, last.key == key { return last.head }
        if let known = heads[key] {
            last = (key, known)
            return known
        }
        if heads.count >= Self.limit { heads = [:] }
        let head = HTTP2RequestHead(fields: key.fields(token))
        heads[key] = head
        last = (key, head)
        return head
    }
}
