package import DeviceLink
import Logging
import ServiceLifecycle

/// The service's end of all SDK links.
///
/// A link without traffic costs no task: frames wait in their session, and sessions with frames wait here for `run`.
package final class SDKLinkServer: LinkAcceptor, Service {
    private let controller: SDKLinkController
    private let router: MessageRouter
    private let sessions: AsyncStream<SDKLinkSession>
    private let busy: AsyncStream<SDKLinkSession>.Continuation
    private let loginTimeout: LoginTimeout
    private let metrics: ServiceMetrics
    private let logger: Logger

    init(_ controller: SDKLinkController, rules: LinkRules, metrics: ServiceMetrics) {
        self.controller = controller
        self.metrics = metrics
        router = controller.router
        logger = controller.logger
        loginTimeout = LoginTimeout(clock: controller.clock, turn: rules.login)
        // Bounded by the number of links: a session is queued at most once.
        (sessions, busy) = AsyncStream.makeStream()
    }

    package func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let session = SDKLinkSession(connection: connection)
        loginTimeout.add(session)
        metrics.linkOpened()
        return { [busy, controller, metrics, logger] event in
            switch event {
            case .opened: break
            case .received(let text):
                if controller.takesAcknowledgement(text, on: session) {
                    if session.wakeToCatchUp() { busy.yield(session) }
                    return
                }
                switch session.add(text) {
                case .wasIdle: busy.yield(session)
                case .waits: break
                case .isFull:
                    logger.warning("An SDK link was closed: too many of its frames are unanswered")
                    connection.close()
                }
            case .closed:
                metrics.linkClosed()
                if session.end() { busy.yield(session) }
            }
        }
    }

    /// Answers frames and hands out custom messages until graceful shutdown.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { [router] in await router.run() }
            group.addTask { [loginTimeout] in await cancelWhenGracefulShutdown { await loginTimeout.run() } }
            await answer()
        }
        await controller.endAll()
    }

    /// The number of sessions served at a time. When all links reconnect at once, most wait here rather than for the disk, where
    /// pushes would wait behind all of them with each of their steps.
    private static let atOnce = 32

    private func answer() async {
        await withTaskGroup(of: Void.self) { group in
            var busy = 0
            for await session in sessions.cancelOnGracefulShutdown() {
                if busy == Self.atOnce { await group.next() } else { busy += 1 }
                group.addTask { [controller] in
                    while let step = session.next() {
                        switch step {
                        case .frame(let text): await controller.answer(text, on: session)
                        case .catchUp(let device, let gap): await controller.catchUp(device, on: session, from: gap)
                        case .closed(let device): await controller.leave(device, session)
                        }
                    }
                }
            }
        }
    }
}
