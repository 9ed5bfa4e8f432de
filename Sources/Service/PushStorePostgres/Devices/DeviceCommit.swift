import PostgresClient
import PushModel
import PushService
import PushStoreSQL
import Synchronization

/// Stores registrations and logins of devices in transactions that they share.
///
/// The last position of the node's log is locked until a commit, so a node commits changes of devices one after the other. Those that
/// come during a transaction form the next one. A failing change does not affect others: then each gets its own transaction.
final class DeviceCommit: Sendable {
    /// A device to change.
    enum Target: Sendable {
        case known(DeviceID)
        /// The device does not exist yet.
        case new(RegisteredDevice)

        var id: DeviceID {
            switch self {
            case .known(let id): id
            case .new(let device): device.id
            }
        }
    }

    private struct Job: Sendable {
        var target: Target
        /// Counts the device; nil for none.
        var note: UseNote?
        var change: @Sendable (inout RegisteredDevice) -> Void
        var caller: CheckedContinuation<RegisteredDevice?, any Error>

        var knownOrdinal: DeviceOrdinal? {
            guard case .known(let id) = target else { return nil }
            return id.ordinal
        }
    }

    /// The maximum number of changes in a transaction, so that the first does not wait too long.
    private static let batch = 512

    private let jobs = Mutex(WaitingJobs<Job>())

    /// Changes a device, if there is one, in a transaction that others share and that `note` is counted in. The change may
    /// be called again after a conflict.
    func change(
        _ target: Target,
        note: UseNote?,
        in store: PostgresStore,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice? {
        try await withCheckedThrowingContinuation { caller in
            let job = Job(target: target, note: note, change: change, caller: caller)
            let starts = jobs.withLock { $0.add(job) }
            // Unstructured, because it also writes for others, who must not wait for the end of this caller's task. It ends when
            // no change waits.
            if starts { Task { await drain(store) } }
        }
    }

    private func drain(_ store: PostgresStore) async {
        while let jobs = jobs.withLock({ $0.next(Self.batch) }) { await commit(jobs, in: store) }
    }

    private func commit(_ jobs: [Job], in store: PostgresStore) async {
        do {
            let devices = try await store.change { try Self.store(jobs, of: store, in: $0.connection) }
            for (job, device) in zip(jobs, devices) { job.caller.resume(returning: device) }
        } catch let error as StoreError {
            for job in jobs { job.caller.resume(throwing: error) }
        } catch {
            guard jobs.count > 1 else { return jobs[0].caller.resume(throwing: error) }
            for job in jobs { await commit([job], in: store) }
        }
    }

    /// - Returns: the device of each job after its change.
    private static func store(
        _ jobs: [Job],
        of store: PostgresStore,
        in connection: PostgresConnection
    ) throws -> [RegisteredDevice?] {
        var results = [RegisteredDevice?](repeating: nil, count: jobs.count)
        let byApp = Dictionary(grouping: jobs.indices) { jobs[$0].target.id.app }.sorted { $0.key < $1.key }
        // All rows are locked before the position of the log, which other transactions of this node lock after rows.
        var devices: [DeviceID: RegisteredDevice] = [:]
        for (app, indices) in byApp {
            let known = Set(indices.compactMap { jobs[$0].knownOrdinal })
            for device in try RegisteredDevice.lock(Array(known), of: app, in: connection) {
                devices[device.id] = device
            }
        }
        for (app, indices) in byApp {
            var changed: Set<DeviceID> = []
            var notes: [UseNote: [DeviceOrdinal]] = [:]
            for index in indices {
                let job = jobs[index]
                if case .new(let device) = job.target { devices[device.id] = device }
                guard var device = devices[job.target.id] else { continue }
                job.change(&device)
                device.version += 1
                devices[device.id] = device
                changed.insert(device.id)
                if let note = job.note { notes[note, default: []].append(device.id.ordinal) }
                results[index] = device
            }
            let written = changed.sorted { $0.ordinal < $1.ordinal }.compactMap { devices[$0] }
            try store.write(written, in: connection)
            // In the same order at all nodes.
            for (note, ordinals) in notes.sorted(by: { $0.key.measures.count < $1.key.measures.count }) {
                try StoreSession(connection).note(note, of: ordinals, app: app)
            }
        }
        return results
    }
}
