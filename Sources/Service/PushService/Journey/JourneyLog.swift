package import Logging
package import PushClock
package import PushModel
import ServiceLifecycle
import Synchronization

/// Keeps what gateway and devices report of the service's own pushes.
///
/// Reports are written in batches. An apns-id that the service did not make belongs to another sender and is passed over.
package final class JourneyLog: JourneySink, Service {
    private let store: any PushStore
    private let apnsIDs: APNsIDCodec
    let clock: any CivilClock
    let logger: Logger
    struct Waiting {
        var reports: [JourneyException] = []
        var acknowledgements = Acknowledgements()
        /// Those that are being written just now.
        var writing = Acknowledgements()
        /// Some were dropped since the disk took what there was.
        var dropsAcknowledgements = false
        /// Small things to be kept once the reports before them are.
        var notes: [String: [UInt8]] = [:]
        /// Somebody writes; whoever else wants to waits here.
        var isWriting = false
        var writers: [CheckedContinuation<Void, Never>] = []
    }

    let waiting = Mutex(Waiting())
    let signal = LocalWorkSignal()
    /// Acknowledgements have come where there were none.
    let acknowledged = LocalWorkSignal()
    /// Reports held in memory at most; a report beyond is dropped and said so.
    private static let capacity = 200_000

    package init(store: any PushStore, keys: ServiceKeys, clock: any CivilClock, logger: Logger) {
        self.store = store
        apnsIDs = APNsIDCodec(keys)
        self.clock = clock
        self.logger = logger
    }

    package func record(_ event: JourneyEvent, of subject: JourneySubject) {
        guard case .push(let apnsID) = subject, let (message, ordinal) = apnsIDs.identity(of: apnsID) else { return }
        let isKept = waiting.withLock { waiting in
            guard waiting.reports.count < Self.capacity else { return false }
            waiting.reports.append(JourneyException(message: message, ordinal: ordinal, event: event))
            return true
        }
        if isKept {
            signal.raise()
        } else {
            logger.warning(
                "A journey report was dropped: too many wait for the disk",
                metadata: ["apns.id": "\(apnsID)"]
            )
        }
    }

    /// Keeps a small thing under its key, after all that was reported before: how far a feed of reports was read.
    package func note(_ value: [UInt8], for key: String) {
        waiting.withLock { $0.notes[key] = value }
        signal.raise()
    }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.gatherAcknowledgements() }
            await writeReports()
            group.cancelAll()
        }
        do { try await flush() } catch {
            logger.error("Journey reports are lost: the disk does not take them", metadata: ["error": "\(error)"])
        }
    }

    /// Until graceful shutdown.
    private func writeReports() async {
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                await signal.wait()
                do { try await flush() } catch {
                    logger.error("Journey reports wait for the disk", metadata: ["error": "\(error)"])
                    // Cancelled means shutdown, which tries once more below.
                    try? await clock.sleep(for: .seconds(1))
                    signal.raise()
                }
            }
        } onGracefulShutdown: {
            self.signal.raise()
        }
    }

    /// Returns when all that was reported before is on disk.
    package func flush() async throws {
        await beginWriting()
        defer { endWriting() }
        let batch = waiting.withLock { waiting in
            defer {
                waiting.writing = waiting.acknowledgements
                (waiting.reports, waiting.acknowledgements, waiting.notes) = ([], Acknowledgements(), [:])
            }
            return (reports: waiting.reports, said: waiting.acknowledgements, notes: waiting.notes)
        }
        do {
            if !batch.reports.isEmpty { try await store.record(batch.reports) }
            if !batch.said.isEmpty { try await store.keep(batch.said, at: clock.date) }
            for (key, value) in batch.notes { try await store.setValue(value, for: key) }
            waiting.withLock { waiting in
                waiting.writing = Acknowledgements()
                waiting.dropsAcknowledgements = false
            }
        } catch {
            // Kept for the next attempt, before what came meanwhile; a report that is written twice is kept once.
            waiting.withLock { waiting in
                waiting.reports.insert(contentsOf: batch.reports, at: 0)
                waiting.acknowledgements.add(batch.said)
                waiting.writing = Acknowledgements()
                waiting.notes.merge(batch.notes) { newer, _ in newer }
            }
            throw error
        }
    }

    /// One batch at a time: who asks for a flush while another is under way finds its reports on disk afterwards.
    private func beginWriting() async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting.isWriting else {
                    waiting.isWriting = true
                    return true
                }
                waiting.writers.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func endWriting() {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard !waiting.writers.isEmpty else {
                waiting.isWriting = false
                return nil
            }
            return waiting.writers.removeFirst()
        }
        next?.resume()
    }
}
