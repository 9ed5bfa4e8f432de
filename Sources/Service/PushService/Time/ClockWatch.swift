import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// Looks every minute whether the machine's clock was set, says so, and mends what would wait too long.
package struct ClockWatch: NamedService {
    private static let interval = Duration.seconds(60)

    let time: TrustedTime
    let store: any PushStore
    let clock: any CivilClock
    /// Of those who wait for a date: they look at the clock again after each look.
    let signals: [any WorkSignal]
    let logger: Logger

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await look()
                // Cancelled means shutdown.
                try? await clock.sleep(for: Self.interval)
            }
        }
    }

    /// One look.
    package func look() async {
        defer { for signal in signals { signal.raise() } }
        guard let finding = time.look() else { return }
        let facts: Logger.Metadata = [
            "clock.date": "\(clock.date.formatted(.iso8601))", "clock.believed": "\(time.date.formatted(.iso8601))",
        ]
        switch finding {
        case .ahead(let seconds):
            logger.warning(
                """
                The machine's clock has jumped ahead and is not believed: nothing is deleted by it, and schedules and times to \
                live go on by the time that passes. Set the clock right; if it is right, start the service with --trust-clock
                """,
                metadata: facts.merging(["seconds": "\(Int(seconds))"]) { $1 }
            )
        case .back(let seconds):
            logger.warning(
                "The machine's clock was set back; what waits for a time waits for it by the new clock",
                metadata: facts.merging(["seconds": "\(Int(seconds))"]) { $1 }
            )
            await bringForward(by: seconds)
        case .returned: logger.notice("The machine's clock is believed again: it was set back", metadata: facts)
        case .believed:
            logger.notice("The machine's clock is believed: it has stayed ahead for seven days", metadata: facts)
        }
    }

    /// Again and again while the disk is full, for example: what waits would else wait until the clock has caught up.
    private func bringForward(by seconds: TimeInterval) async {
        while !Task.isCancelled {
            do { return try await store.bringForward(by: seconds, at: clock.date) } catch {
                await clock.rest(after: error, "What waits for a time could not be brought forward", logger)
            }
        }
    }
}
