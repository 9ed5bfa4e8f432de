import PushClock
import ServiceLifecycle

/// Measures the size of the database and the free space on its disk, at the start and every minute.
package struct MachineWatch: NamedService {
    private static let interval = Duration.seconds(60)

    let machine: any MachineInspector
    let metrics: MachineMetrics
    let clock: any CivilClock

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await measure()
                // Cancelled means shutdown.
                try? await clock.sleep(for: Self.interval)
            }
        }
    }

    /// Measures once. What cannot be measured keeps its last value.
    func measure() async {
        let databaseBytes = await machine.storeInspector?.bytes()
        metrics.measured(databaseBytes: databaseBytes, freeBytes: machine.freeBytes)
    }
}
