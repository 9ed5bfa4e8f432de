import APNSTransport
import Foundation
package import PushModel
import Synchronization

/// A provider's connection in the gateway's core; one for each TLS connection, or one for an in-process sender.
package final class ProviderConnection: Sendable {
    package let environment: APNSEnvironment
    private let record: Mutex<ProviderConnectionState>

    /// `certificate` looks up the client certificate; called at most once, when a request needs it.
    package init(environment: APNSEnvironment, certificate: (@Sendable () -> ProviderCertificate?)? = nil) {
        self.environment = environment
        record = Mutex(ProviderConnectionState(findCertificate: certificate))
    }

    /// Whether a credential was accepted on this connection.
    var isAuthenticated: Bool { record.withLock(\.isAuthenticated) }

    /// Judges a request for a device.
    ///
    /// `hasGeneratedID` is the provider has not sent an apns-id, so `id` is generated here.
    func judge(
        _ request: HTTP2Message,
        octets: Span<UInt8>,
        by judge: Judge,
        hasGeneratedID: Bool,
        id: inout APNSID
    ) throws(Judge.Rejection) -> Judge.Accepted {
        // Returned through a local variable, and not through the lock, which would copy it.
        var accepted: Judge.Accepted?
        try record.withLock { (record) throws(Judge.Rejection) in
            if hasGeneratedID { id = record.makeID() }
            accepted = try judge.judge(request, octets, on: &record)
        }
        guard let accepted = accepted.take() else { preconditionFailure("A request that is not rejected is accepted.") }
        return accepted
    }

    func judge<Result>(
        _ body: (inout ProviderConnectionState) throws(Judge.Rejection) -> Result
    ) throws(Judge.Rejection) -> Result {
        try record.withLock { (record) throws(Judge.Rejection) in try body(&record) }
    }
}

/// The state of one provider connection. The first valid token binds it to a team and a kind of key.
package struct ProviderConnectionState: Sendable {
    struct Binding: Sendable {
        var teamID: String
        var keyID: String
        var scope: GatewayKey.Scope
    }

    struct SeenToken: Sendable {
        var token: String
        var keyID: String
        var date: Date
    }

    /// The largest number of new tokens of one key in 20 minutes on one connection, our choice: the one in use and its successor. So
    /// code that signs a token for each push is found out by its third push, whatever the limit over all connections is.
    static let newTokens = 2

    /// Looks up the client certificate; nil afterwards. Called only when a request needs it, because a connection is created
    /// before its handshake has finished.
    private var findCertificate: (@Sendable () -> ProviderCertificate?)?
    private var found: ProviderCertificate?
    /// Whether a credential was accepted on this connection.
    var isAuthenticated = false
    var binding: Binding?
    /// The common part of the last permitted request.
    var permit: Permit?
    private var seen: [SeenToken] = []
    /// The generator of ids, which must differ but need not be secret.
    private var random = SplitMix(seed: .random(in: .min ... .max))

    package init(findCertificate: (@Sendable () -> ProviderCertificate?)? = nil) {
        self.findCertificate = findCertificate
    }

    /// Whether the request has the common part of the last permitted one, and that permit still holds.
    func permits(_ request: HTTP2Message, _ bytes: Span<UInt8>, version: Int, at now: Date) -> Bool {
        permit?.covers(request, bytes, version: version, at: now) ?? false
    }

    /// An apns-id for a push that came without one.
    mutating func makeID() -> APNSID { APNSID(high: random.next(), low: random.next()).version4 }

    /// The client certificate of the handshake.
    mutating func certificate() -> ProviderCertificate? {
        if let findCertificate {
            found = findCertificate()
            self.findCertificate = nil
        }
        return found
    }

    /// Whether a valid token may be used. Those that were admitted before may.
    ///
    /// `isAdmitted` counts a token that is new to this connection over all connections.
    mutating func admit(_ token: String, of keyID: String, at now: Date, _ isAdmitted: () -> Bool) -> Bool {
        if seen.contains(where: { $0.token == token }) { return true }
        seen.removeAll { now.timeIntervalSince($0.date) > Judge.tokenLifetime }
        let recent = seen.count {
            $0.keyID == keyID && !$0.date.isOver(after: ProviderTokenUpdates.interval, at: now)
        }
        guard recent < Self.newTokens, isAdmitted() else { return false }
        seen.append(SeenToken(token: token, keyID: keyID, date: now))
        return true
    }
}

/// The common part of a provider's requests, judged once: credential, topic, push type and priority.
///
/// A provider sends the same few values thousands of times. The permit holds as long as they match octet for octet, and
/// nothing that the judgement depends on has changed.
///
/// A class, so that reading it copies nothing.
final class Permit: Sendable {
    private let names: InlineArray<4, FieldName> = [
        .authorization, .topic, .pushType, .priority,
    ]

    /// The values of ``names``, concatenated.
    private let values: [UInt8]
    /// The range of each value in ``values``; nil for a missing one.
    private let places: InlineArray<4, Range<Int>?>
    /// The version of the credential registry.
    private let version: Int
    /// The date when the provider token expires.
    private let end: Date

    /// The head of a push without a collapse id.
    let head: PushHead
    /// The largest payload in octets.
    let payloadLimit: Int

    init(_ request: HTTP2Message, version: Int, end: Date, head: PushHead, payloadLimit: Int) {
        var values: [UInt8] = []
        let names = names
        places = InlineArray { index in
            request.range(of: names[index]).map { range in
                values += request.octets[range]
                return values.count - range.count..<values.count
            }
        }
        self.values = values
        self.version = version
        self.end = end
        self.head = head
        self.payloadLimit = payloadLimit
    }

    func covers(_ request: HTTP2Message, _ bytes: Span<UInt8>, version: Int, at now: Date) -> Bool {
        guard version == self.version, now < end else { return false }
        let known = values
        let values = known.span
        for index in 0..<4 {
            switch (request.range(of: names[index]), places[index]) {
            case (nil, nil): continue
            case (let range?, let place?):
                guard bytes.extracting(range).isEqual(to: values.extracting(place)) else { return false }
            default: return false
            }
        }
        return true
    }
}
