import APNSGateway
import DeviceLinkNIO
import Foundation
package import Logging
import NIOPosix
import PushClock
import PushModel
package import PushService
import ServiceLifecycle

/// Receives journey events from a gateway in another process.
///
/// The service stores its position, so a restart neither loses nor repeats events.
package struct GatewayFollowing: NamedService {
    private let follower: GatewayEventsFollower

    /// Follows the gateway at `url`, such as `ws://HOST:PORT/events`, with the `token` that it requires, if any.
    package init(_ url: String, token: String? = nil, core: ServiceCore, logger: Logger) async throws {
        let key = "gatewayCursor \(url)"
        let kept = try await core.store.value(key).flatMap { try? JSONValue(parsing: $0).object }
        var cursor: GatewayEventsFollower.Cursor?
        if let log = kept?["log"]?.string, let number = kept?["number"]?.integer {
            cursor = GatewayEventsFollower.Cursor(log: log, number: number)
        }
        follower = GatewayEventsFollower(
            url: url,
            dialer: WebSocketDialer(
                group: MultiThreadedEventLoopGroup.singleton,
                key: token.map { WebSocketDialer.Key(url: url, token: $0) }
            ),
            clock: core.clock,
            sink: core.journeyLog,
            cursor: cursor,
            save: { cursor in
                let value: JSONValue = ["log": .string(cursor.log), "number": .integer(cursor.number)]
                core.journeyLog.store(value.bytes, for: key)
            },
            missed: { count in
                logger.warning("Journey events of the gateway are lost", metadata: ["events": "\(count)"])
            }
        )
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await follower.run() }
    }
}
