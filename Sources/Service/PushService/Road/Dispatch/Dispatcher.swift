import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// Hands pushes to APNs, the second stage of the pipeline.
///
/// There is one lane for each app, environment and class, so a lane whose APNs is slow or down does not delay others.
package struct Dispatcher: NamedService {
    let store: any DispatchStore
    let laneRegistry: LaneRegistry
    let clock: any CivilClock
    let logger: Logger
    let worker: LaneWorker

    private var leases: LeaseTerm { worker.leases }
    private var metrics: ServiceMetrics { worker.metrics }

    /// Works until graceful shutdown; steps that have begun are finished.
    package func run() async throws {
        await releaseLeases()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                if leases.needsTending, let interval = laneRegistry.signal.lookInterval {
                    group.addTask { await tendLeases(every: interval) }
                }
                var last = Date.distantPast
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    do {
                        last = try await startLanes(since: last, &group)
                    } catch {
                        await clock.restDispatch(after: error, logger)
                    }
                }
            }
        } onGracefulShutdown: {
            laneRegistry.signal.raise()
        }
    }

    /// Releases the leases of the previous run of the service; waits for a disk that accepts no writes.
    private func releaseLeases() async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do { return try await store.releaseLeases(of: leases.owner) } catch {
                await clock.restDispatch(after: error, logger)
            }
        }
    }

    /// Starts lanes and waits until there may be more to do.
    ///
    /// - Returns: the date up to which due work was considered.
    private func startLanes(since last: Date, _ group: inout DiscardingTaskGroup) async throws -> Date {
        // The next read may miss pushes accepted from now on, so they have to wake the dispatcher.
        laneRegistry.setPaused([], at: clock.date)
        let now = clock.date
        guard leases.mayWork else {
            // Without a lease, or while the node hands over its work: looks again in a second.
            await wait(for: [], at: now)
            return last
        }
        let waiting = try await store.waiting(for: leases.owner, at: now)
        for one in laneRegistry.assign(waiting, since: last, at: now) {
            let isTrial = one.pausedUntil != nil
            let wakeUp = laneRegistry.begin(one.lane, isTrial: isTrial, at: now)
            group.addTask {
                let hasWorked = await worker.run(one.lane, isTrial: isTrial, wakeUp: wakeUp)
                laneRegistry.end(one.lane, rests: one.isShared && !hasWorked, at: clock.date)
            }
        }
        laneRegistry.setPaused(waiting, at: clock.date)
        if metrics.isOn { measure(waiting, at: now) }
        await wait(for: waiting, at: now)
        return now
    }

    private func measure(_ waiting: [WaitingLane], at now: Date) {
        let paused = waiting.count { $0.pausedUntil.map { $0 > now } == true }
        let due = waiting.count { $0.startsAt <= now && !laneRegistry.isBusy($0.lane) }
        // Pauses have a gauge of their own, and a long one says nothing of the dispatcher.
        let oldest = waiting.lazy.filter { $0.pausedUntil == nil }.map(\.dueAt).min()
        let lag = oldest.map { max(now.timeIntervalSince($0), 0) } ?? 0
        metrics.lanes(working: laneRegistry.count, waiting: due, paused: paused, lag: lag)
    }

    private func wait(for waiting: [WaitingLane], at now: Date) async {
        // The worker of a busy lane takes up what falls due in it.
        let idle = waiting.filter { !laneRegistry.isBusy($0.lane) }
        var wakesAt = waiting.map(\.startsAt).filter { $0 > now }.min()
        // A lane without outcomes gives up its slot after a second, and a trial may have ended the pause of another lane; no
        // signal reports either. Changes of credentials do raise it: see `CredentialChangeNotifier`.
        if idle.contains(where: { $0.startsAt <= now }) {
            wakesAt = min(wakesAt ?? .distantFuture, now.addingTimeInterval(1))
        }
        if let interval = laneRegistry.signal.lookInterval {
            wakesAt = min(wakesAt ?? .distantFuture, now.addingTimeInterval(interval / .seconds(1)))
        }
        await clock.wait(for: laneRegistry.signal, until: wakesAt)
    }

    /// Renews the leases of this node and reclaims expired leases of others. Needed only with several nodes.
    private func tendLeases(every interval: Duration) async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                let now = clock.date
                try await store.renewLeases(leases.claim(at: now))
                try await store.reclaimLeases(besides: leases.owner, at: now)
                try await cancelWhenGracefulShutdown { try await clock.sleep(for: interval) }
            } catch {
                await clock.restDispatch(after: error, logger)
            }
        }
    }
}
