package import Logging
package import ServiceLifecycle
import Synchronization
package import UnixSignals

/// Runs services for as long as `body` takes, then shuts them down in reverse order.
///
/// - `signals`: end the services, and with them `body`, which is cancelled.
/// - `body`: what is to be done while they run. It begins when a signal would end them in good order, and not the process
///   at once, so that whoever reads what it prints may send one.
/// - Throws: what `body` throws, or what a service fails with; `CancellationError` when a signal came first: what `body`
///   throws then, it throws because the services end under it.
package func withServices<Result: Sendable>(
    _ services: [any Service],
    signals: [UnixSignal] = [],
    logger: Logger,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let (started, start) = AsyncStream.makeStream(of: Never.self)
    // The last in the list hears of the end before all others.
    let watch = Watch { start.finish() }
    var configuration = ServiceGroupConfiguration(
        services: services + [watch],
        gracefulShutdownSignals: signals,
        logger: logger
    )
    // What has not ended by then is on disk and goes on at the next start.
    configuration.maximumGracefulShutdownDuration = .seconds(10)
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

/// Says that the services run, which is after the group has begun to listen for signals, and knows when they are asked to end.
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
            // Another service has failed, which is what the group throws.
        }
    }
}
