package import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Tells callback addresses what becomes of pushes.
///
/// Events are on disk before the answer of APNs or the report of a device counts as recorded, so a crash loses none and may
/// repeat some. Each app has receivers of its own, the servers of its addresses. Receivers take turns, and those of one app have a share
/// of the places, so neither a slow one nor an app with thousands of them holds up another app. A receiver that takes nothing is paused,
/// longer each time: all events for it wait, and count the failure. When the pause ends, one delivery finds out whether it is back.
/// If it takes some pushes and refuses others, these alone wait. After ``attempts`` failures events are given up, which the push's
/// record and the log say.
package struct CallbackRunner: NamedService {
    let store: any CallbackStore
    let registry: Registry
    let sender: any CallbackSender
    let clock: any CivilClock
    let metrics: ServiceMetrics
    let settings: Adjustable<ServiceSettings>
    /// The time between two looks at the store; nil for a service that is alone, which hears of all events.
    let lookInterval: Duration?
    let logger: Logger

    /// The number of failed deliveries after which events are given up, a good two hours after the first.
    package static let attempts = 8
    /// The number of receivers that are served at a time.
    package static let receivers = 16
    /// The number of these that one app may have.
    package static let receiversOfApp = 4
    /// The number of requests to one receiver at a time.
    package static let share = 4
    /// The number of rows that are delivered before their outcomes are stored.
    private static let rows = 256
    /// The number of rows that one transaction counts or gives up.
    private static let step = 500
    /// The number of events in a request.
    private static let events = 500
    /// The time after which no further request of a lot begins, so that outcomes are stored soon, in seconds.
    private static let lotTime: TimeInterval = 3
    /// The time after which events are delivered again if this process ends during a delivery, in seconds.
    private static let lease: TimeInterval = 120
    /// The shortest time between two warnings about an app's lost events, in seconds.
    private static let warningPause: TimeInterval = 60
    /// A change of the machine's clock does not wake a sleeping task.
    private static let longestSleep: TimeInterval = 3600

    /// The end of a task of the runner.
    private enum Turn {
        case ended(CallbackLot)
        case waited
    }

    /// Works until graceful shutdown; deliveries under way are finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Turn.self) { group in
                var limits = CallbackLimits(
                    receivers: Self.receivers,
                    ofApp: Self.receiversOfApp,
                    rows: Self.rows,
                    events: Self.events
                )
                var losses = Losses()
                var isWaiting = false
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    do {
                        let limit = settings.value.waitingCallbacks
                        let count = try await store.countCallbacks(at: clock.date, limit: limit, rows: Self.step)
                        try await report(count, &losses)
                        for lot in try await take(limits) {
                            limits.begin(lot)
                            group.addTask { await attempt(lot) }
                        }
                        // The wait ends at once.
                        if count.hasMore { store.callbackSignal.raise() }
                        if !isWaiting {
                            let due =
                                limits.receivers == 0 ? nil : try await store.nextCallbackDue(besides: limits.full)
                            group.addTask { await wait(until: due) }
                            isWaiting = true
                        }
                    } catch {
                        await clock.rest(after: error, "Callbacks could not be processed; retrying in a second", logger)
                        continue
                    }
                    switch await group.next() {
                    case .ended(let lot)?:
                        limits.end(lot)
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
    private func take(_ limits: CallbackLimits) async throws -> [CallbackLot] {
        guard limits.receivers > 0 else { return [] }
        let now = clock.date
        return try await store.takeCallbacks(at: now, limits, until: now.addingTimeInterval(Self.lease))
    }

    private func attempt(_ lot: CallbackLot) async -> Turn {
        do {
            let outcome = try await deliver(lot)
            // The outcome in a cancelled task says nothing about the address.
            if !Task.isCancelled { try await store(outcome, of: lot) }
        } catch {
            await clock.rest(after: error, "An outcome of callbacks could not be stored; they are repeated", logger)
        }
        return .ended(lot)
    }

    private func deliver(_ lot: CallbackLot) async throws -> CallbackOutcome {
        var outcome = CallbackOutcome()
        guard let app = try await registry.apps([lot.app]).first else {
            outcome.refused = lot.batches.map { ($0, "The app was deleted.") }
            return outcome
        }
        let end = clock.date.addingTimeInterval(Self.lotTime)
        return await withTaskGroup(of: (CallbackBatch, CallbackFailure?).self) { group in
            var rest = lot.batches[...]
            func begin() {
                guard outcome.failed.isEmpty, !Task.isShuttingDownGracefully, clock.date < end,
                    let batch = rest.popFirst()
                else { return }
                group.addTask { (batch, await post(batch, of: app)) }
            }
            for _ in 0..<Self.share { begin() }
            while let (batch, failure) = await group.next() {
                switch failure {
                case nil: outcome.delivered.append(batch)
                case let failure? where failure.isFinal: outcome.refused.append((batch, failure.description))
                case let failure?: outcome.failed.append(.init(batch, failure.description, retry: end))
                }
                begin()
            }
            return outcome
        }
    }

    private func post(_ batch: CallbackBatch, of app: App) async -> CallbackFailure? {
        let request = CallbackRequest(batch, of: app, at: clock.date) { registry.name(of: $0) }
        do throws(CallbackFailure) {
            try await sender.post(request.body, fields: request.fields, to: batch.callback.url)
        } catch { return error }
        return nil
    }

    private func store(_ outcome: CallbackOutcome, of lot: CallbackLot) async throws {
        var outcome = outcome
        let now = clock.date
        let isDown = outcome.isDown
        for place in outcome.failed.indices {
            let earlier = isDown ? lot.failures : outcome.failed[place].batch.events.map(\.attempts).max() ?? 0
            outcome.failed[place].retry = now.addingTimeInterval(Self.pause(after: earlier + 1))
        }
        var givenUp = try await store.endCallbacks(lot, outcome, at: now, limit: Self.attempts)
        if isDown {
            while let more = try await store.giveUpCallbacks(of: lot.receiver, limit: Self.attempts, rows: Self.step) {
                givenUp += more
            }
        }
        let lost = givenUp + outcome.refused.reduce(0) { $0 + $1.batch.count }
        metrics.calledBack(.delivered, outcome.delivered.reduce(0) { $0 + $1.count })
        metrics.calledBack(.lost, lost)
        metrics.calledBack(.retried, max(0, outcome.failed.reduce(0) { $0 + $1.batch.count } - givenUp))
        let problems = outcome.refused + outcome.failed.map { ($0.batch, $0.problem) }
        guard let (batch, problem) = problems.first else { return }
        let facts: Logger.Metadata = [
            "push.id": "\(batch.message)", "url": "\(PushCallback.receiver(of: batch.callback.url))",
            "events": "\(problems.reduce(0) { $0 + $1.batch.count })", "error": "\(problem)",
        ]
        if lost > 0 {
            logger.warning("Callbacks were given up: \(lost) events are lost", metadata: facts)
        } else {
            logger.notice("A callback failed and will be repeated", metadata: facts)
        }
    }

    /// The events that are lost because too many of their app wait, and the apps that the log has warned of lately.
    private struct Losses {
        var counts: [App.ID: Int] = [:]
        var warnedAt: [App.ID: Date] = [:]
    }

    private func report(_ count: CallbackCount, _ losses: inout Losses) async throws {
        let now = clock.date
        for (id, lost) in count.lost {
            metrics.calledBack(.lost, lost)
            losses.counts[id, default: 0] += lost
            if let last = losses.warnedAt[id], !last.isOver(after: Self.warningPause, at: now) { continue }
            losses.warnedAt[id] = now
            let app = try await registry.apps([id]).first
            logger.warning(
                "Too many callback events of an app wait: \(losses.counts.removeValue(forKey: id) ?? lost) are lost",
                metadata: ["app": "\(app?.key.text ?? "\(id)")", "limit": "\(settings.value.waitingCallbacks)"]
            )
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
        let latest = clock.date.addingTimeInterval(Self.longestSleep)
        await clock.wait(for: store.callbackSignal, until: due.map { min($0, latest) })
        return .waited
    }
}
