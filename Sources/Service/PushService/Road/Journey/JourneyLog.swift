import Logging
import PushClock
package import PushModel
import ServiceLifecycle
import Synchronization

/// Stores the reports of the gateway and of devices on the service's own pushes.
///
/// Reports are written in batches. Reports with an apns-id that the service did not create belong to another sender and are
/// ignored.
package final class JourneyLog: JourneySink, Service {
    private let store: any JourneyStore & CustomMessageStore & KeyValueStore
    private let apnsIDs: APNSIDCodec
    /// Nil without a tracing backend.
    let spans: JourneySpans?
    let clock: any CivilClock
    let logger: Logger
    let metrics: ServiceMetrics
    /// Woken by the reports that are stored here, and by what others store.
    let watch = JourneyWatch()

    struct Waiting {
        var reports: [JourneyEntry] = []
        /// The number of reports that are being written.
        var reportsInWriting = 0
        var acknowledgements = Acknowledgements()
        /// The acknowledgements that are being written.
        var writing = Acknowledgements()
        /// Whether acknowledgements were dropped since the last successful write.
        var dropsAcknowledgements = false
        /// Values to store after the pending reports, by key.
        var values: [String: [UInt8]] = [:]
    }

    let waiting = Mutex(Waiting())
    /// Held while a batch is written.
    private let writing = AsyncMutex()
    let signal = LocalWorkSignal()
    /// Raised when the first acknowledgement is pending.
    let acknowledged = LocalWorkSignal()
    /// The limit on reports held in memory; further reports are dropped and logged.
    private static let capacity = 200_000

    init(
        store: any JourneyStore & CustomMessageStore & KeyValueStore,
        keys: ServiceKeys,
        spans: JourneySpans?,
        clock: any CivilClock,
        metrics: ServiceMetrics,
        logger: Logger
    ) {
        self.store = store
        apnsIDs = APNSIDCodec(keys)
        self.spans = spans
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
    }

    package func record(_ event: JourneyEvent, of subject: JourneySubject) {
        guard case .push(let apnsID) = subject, let (message, ordinal) = apnsIDs.identity(of: apnsID) else { return }
        let isKept = waiting.withLock { waiting in
            guard waiting.reports.count < Self.capacity else { return false }
            waiting.reports.append(JourneyEntry(message: message, ordinal: ordinal, event: event))
            metrics.waiting(waiting)
            return true
        }
        if isKept {
            signal.raise()
        } else {
            logger.warning(
                "A journey report was dropped: too many are waiting to be written",
                metadata: ["apns.id": "\(apnsID)"]
            )
        }
    }

    /// Stores a value under a key after all earlier reports, for example how far a feed of reports was read.
    package func store(_ value: [UInt8], for key: String) {
        waiting.withLock { $0.values[key] = value }
        signal.raise()
    }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.gatherAcknowledgements() }
            await writeReports()
            group.cancelAll()
        }
        do { try await flush() } catch {
            logger.error("Journey reports were lost: they could not be written", metadata: ["error": "\(error)"])
        }
    }

    /// Writes reports until graceful shutdown.
    private func writeReports() async {
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                await signal.wait()
                do { try await flush() } catch {
                    // At shutdown, `run` tries once more.
                    await clock.rest(after: error, "Journey reports could not be written; retrying in a second", logger)
                    signal.raise()
                }
            }
        } onGracefulShutdown: {
            self.signal.raise()
        }
    }

    /// Returns when all earlier reports are on disk.
    ///
    /// A caller that flushes during another flush finds its reports on disk afterwards.
    package func flush() async throws { try await writing.withLock { try await writeBatch() } }

    private func writeBatch() async throws {
        let batch = waiting.withLock { waiting in
            defer {
                waiting.writing = waiting.acknowledgements
                waiting.reportsInWriting = waiting.reports.count
                waiting.reports = []
                waiting.acknowledgements = Acknowledgements()
                waiting.values = [:]
            }
            return (reports: waiting.reports, acknowledgements: waiting.acknowledgements, values: waiting.values)
        }
        do {
            if !batch.reports.isEmpty {
                try await store.record(batch.reports)
                watch.changed(batch.reports.lazy.map(\.message))
            }
            if !batch.acknowledgements.isEmpty { try await store.record(batch.acknowledgements, at: clock.date) }
            for (key, value) in batch.values { try await store.setValue(value, for: key) }
            waiting.withLock { waiting in
                waiting.writing = Acknowledgements()
                waiting.reportsInWriting = 0
                waiting.dropsAcknowledgements = false
                metrics.waiting(waiting)
            }
            metrics.delivered(batch.acknowledgements)
            await spans?.add(batch.reports.lazy.map(JourneySpans.Report.init))
            await spans?.add(reports(of: batch.acknowledgements))
        } catch {
            // Kept for the next attempt, ahead of newer entries. Writing a report twice stores it once.
            waiting.withLock { waiting in
                waiting.reports.insert(contentsOf: batch.reports, at: 0)
                waiting.acknowledgements.add(batch.acknowledgements)
                waiting.writing = Acknowledgements()
                waiting.reportsInWriting = 0
                waiting.values.merge(batch.values) { newer, _ in newer }
                metrics.waiting(waiting)
            }
            throw error
        }
    }
}
