package import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Tells callback addresses what becomes of pushes.
///
/// Events are on disk before the answer of APNs or the report of a device counts as recorded, so a crash loses none and may
/// repeat some. After a failed delivery its receiver, the server of the address, is paused, longer each time: all events for it wait,
/// and count the attempt. When the pause ends, one delivery finds out whether it is back. After ``attempts`` failures the events are
/// given up, which the push's record and the log say. Receivers take turns, and one that is slow holds up no other.
package struct CallbackRunner: NamedService {
    let store: any CallbackStore
    let registry: Registry
    let sender: any CallbackSender
    let clock: any CivilClock
    let metrics: ServiceMetrics
    /// The time between two looks at the store; nil for a service that is alone, which hears of all events.
    let lookInterval: Duration?
    let logger: Logger

    /// The number of deliveries after which events are given up, a good two hours after the first.
    package static let attempts = 8
    /// The number of pushes whose addresses are called at a time.
    package static let pushes = 8
    /// The number of these that one receiver may have.
    package static let share = 4
    /// The number of events in a request.
    private static let events = 500
    /// The time after which events are delivered again if this process ends during a delivery, in seconds.
    private static let deferral: TimeInterval = 120
    /// A change of the machine's clock does not wake a sleeping task.
    private static let longestSleep: TimeInterval = 3600

    /// The end of a task of the runner.
    private enum Turn {
        case delivered(CallbackBatch)
        case waited
    }

    /// Works until graceful shutdown; deliveries under way are finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Turn.self) { group in
                var limits = CallbackLimits(pushes: Self.pushes, events: Self.events, share: Self.share)
                var isWaiting = false
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    do {
                        for batch in try await take(limits) {
                            limits.underWay[batch.receiver, default: []].append(batch.failures)
                            limits.pushes -= 1
                            group.addTask { await attempt(batch) }
                        }
                        if !isWaiting {
                            let due = limits.pushes == 0 ? nil : try await store.nextCallbackDue(besides: limits.busy)
                            group.addTask { await wait(until: due) }
                            isWaiting = true
                        }
                    } catch {
                        await clock.rest(after: error, "Callbacks could not be processed; retrying in a second", logger)
                        continue
                    }
                    switch await group.next() {
                    case .delivered(let batch)?:
                        limits.end(batch)
                        // The wait under way knows neither the free place nor what is due now.
                        store.callbackSignal.raise()
                    case .waited?: isWaiting = false
                    case nil: break
                    }
                }
            }
        } onGracefulShutdown: {
            store.callbackSignal.raise()
        }
    }

    /// Takes what is due, as far as there are places.
    private func take(_ limits: CallbackLimits) async throws -> [CallbackBatch] {
        let now = clock.date
        return try await store.takeCallbacks(at: now, limits, deferral: now.addingTimeInterval(Self.deferral))
    }

    private func attempt(_ batch: CallbackBatch) async -> Turn {
        do {
            try await deliver(batch)
        } catch {
            await clock.rest(after: error, "An outcome of callbacks could not be stored; they are repeated", logger)
        }
        return .delivered(batch)
    }

    private func deliver(_ batch: CallbackBatch) async throws {
        let app = try await registry.apps([batch.app]).first
        do throws(CallbackFailure) {
            guard let app else {
                throw CallbackFailure("The app was deleted.", isFinal: true)
            }
            let request = CallbackRequest(batch, of: app, at: clock.date) { registry.name(of: $0) }
            try await sender.post(request.body, fields: request.fields, to: batch.callback.url)
        } catch {
            // The outcome in a cancelled task says nothing about the address.
            guard !Task.isCancelled else { return }
            return try await fail(batch, error)
        }
        try await store.finishCallbacks(batch)
        metrics.calledBack(.delivered, batch.count)
    }

    private func fail(_ batch: CallbackBatch, _ failure: CallbackFailure) async throws {
        let now = clock.date
        let facts: Logger.Metadata = [
            "push.id": "\(batch.message)", "url": "\(PushCallback.receiver(of: batch.callback.url))",
            "events": "\(batch.count)", "error": "\(failure)",
        ]
        var lost = batch.count
        if failure.isFinal {
            try await store.dropCallbacks(batch, failure.description)
        } else {
            lost = try await store.failCallbacks(
                batch,
                failure.description,
                at: now,
                retry: now.addingTimeInterval(Self.pause(after: batch.failures + 1)),
                limit: Self.attempts
            )
        }
        if lost > 0 {
            metrics.calledBack(.lost, lost)
            logger.warning("Callbacks were given up: \(lost) events are lost", metadata: facts)
        } else {
            metrics.calledBack(.retried, batch.count)
            logger.notice("A callback failed and will be repeated", metadata: facts)
        }
    }

    /// Returns the pause after a number of failures, in seconds: 10 s, 30 s, 90 s … up to an hour.
    package static func pause(after attempts: Int) -> TimeInterval { min(3600, 10 * pow(3, Double(attempts - 1))) }

    private func wait(until due: Date?) async -> Turn {
        var due = due
        if let lookInterval {
            // A node that has ended may have left events behind.
            let look = clock.date.addingTimeInterval(lookInterval / .seconds(1))
            due = min(due ?? look, look)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await store.callbackSignal.wait() }
            if let due {
                let now = clock.date
                let rest = min(max(0, due.timeIntervalSince(now)), Self.longestSleep)
                // Cancelled as soon as there are new events; waking early is harmless.
                group.addTask { try? await clock.sleep(until: now.addingTimeInterval(rest)) }
            }
            await group.next()
            group.cancelAll()
        }
        return .waited
    }
}
