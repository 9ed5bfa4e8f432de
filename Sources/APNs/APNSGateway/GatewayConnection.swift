import APNSTransport
package import PushModel
import Synchronization

/// A provider's connection as the gateway's core knows it; one for each TLS connection, or one for an in-process sender.
package final class GatewayConnection: Sendable {
    package let environment: APNSEnvironment
    private let record = Mutex(ConnectionRecord())

    package init(environment: APNSEnvironment) { self.environment = environment }

    func judge(_ judge: Judge, _ request: borrowing HTTP2Message) throws(Judge.Rejection) -> Judge.Accepted {
        try record.withLock { (record) throws(Judge.Rejection) in try judge.judge(request, on: &record) }
    }
}
