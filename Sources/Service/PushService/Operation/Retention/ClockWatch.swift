import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// Checks every minute whether the machine's clock was changed, logs it, and adjusts due times that would be too late.
package struct ClockWatch: NamedService {
    private static let interval = Duration.seconds(60)

    let trustedTime: TrustedTime
    let store: any DueTimeStore
    let clock: any CivilClock
    /// The signals of workers that wait for a date and look at the clock again after each check.
    let signals: [any WorkSignal]
    /// Open on the node that adjusts the due times of all.
    let leader: LeaderGate
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

    /// Runs one check.
    package func look() async {
        defer { for signal in signals { signal.raise() } }
        guard let finding = trustedTime.look() else { return }
        let facts: Logger.Metadata = [
            "clock.date": "\(clock.date.formatted(.iso8601))",
            "clock.believed": "\(trustedTime.date.formatted(.iso8601))",
        ]
        switch finding {
        case .ahead(let seconds):
            logger.warning(
                """
                The machine's clock has jumped ahead and is not trusted: nothing is deleted by it, and schedules and times to live \
                continue by elapsed time. Correct the clock; if it is right, start the service with --trust-clock
                """,
                metadata: facts.merging(["seconds": "\(Int(seconds))"]) { $1 }
            )
        case .back(let seconds):
            logger.warning(
                "The machine's clock was set back; due times now follow the new clock",
                metadata: facts.merging(["seconds": "\(Int(seconds))"]) { $1 }
            )
            if leader.isOpen { await bringForward(by: seconds) }
        case .returned: logger.notice("The machine's clock is trusted again: it was set back", metadata: facts)
        case .believed:
            logger.notice("The machine's clock is trusted: it has stayed ahead for seven days", metadata: facts)
        }
    }

    /// Retries, for example while the disk is full: otherwise waiting work would wait until the clock has caught up.
    private func bringForward(by seconds: TimeInterval) async {
        while !Task.isCancelled {
            do { return try await store.bringForward(by: seconds, at: clock.date) } catch {
                await clock.rest(after: error, "Due times could not be adjusted; retrying in a second", logger)
            }
        }
    }
}
