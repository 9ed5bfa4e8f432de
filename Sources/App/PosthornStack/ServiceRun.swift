package import Logging
package import PushDevice
package import ServiceLifecycle
import Synchronization
package import UnixSignals

/// The time in which services have to end by themselves. Unfinished work is on disk and continues at the next start.
package let gracefulShutdownLimit = Duration.seconds(10)

/// Runs services for as long as `body` takes, then shuts them down in reverse order.
///
/// `signals` is the signals that end the services and cancel `body`. `limit` is the time in which the services have to
/// end by themselves. `body` is the work to do while they run. It starts once signals shut the services down
/// gracefully, so that a reader of its output may send one.
/// - Throws: the error of `body` or of a service. After a signal, `CancellationError`, because errors of `body` are then only
///   consequences of the shutdown.
package func withServices<Result: Sendable>(
    _ services: [any Service],
    signals: [UnixSignal] = [],
    limit: Duration = gracefulShutdownLimit,
    logger: Logger,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let (started, start) = AsyncStream.makeStream(of: Never.self)
    // The last service in the list is shut down first.
    let watch = Watch { start.finish() }
    var configuration = ServiceGroupConfiguration(
        services: services + [watch],
        gracefulShutdownSignals: signals,
        logger: logger
    )
    configuration.maximumGracefulShutdownDuration = limit
    let serviceGroup = ServiceGroup(configuration: configuration)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask {
            try await serviceGroup.run()
            return nil
        }
        group.addTask {
            do {
                for await _ in started {}
                try Task.checkCancellation()
                let result = try await body()
                await serviceGroup.triggerGracefulShutdown()
                return result
            } catch {
                if watch.isEnding.load(ordering: .acquiring) { throw CancellationError() }
                await serviceGroup.triggerGracefulShutdown()
                throw error
            }
        }
        var result: Result?
        while let ended = try await group.next() {
            result = result ?? ended
            if result == nil { group.cancelAll() }
        }
        guard let result else { throw CancellationError() }
        return result
    }
}

/// Reports that the services run, which is after the group listens for signals, and knows when shutdown was requested.
private final class Watch: Service {
    let isEnding = Atomic(false)
    private let start: @Sendable () -> Void

    init(start: @escaping @Sendable () -> Void) { self.start = start }

    func run() async throws {
        start()
        do {
            try await gracefulShutdown()
            isEnding.store(true, ordering: .releasing)
        } catch is CancellationError {
            // Another service has failed, and the group throws its error.
        }
    }
}

/// Waits until the task is cancelled, and then throws `CancellationError`.
package func untilCancelled() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}

/// Runs the phones of a fleet until shutdown.
package struct FleetService: Service {
    private let fleet: PhoneFleet

    package init(_ fleet: PhoneFleet) { self.fleet = fleet }

    package func run() async { await cancelWhenGracefulShutdown { await fleet.run() } }
}

/// Switches a phone off on shutdown.
package struct PhoneService: Service {
    private let device: PushDevice.Device

    package init(_ device: PushDevice.Device) { self.device = device }

    package func run() async throws {
        defer { device.shutdown() }
        do { try await gracefulShutdown() } catch is CancellationError {
            // Cancelled before a graceful shutdown: there is nothing more to do in either case.
        }
    }
}
