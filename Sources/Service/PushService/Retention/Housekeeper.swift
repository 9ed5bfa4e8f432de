package import Foundation
import Logging
import PushClock
import ServiceLifecycle

/// What is to be done whenever an hour begins: count who is online, delete what is over, warn of certificates that end.
///
/// A disk that takes nothing is no reason to end: what was not done is done in the next hour.
package struct Housekeeper: NamedService {
    let online: OnlineNotes
    let retention: Retention
    let certificates: CertificateWatch
    let time: TrustedTime
    let clock: any CivilClock
    let calendar: UseCalendar
    let logger: Logger

    /// Begins with a round, as the service may have been down for long; ends with graceful shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await tidy()
                // Cancelled means shutdown.
                try? await clock.sleep(until: calendar.nextHour(after: clock.date))
            }
        }
    }

    /// One round.
    package func tidy() async {
        await tidy(at: clock.date, deletingAt: time.date)
        await attempt("The time was not written down") { try await time.keep() }
    }

    package func tidy(at now: Date) async { await tidy(at: now, deletingAt: now) }

    /// * `time`: what is over then is deleted.
    private func tidy(at now: Date, deletingAt time: Date) async {
        await attempt("Who is online was not counted") { try await online.bringUpToDate() }
        await attempt("What is over was not deleted") { try await retention.run(at: time) }
        await attempt("Certificates were not looked at") { try await certificates.look(at: now) }
    }

    private func attempt(_ failure: String, _ work: () async throws -> Void) async {
        do { try await work() } catch is CancellationError {} catch {
            logger.error("\(failure); it is tried again in an hour", metadata: ["error": "\(error)"])
        }
    }
}
