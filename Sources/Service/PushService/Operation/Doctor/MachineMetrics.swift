import Metrics

/// The metrics of a service's machine, reported through swift-metrics.
///
/// * `push.store.bytes`: the size of the database in bytes.
/// * `push.disk.free.bytes`: the free space on the disk of the data folder in bytes.
struct MachineMetrics: Sendable {
    private let database = Gauge(label: "push.store.bytes")
    private let free = Gauge(label: "push.disk.free.bytes")

    func measured(databaseBytes: Int64?, freeBytes: Int64?) {
        if let databaseBytes { database.record(databaseBytes) }
        if let freeBytes { free.record(freeBytes) }
    }
}
