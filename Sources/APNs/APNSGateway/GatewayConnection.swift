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

    func judge(_ judge: Judge, _ request: HTTP2Message, _ bytes: [UInt8]) throws(Judge.Rejection) -> Judge.Accepted {
        try record.withLock { (record) throws(Judge.Rejection) in try judge.judge(request, bytes.span, on: &record) }
    }

    func judge<Result>(
        _ body: (inout ConnectionRecord) throws(Judge.Rejection) -> Result
    ) throws(Judge.Rejection) -> Result {
        try record.withLock { (record) throws(Judge.Rejection) in try body(&record) }
    }
}
