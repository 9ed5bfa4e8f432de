import APNSTransport
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
