import Foundation
import Logging
import PushClock
import ServiceLifecycle

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
                do {
                    try await work()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    // A full disk, for example: what was leased is still there, and is tried again.
                    logger.error("Dispatch failed and goes on in a second", metadata: ["error": "\(error)"])
                    try await clock.sleep(for: .seconds(1))
                    try await store.releaseLeases()
                }
            }
        } onGracefulShutdown: {
            signal.raise()
        }
    }

    private func work() async throws {
        if let (message, chunk) = try await store.lease(at: clock.date) {
            try await delivery.deliver(chunk, of: message)
        } else {
            try await waitForWork()
        }
    }

    private func waitForWork() async throws {
        let due = try await store.nextDue()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.wait() }
            if let due {
                // Another process may have mended what something waits for: while anything waits, look every second.
                let wakeUp = min(due, clock.date.addingTimeInterval(1))
                // Cancelled as soon as there is other work: nothing is lost by waking early.
                group.addTask { try? await clock.sleep(until: wakeUp) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
