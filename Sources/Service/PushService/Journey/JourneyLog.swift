package import Logging
package import PushModel
import ServiceLifecycle
import Synchronization

/// Keeps what gateway and devices report of the service's own pushes.
///
/// Reports are written in batches. An apns-id that the service did not make belongs to another sender and is passed over.
package final class JourneyLog: JourneySink, Service {
    private let store: any PushStore
    private let apnsIDs: APNsIDCodec
    private let logger: Logger
    private let waiting = Mutex<[JourneyException]>([])
    private let signal = LocalWorkSignal()
    /// Reports held in memory at most; a report beyond is dropped and said so.
    private static let capacity = 200_000

    package init(store: any PushStore, keys: ServiceKeys, logger: Logger) {
        self.store = store
        apnsIDs = APNsIDCodec(keys)
        self.logger = logger
    }

    package func record(_ event: JourneyEvent, of subject: JourneySubject) {
        guard case .push(let apnsID) = subject, let (message, ordinal) = apnsIDs.identity(of: apnsID) else { return }
        let isKept = waiting.withLock { waiting in
            guard waiting.count < Self.capacity else { return false }
            waiting.append(JourneyException(message: message, ordinal: ordinal, event: event))
            return true
        }
        if isKept {
            signal.raise()
        } else {
            logger.warning("A journey report was dropped: too many wait for the disk", metadata: ["apns.id": "\(apnsID)"])
        }
    }

    package func run() async throws {
        try await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                await signal.wait()
                try await flush()
            }
        } onGracefulShutdown: {
            self.signal.raise()
        }
        try await flush()
    }

    /// Returns when all that was reported before is on disk.
    package func flush() async throws {
        let batch = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        if batch.isEmpty { try await store.barrier() } else { try await store.record(batch) }
    }
}
