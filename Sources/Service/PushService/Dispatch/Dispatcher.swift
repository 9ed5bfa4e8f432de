import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// The second stretch of the road: hands pushes to APNs until there is nothing left to do.
///
/// Work goes on in lanes, for each app, environment and class one: a lane whose APNs is slow or dead holds up nobody else.
package struct Dispatcher: NamedService {
    let store: any PushStore
    let laneRegistry: LaneRegistry
    let clock: any CivilClock
    let logger: Logger
    let worker: LaneWorker

    private var leases: LeaseTerm { worker.leases }

    /// Works until graceful shutdown; steps that have begun are finished.
    package func run() async throws {
        await releaseLeases()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                if let interval = laneRegistry.signal.lookInterval {
                    group.addTask { await tendLeases(every: interval) }
                }
                var last = Date.distantPast
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    do {
                        last = try await look(since: last, &group)
                    } catch {
                        await rest(after: error)
                    }
                }
            }
        } onGracefulShutdown: {
            laneRegistry.signal.raise()
        }
    }

    /// Forgets the leases of the service before this one; a disk that takes no writes is waited for.
    private func releaseLeases() async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do { return try await store.releaseLeases(of: leases.owner) } catch { await rest(after: error) }
        }
    }

    /// Puts lanes to work, and waits until there may be more to do.
    ///
    /// - Returns: up to when it has looked.
    private func look(since last: Date, _ group: inout DiscardingTaskGroup) async throws -> Date {
        // What is accepted from now on is not in what is read next: it has to wake up.
        laneRegistry.paused(in: [], at: clock.date)
        let now = clock.date
        let waiting = try await store.waiting(for: leases.owner, at: now)
        for one in laneRegistry.assign(waiting, since: last, at: now) {
            let isTrial = one.pausedUntil != nil
            let news = laneRegistry.begin(one.lane, isTrial: isTrial, at: now)
            group.addTask {
                await worker.run(one.lane, isTrial: isTrial, news: news)
                laneRegistry.end(one.lane)
            }
        }
        laneRegistry.paused(in: waiting, at: clock.date)
        await wait(for: waiting, at: now)
        return now
    }

    private func wait(for waiting: [WaitingLane], at now: Date) async {
        // What is due in a lane at work its worker takes up.
        let idle = waiting.filter { !laneRegistry.isBusy($0.lane) }
        var wakeUp = waiting.map(\.startsAt).filter { $0 > now }.min()
        // A person may have mended what something waits for, or a lane's place may come free: while anything waits, look
        // every second.
        if !idle.isEmpty { wakeUp = min(wakeUp ?? .distantFuture, now.addingTimeInterval(1)) }
        if let interval = laneRegistry.signal.lookInterval {
            wakeUp = min(wakeUp ?? .distantFuture, now.addingTimeInterval(interval / .seconds(1)))
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await laneRegistry.signal.wait() }
            if let wakeUp {
                // Cancelled as soon as there is other work: nothing is lost by waking early.
                group.addTask { try? await clock.sleep(until: wakeUp) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Beside other nodes: keeps what this one has leased, and takes over what another has left behind.
    private func tendLeases(every interval: Duration) async {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                let now = clock.date
                try await store.renewLeases(leases.claim(at: now))
                try await store.reclaimLeases(besides: leases.owner, at: now)
                try await cancelWhenGracefulShutdown { try await clock.sleep(for: interval) }
            } catch {
                await rest(after: error)
            }
        }
    }

    private func rest(after error: any Error) async {
        await clock.rest(after: error, "Dispatch failed and goes on in a second", logger)
    }
}
