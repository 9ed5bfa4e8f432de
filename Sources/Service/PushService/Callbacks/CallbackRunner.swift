package import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Tells callback addresses what becomes of pushes.
///
/// Events are on disk before the answer of APNs or the report of a device counts as recorded, so a crash loses none and may
/// repeat some. A failed delivery is repeated with growing pauses; all events of the push wait for it, and come together. After
/// ``attempts`` failures the events are given up, which the push's record and the log say.
package struct CallbackRunner: NamedService {
    let store: any CallbackStore
    let registry: Registry
    let sender: any CallbackSender
    let clock: any CivilClock
    let metrics: ServiceMetrics
    let logger: Logger

    /// The number of deliveries after which events are given up, a good two hours after the first.
    package static let attempts = 8
    /// The number of pushes whose addresses are called at a time.
    private static let pushes = 8
    /// The number of events in a request.
    private static let events = 500
    /// The time after which events are delivered again if this process ends during a delivery, in seconds.
    private static let deferral: TimeInterval = 120
    /// A change of the machine's clock does not wake a sleeping task.
    private static let longestSleep: TimeInterval = 3600

    /// Works until graceful shutdown; deliveries under way are finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    let now = clock.date
                    let taken = try await store.takeCallbacks(
                        at: now,
                        pushes: Self.pushes,
                        events: Self.events,
                        deferral: now.addingTimeInterval(Self.deferral)
                    )
                    try await deliver(taken)
                    if taken.isEmpty { await wait(until: try await store.nextCallbackDue()) }
                } catch {
                    await clock.rest(after: error, "Callbacks could not be processed; retrying in a second", logger)
                }
            }
        } onGracefulShutdown: {
            store.callbackSignal.raise()
        }
    }

    private func deliver(_ batches: [CallbackBatch]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for batch in batches { group.addTask { try await deliver(batch) } }
            try await group.waitForAll()
        }
    }

    private func deliver(_ batch: CallbackBatch) async throws {
        do throws(CallbackFailure) {
            guard let app = registry.app(batch.app) else {
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
        let attempts = (batch.events.map(\.attempts).max() ?? 0) + 1
        let isOver = failure.isFinal || attempts >= Self.attempts
        let retry = isOver ? nil : clock.date.addingTimeInterval(Self.pause(after: attempts))
        try await store.failCallbacks(batch, failure.description, retry: retry)
        metrics.calledBack(isOver ? .lost : .retried, batch.count)
        let facts: Logger.Metadata = [
            "push.id": "\(batch.message)", "url": "\(Self.host(of: batch.callback.url))", "events": "\(batch.count)",
            "error": "\(failure)",
        ]
        if isOver {
            logger.warning("A callback was given up: its events are lost", metadata: facts)
        } else {
            logger.notice("A callback failed and will be repeated", metadata: facts)
        }
    }

    /// Returns the pause after a number of failures, in seconds: 10 s, 30 s, 90 s … up to an hour.
    package static func pause(after attempts: Int) -> TimeInterval { min(3600, 10 * pow(3, Double(attempts - 1))) }

    /// Returns scheme and host of a URL: paths and queries may hold secrets.
    private static func host(of url: String) -> String {
        var slashes = 0
        return String(
            url.prefix { character in
                slashes += character == "/" ? 1 : 0
                return slashes < 3 && character != "?"
            }
        )
    }

    private func wait(until due: Date?) async {
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
    }
}
