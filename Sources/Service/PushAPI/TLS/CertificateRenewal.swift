package import DeviceLinkNIO
import Foundation
package import Logging
package import PushClock
import PushService
import ServiceLifecycle

/// Looks every minute whether the API's certificate has been renewed on disk, as certbot and its like do without a word.
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
            // Cancelled means shutdown.
            while (try? await clock.sleep(for: Self.interval)) != nil { look() }
        }
    }

    private func look() {
        do {
            // TLS validates on the system's time, whatever clock the rest reads.
            if try tls.renew(at: Date()) { logger.notice("The certificate of the API was renewed") }
        } catch {
            logger.warning(
                "The new certificate of the API cannot be used; the one before is shown on",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
