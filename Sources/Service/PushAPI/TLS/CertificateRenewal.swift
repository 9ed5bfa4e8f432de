import Foundation
package import Logging
package import NetworkSupport
package import PushClock
import PushService
import ServiceLifecycle

/// Checks every minute whether the API's certificate was renewed on disk, for example by certbot.
package struct CertificateRenewal: NamedService {
    let tls: ServerTLS
    let clock: any CivilClock
    let logger: Logger

    package init(tls: ServerTLS, clock: any CivilClock, logger: Logger) {
        self.tls = tls
        self.clock = clock
        self.logger = logger
    }

    private static let interval = Duration.seconds(60)

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            // Cancellation means shutdown.
            while (try? await clock.sleep(for: Self.interval)) != nil { look() }
        }
    }

    private func look() {
        do {
            // TLS validates against the system time, regardless of the service's clock.
            if try tls.renew(at: Date()) { logger.notice("The certificate of the API was renewed") }
        } catch {
            logger.warning(
                "The new certificate of the API cannot be used; the previous one stays in use",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
