package import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// The hourly tasks: counting online devices, deleting expired data, warning of expiring certificates.
///
/// A disk that accepts no writes does not stop it: unfinished tasks are repeated in the next hour.
package struct Housekeeper: NamedService {
    let online: OnlineNotes
    let retention: Retention
    let certificates: CertificateWatch
    /// Open on the node that deletes and warns for all.
    let leader: LeaderGate
    let trustedTime: TrustedTime
    let clock: any CivilClock
    let calendar: UseCalendar
    let logger: Logger

    /// Runs until graceful shutdown, beginning with a round, as the service may have been down for long.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await tidy()
                // Cancelled means shutdown.
                try? await clock.sleep(until: calendar.nextHour(after: clock.date))
            }
        }
    }

    /// Runs one round.
    package func tidy() async {
        await tidy(at: clock.date, deletingAt: trustedTime.date)
        await attempt("The trusted time was not stored") { try await trustedTime.save() }
    }

    /// Runs one round, which deletes data that has expired by `time`.
    package func tidy(at now: Date, deletingAt time: Date) async {
        await attempt("Online devices were not counted") { try await online.bringUpToDate() }
        guard leader.isOpen else { return }
        await attempt("Expired data was not deleted") { try await retention.run(at: time) }
        await attempt("Certificates were not checked") { try await certificates.look(at: now) }
    }

    private func attempt(_ failure: String, _ work: () async throws -> Void) async {
        do { try await work() } catch is CancellationError {} catch {
            logger.error("\(failure); retrying in an hour", metadata: ["error": "\(error)"])
        }
    }
}
