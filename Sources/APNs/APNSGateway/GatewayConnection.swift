import APNSTransport
package import PushModel
import Synchronization

/// A provider's connection as the gateway's core knows it; one for each TLS connection, or one for an in-process sender.
package final class GatewayConnection: Sendable {
    package let environment: APNSEnvironment
    private let record: Mutex<ConnectionRecord>

    /// * `certificate`: looks for the client certificate; called once at most, when a request needs it.
    package init(
        environment: APNSEnvironment,
        certificate: (@Sendable () -> ProviderCertificate?)? = nil
    ) {
        self.environment = environment
        record = Mutex(ConnectionRecord(findCertificate: certificate))
    }

    /// Whether a credential has been good on it.
    var isAuthenticated: Bool { record.withLock(\.isAuthenticated) }

    /// Judges a request for a device.
    ///
    /// - `isFirst`: the provider has not said what the push is called, so `id` is made here.
    func judge(
        _ judge: Judge,
        _ request: HTTP2Message,
        _ bytes: Span<UInt8>,
        isFirst: Bool,
        _ id: inout PushID
    ) throws(Judge.Rejection) -> Judge.Accepted {
        // Handed out in its own place, and not through the lock, which would copy it.
        var accepted: Judge.Accepted?
        try record.withLock { (record) throws(Judge.Rejection) in
            if isFirst { id = record.makeID() }
            accepted = try judge.judge(request, bytes, on: &record)
        }
        guard let accepted = accepted.take() else { preconditionFailure("What is not rejected is accepted.") }
        return accepted
    }

    func judge<Result>(
        _ body: (inout ConnectionRecord) throws(Judge.Rejection) -> Result
    ) throws(Judge.Rejection) -> Result {
        try record.withLock { (record) throws(Judge.Rejection) in try body(&record) }
    }
}
