import Logging
import NIOCore
import NIOPosix
package import PushClock
package import ServiceLifecycle

extension ServiceManager {
    /// Adds to the services of a server what keeps its manager informed.
    ///
    /// - Parameters:
    ///   - services: the services of the server, in starting order.
    ///   - clock: measures the keep-alive interval.
    /// - Returns: the services to run, in starting order.
    package func informed(of services: [any Service], clock: any CivilClock) -> [any Service] {
        let watchdogs: [any Service] =
            watchdog.map { [WatchdogService(manager: self, limit: $0, clock: clock) { try await Self.passAllLoops() }] }
            ?? []
        // The last service is the first to end, and the first one the last: a long shutdown is alive too.
        return watchdogs + services + [StoppingNotice(manager: self)]
    }

    /// Waits until each event loop has run a task.
    private static func passAllLoops() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
    }
}

/// Sends keep-alive messages at half the interval that the manager expects, as sd_watchdog_enabled(3) advises, for as long as the
/// process works.
struct WatchdogService: Service {
    let manager: ServiceManager
    let limit: Duration
    let clock: any CivilClock
    /// Returns once the process has shown that it works. While it does not return, no message is sent.
    let check: @Sendable () async throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if (try? await check()) != nil { manager.isAlive() }
                // Cancelled means shutdown.
                try? await clock.sleep(for: limit / 2)
            }
        }
    }
}

/// Tells the manager about the beginning of a shutdown.
private struct StoppingNotice: Service {
    let manager: ServiceManager

    func run() async throws {
        // When cancelled, the process ends with an error.
        guard (try? await gracefulShutdown()) != nil else { return }
        manager.isStopping()
    }
}
