import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// The second stretch of the road: leases chunks and hands their pushes to APNs until there is nothing left to do.
///
/// Work goes on in lanes, one for each app and environment: a lane whose APNs is slow or dead holds up nobody else. Small chunks
/// of a lane go together, up to a step's number of devices.
package struct Dispatcher: Service {
    /// Lanes that work at one time.
    private static let lanes = 16

    let store: any PushStore
    let board: LaneBoard
    let clock: any CivilClock
    let logger: Logger
    let delivery: ChunkDelivery

    /// Works until graceful shutdown; steps that have begun are finished.
    package func run() async throws {
        try await store.releaseLeases()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    do {
                        if let lease = try await next(besides: board.busy) {
                            board.begin(lease.lane)
                            group.addTask {
                                await deliver(lease)
                                board.end(lease.lane)
                            }
                        } else {
                            try await waitForWork(besides: board.busy)
                        }
                    } catch {
                        await rest(after: error)
                    }
                }
            }
        } onGracefulShutdown: {
            board.signal.raise()
        }
    }

    private func next(besides busy: Set<Lane>) async throws -> Lease? {
        guard busy.count < Self.lanes else { return nil }
        return try await store.lease(at: clock.date, besides: busy, devices: ChunkDelivery.stepSize)
    }

    /// Side by side: their checkpoints share commits.
    private func deliver(_ lease: Lease) async {
        let progress = LeaseProgress(lease)
        await withDiscardingTaskGroup { group in
            for item in lease.items {
                group.addTask { await deliver(item.chunk, of: item.message, progress) }
            }
        }
    }

    /// Delivers a chunk; when that fails, gives its lease back so that it is tried again.
    private func deliver(_ chunk: Chunk, of message: Message, _ progress: LeaseProgress) async {
        do {
            try await delivery.deliver(chunk, of: message, progress)
        } catch {
            await rest(after: error)
            while !Task.isCancelled {
                do { return try await store.release(chunk.id) } catch { await rest(after: error) }
            }
        }
    }

    /// A full disk, for example: what was leased is still there.
    private func rest(after error: any Error) async {
        guard !(error is CancellationError) else { return }
        logger.error("Dispatch failed and goes on in a second", metadata: ["error": "\(error)"])
        // Cancelled means shutdown: nothing to wait for.
        try? await clock.sleep(for: .seconds(1))
    }

    private func waitForWork(besides busy: Set<Lane>) async throws {
        // What is accepted from now on is not in what is read next: it has to wake up.
        board.paused(in: [], at: clock.date)
        // With all lanes busy only the end of one of them brings work.
        let waiting = busy.count < Self.lanes ? try await store.waiting(besides: busy) : []
        let due = waiting.map(\.startsAt).min()
        board.paused(in: waiting, at: clock.date)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await board.signal.wait() }
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
