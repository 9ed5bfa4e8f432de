import APNSGateway
import DeviceLinkNIO
import Foundation
package import Logging
import NIOPosix
import PushModel
package import PushService
import ServiceLifecycle

/// Receives journey events from a gateway in another process.
///
/// The service stores its position, so a restart neither loses nor repeats events. Of several nodes one follows the gateway.
package struct GatewayFollowing: NamedService {
    private let url: String
    private let token: String?
    private let core: ServiceCore
    private let leader: LeaderGate
    private let logger: Logger

    /// Follows the gateway at `url`, such as `ws://HOST:PORT/events`, with the `token` that it requires, if any.
    package init(_ url: String, token: String? = nil, core: ServiceCore, logger: Logger) {
        self.url = url
        self.token = token
        self.core = core
        self.logger = logger
        leader = LeaderGate(.gatewayEvents, of: core.node?.membership)
    }

    /// Returns a follower that continues where the last one, perhaps of another node, has stored its position.
    private func follower() async throws -> GatewayEventsFollower {
        let key = "gatewayCursor \(url)"
        let kept = try await core.store.value(key).flatMap { try? JSONValue(parsing: $0) }
        let cursor = try? JSONCoding.read(GatewayEventsFollower.Cursor.self, from: kept)
        return GatewayEventsFollower(
            url: url,
            dialer: WebSocketDialer(
                group: MultiThreadedEventLoopGroup.singleton,
                key: token.map { WebSocketDialer.Key(url: url, token: $0) }
            ),
            clock: core.clock,
            sink: core.journeyLog,
            cursor: cursor,
            save: { [core] cursor in core.journeyLog.store(JSONCoding.json(of: cursor).bytes, for: key) },
            missed: { [logger] count in
                logger.warning("Journey events of the gateway are lost", metadata: ["events": "\(count)"])
            },
            refused: { [logger] in
                logger.warning("The gateway has sent something that is no event; the link to it was closed")
            }
        )
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await leader.whileOpen(core.clock) {
                while !Task.isCancelled {
                    do { return try await follower().run() } catch {
                        logger.error(
                            "The position in the gateway's events was not read; retrying in a second",
                            metadata: ["error": "\(error)"]
                        )
                        // Cancelled means shutdown, or that another node follows the gateway.
                        try? await core.clock.sleep(for: .seconds(1))
                    }
                }
            }
        }
    }
}
