import Foundation
package import Logging
package import NetworkSupport
package import PushClock
import PushService
import ServiceLifecycle

/// Checks every ten seconds whether the API's certificate was renewed on disk, for example by certbot.
package struct CertificateRenewal: NamedService {
    let tls: ServerTLS
    let clock: any CivilClock
    let logger: Logger

    package init(tls: ServerTLS, clock: any CivilClock, logger: Logger) {
        self.tls = tls
        self.clock = clock
        self.logger = logger
    }

    private static let interval = Duration.seconds(10)

    /// The problems with files that have changed.
    private struct Problems {
        /// The problem that the last check has found.
        var found: ServerIdentity.Problem?
        /// The problem that is in the log.
        var logged: ServerIdentity.Problem?
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var problems = Problems()
            // Cancellation means shutdown.
            while (try? await clock.sleep(for: Self.interval)) != nil { check(&problems) }
        }
    }

    private func check(_ problems: inout Problems) {
        do throws(ServerIdentity.Problem) {
            // TLS validates against the system time, regardless of the service's clock.
            if try tls.renew(at: Date()) { logger.notice("The certificate of the API was renewed") }
            problems = Problems()
        } catch {
            // The two files are written one after the other: a pair that does not match may do so at the next check.
            if error == problems.found, error != problems.logged {
                logger.warning(
                    "The new certificate of the API cannot be used; the previous one stays in use",
                    metadata: ["error": "\(error)"]
                )
                problems.logged = error
            }
            problems.found = error
        }
    }
}
