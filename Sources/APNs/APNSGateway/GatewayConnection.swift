package import PushModel
import Synchronization

/// A provider's connection as the gateway's core knows it; one for each TLS connection, or one for an in-process sender.
package final class GatewayConnection: Sendable {
    package let environment: APNSEnvironment
    private let record = Mutex(ConnectionRecord())

    package init(environment: APNSEnvironment) { self.environment = environment }

    func withRecord<Result: Sendable>(_ body: (inout ConnectionRecord) -> Result) -> Result {
        record.withLock { body(&$0) }
    }
}
