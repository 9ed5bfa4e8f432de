import APNSTransport
import Logging
import Synchronization

/// A client that waits for the log to reach the disk.
protocol MailLogListener: Sendable {
    /// Everything up to this position is on disk. Called once per call of `listen`, from any thread.
    func durable(through position: Int64)
    /// The log could not be written. The data may be on disk later, but nobody may rely on it.
    func failed()
}

/// The durable memory of a gateway: a log with group commit.
///
/// The state under the gateway's lock collects records (``MailLogTail``). The first record after a pause starts a writer on a
/// thread that may block; records that arrive while it writes go into its next frame. So nobody waits longer than for two
/// syncs, and the more records arrive, the less each one costs.
///
/// A log that has grown to several times the size of the state begins a new segment. The whole state is written into it, a few
/// indices at a time between other work; then the older segments are removed.
final class MailLog: Sendable {
    /// State that only the writer uses.
    private struct Writing: ~Copyable {
        var segments: MailSegments
        /// The bytes that are being written, or could not be written the last time.
        var bytes = WireBytes()
        /// The position where ``bytes`` ends.
        var position: Int64 = 0
        /// The size of the newest segment at which a checkpoint begins.
        var limit: Int
        /// The next index in the checkpoint; nil if none is in progress.
        var checkpoint: Int?
        /// Whether the bytes being written complete the checkpoint.
        var isCheckpointWhole = false
    }

    /// The factor by which a segment outgrows a checkpoint.
    private static let growth = 4
    /// The number of indices that a checkpoint writes at once, under the lock.
    private static let step = 256

    private let writing: Mutex<Writing>
    private let durable = Atomic<Int64>(0)
    private let broken = Atomic(false)
    private let listeners = Mutex<[any MailLogListener]>([])
    private let smallestLimit: Int
    private let logger: Logger

    init(_ segments: consuming MailSegments, smallestLimit: Int, logger: Logger) {
        self.smallestLimit = smallestLimit
        self.logger = logger
        // The share of the log that is still needed is not known; the first checkpoint will show it.
        let limit = max(smallestLimit, segments.size + smallestLimit / 2)
        writing = Mutex(Writing(segments: segments, limit: limit))
    }

    /// Whether the last attempt to write failed.
    var isBroken: Bool { broken.load(ordering: .acquiring) }

    func isDurable(_ position: Int64) -> Bool { durable.load(ordering: .acquiring) >= position }

    /// Notifies `listener` as soon as more is on disk, or writing fails; at once if `position` is on disk already.
    func listen(_ listener: any MailLogListener, for position: Int64) {
        // Checked under the lock: the writer publishes its position before it takes the lock of the listeners. So no listener is
        // missed, and none that was notified stays in the list.
        let isSettled = listeners.withLock { listeners in
            if isDurable(position) || isBroken { return true }
            listeners.append(listener)
            return false
        }
        guard isSettled else { return }
        if isDurable(position) {
            listener.durable(through: durable.load(ordering: .acquiring))
        } else {
            listener.failed()
        }
    }

    /// Writes until nothing is left, or writing fails; must be called once for each ``MailLogTail/claim(isBroken:)`` that returns
    /// true, on a thread that may block.
    func write(_ state: borrowing Mutex<GatewayState>) {
        // Only one writer runs at a time, so it never waits for this lock inside the other.
        while let position = state.withLock({ state in writing.withLock { Self.fill(&$0, &state) } }) {
            if let problem = writing.withLock({ self.append(&$0) }) {
                logger.error("The mail log cannot be written", metadata: ["problem": "\(problem)"])
                broken.store(true, ordering: .releasing)
                state.withLock { $0.tail?.release() }
                for listener in takeListeners() { listener.failed() }
                return
            }
            broken.store(false, ordering: .releasing)
            durable.store(position, ordering: .releasing)
            for listener in takeListeners() { listener.durable(through: position) }
        }
    }

    /// Collects the bytes to be written.
    ///
    /// - Returns: the position where they end; nil if there are none.
    private static func fill(_ writing: inout Writing, _ state: inout GatewayState) -> Int64? {
        // Bytes that failed go first.
        guard writing.bytes.isEmpty else { return writing.position }
        if let next = writing.checkpoint {
            let end = min(next + step, state.checkpointCount)
            state.appendCheckpoint(next..<end)
            writing.checkpoint = end
            writing.isCheckpointWhole = end == state.checkpointCount
        }
        guard let position = state.tail?.take(&writing.bytes) else { return nil }
        writing.position = position
        return position
    }

    private func append(_ writing: inout Writing) -> MailSegments.Problem? {
        let bytes = writing.bytes
        do throws(MailSegments.Problem) {
            try bytes.read { span throws(MailSegments.Problem) in try writing.segments.append(span) }
        } catch { return error }
        writing.bytes.removeAll()
        renew(&writing)
        return nil
    }

    /// Begins a new segment when it is due, and removes the older ones once the checkpoint is complete.
    private func renew(_ writing: inout Writing) {
        do throws(MailSegments.Problem) {
            if writing.checkpoint != nil {
                guard writing.isCheckpointWhole else { return }
                writing.checkpoint = nil
                writing.isCheckpointWhole = false
                writing.limit = max(smallestLimit, Self.growth * writing.segments.size)
                try writing.segments.removeOlder()
            } else if writing.segments.size > writing.limit {
                writing.limit = writing.segments.size + smallestLimit
                try writing.segments.beginNext()
                writing.checkpoint = 0
            }
        } catch {
            // Nothing is lost; the log is only longer than necessary.
            logger.warning("The mail log cannot be shortened", metadata: ["problem": "\(error)"])
        }
    }

    private func takeListeners() -> [any MailLogListener] {
        listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
    }
}

/// The part of a mail log that is not on disk yet; a part of the state that it describes.
///
/// Positions count octets from the start of the process.
struct MailLogTail: Sendable {
    /// Records that wait for the next frame.
    private(set) var bytes = WireBytes()
    /// The position where the next record will end.
    private(set) var position: Int64 = 0
    /// Whether a writer is active; it looks for more records before it ends.
    private(set) var isBeingWritten = false

    /// Adds a record.
    mutating func append(_ record: MailRecord) { append { record.write(to: &$0) } }

    mutating func append(_ body: (inout WireBytes) -> Void) {
        let before = bytes.count
        body(&bytes)
        position += Int64(bytes.count - before)
    }

    /// `isBroken` is the last attempt to write failed, so there is something to write in any case.
    /// - Returns: true if the caller has to ensure that the log is written.
    mutating func claim(isBroken: Bool) -> Bool {
        guard !isBeingWritten, isBroken || !bytes.isEmpty else { return false }
        isBeingWritten = true
        return true
    }

    /// Exchanges the waiting records for an empty buffer. If there are none, the writer is finished.
    ///
    /// - Returns: the position where the records end; nil if there are none.
    mutating func take(_ written: inout WireBytes) -> Int64? {
        guard !bytes.isEmpty else {
            isBeingWritten = false
            return nil
        }
        swap(&bytes, &written)
        return position
    }

    /// Marks the writer as stopped.
    mutating func release() { isBeingWritten = false }
}
