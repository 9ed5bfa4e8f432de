import Logging
import PushClock
import ServiceLifecycle

import Foundation

/// The second stretch of the road: leases chunks and hands their pushes to APNs until there is nothing left to do.
package struct Dispatcher: Service {
    let store: any PushStore
    let registry: Registry
    let signal: any WorkSignal
    let clock: any CivilClock
    let logger: Logger
    let delivery: ChunkDelivery

    /// Works until graceful shutdown; a step that has begun is finished.
    package func run() async throws {
        try await store.releaseLeases()
        try await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                if let (message, chunk) = try await store.lease(at: clock.date) {
                    try await delivery.deliver(chunk, of: message)
                } else {
                    try await waitForWork()
                }
            }
        } onGracefulShutdown: {
            signal.raise()
        }
    }

    private func waitForWork() async throws {
        let due = try await store.nextDue()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.wait() }
            if let due {
                // Another process may have mended what something waits for: while anything waits, look every second.
                let wait = Duration.seconds(min(1, max(0, due.timeIntervalSince(clock.date))))
                // Cancelled as soon as there is other work: nothing is lost by waking early.
                group.addTask { try? await clock.sleep(for: wait) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
