import APNSTransport
import Logging
import Synchronization

/// Who waits for something to be on disk.
protocol MailLogListener: Sendable {
    /// Everything up to this position is on disk. Called once for each time that it listens, from any thread.
    func kept(through position: Int64)
    /// What it waits for could not be written. It may be on disk later, but nobody may count on it.
    func failed()
}

/// The durable memory of a gateway: a log whose syncs many share.
///
/// The state under the gateway's lock collects records (``MailLogTail``). The first one after a pause starts a writer on a
/// thread that may block; what comes in while it writes goes into its next frame. So nobody waits longer than for two syncs,
/// and the more come, the less each one costs.
///
/// A log that has grown to several times what it has to say begins a new segment. The whole state is written into it, a few
/// places at a time between all that goes on; then the older segments are removed.
final class MailLog: Sendable {
    /// What the writer alone uses.
    private struct Writing: ~Copyable {
        var segments: MailSegments
        /// What is being written, or could not be written the last time.
        var bytes = WireBytes()
        /// Where ``bytes`` ends.
        var position: Int64 = 0
        /// The size of the newest segment at which a checkpoint begins.
        var limit: Int
        /// The place that is next in the checkpoint; nil if none is being made.
        var checkpoint: Int?
        /// What is being written ends it.
        var isCheckpointWhole = false
    }

    /// Octets below which a segment is not left for a new one.
    static let smallestLimit = 64 << 20
    /// How many times larger than a checkpoint a segment grows.
    private static let growth = 4
    /// Places that a checkpoint takes at once, under the lock.
    private static let step = 256

    private let writing: Mutex<Writing>
    private let durable = Atomic<Int64>(0)
    private let broken = Atomic(false)
    private let listeners = Mutex<[any MailLogListener]>([])
    private let smallestLimit: Int
    private let logger: Logger

    init(_ segments: consuming MailSegments, smallestLimit: Int = MailLog.smallestLimit, logger: Logger) {
        self.smallestLimit = smallestLimit
        self.logger = logger
        // How much of what was found is still needed is not known; the first checkpoint will tell.
        let limit = max(smallestLimit, segments.size + smallestLimit / 2)
        writing = Mutex(Writing(segments: segments, limit: limit))
    }

    /// The last try to write has failed.
    var isBroken: Bool { broken.load(ordering: .acquiring) }

    func isDurable(_ position: Int64) -> Bool { durable.load(ordering: .acquiring) >= position }

    /// Tells `listener` as soon as more is on disk, or fails; at once if `position` is there already.
    func listen(_ listener: any MailLogListener, for position: Int64) {
        // Asked under the lock: the writer says how far it is before it takes the lock for those who listen. So nobody is left
        // behind, and nobody who was told stays in the list.
        let isSettled = listeners.withLock { listeners in
            if isDurable(position) || isBroken { return true }
            listeners.append(listener)
            return false
        }
        guard isSettled else { return }
        if isDurable(position) {
            listener.kept(through: durable.load(ordering: .acquiring))
        } else {
            listener.failed()
        }
    }

    /// Writes until nothing is left, or it fails; to be called once for each ``MailLogTail/claim(isBroken:)`` that says so, on
    /// a thread that may block.
    func write(_ state: borrowing Mutex<GatewayState>) {
        // There is one writer at a time, so that it never waits for this lock inside the other.
        while let position = state.withLock({ state in writing.withLock { Self.fill(&$0, &state) } }) {
            if let problem = writing.withLock({ self.append(&$0) }) {
                logger.error("Mail cannot be kept", metadata: ["problem": "\(problem)"])
                broken.store(true, ordering: .releasing)
                state.withLock { $0.tail?.release() }
                for listener in takeListeners() { listener.failed() }
                return
            }
            broken.store(false, ordering: .releasing)
            durable.store(position, ordering: .releasing)
            for listener in takeListeners() { listener.kept(through: position) }
        }
    }

    /// Collects what is to be written.
    ///
    /// - Returns: where it ends; nil if there is nothing.
    private static func fill(_ writing: inout Writing, _ state: inout GatewayState) -> Int64? {
        // What failed goes first.
        guard writing.bytes.isEmpty else { return writing.position }
        if let next = writing.checkpoint {
            let end = min(next + step, state.records.count)
            state.appendCheckpoint(next..<end)
            writing.checkpoint = end
            writing.isCheckpointWhole = end == state.records.count
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

    /// Begins a new segment when it is time for one, and removes the older ones when it says all that they said.
    private func renew(_ writing: inout Writing) {
        do throws(MailSegments.Problem) {
            if writing.checkpoint != nil {
                guard writing.isCheckpointWhole else { return }
                (writing.checkpoint, writing.isCheckpointWhole) = (nil, false)
                writing.limit = max(smallestLimit, Self.growth * writing.segments.size)
                try writing.segments.removeOlder()
            } else if writing.segments.size > writing.limit {
                writing.limit = writing.segments.size + smallestLimit
                try writing.segments.beginNext()
                writing.checkpoint = 0
            }
        } catch {
            // Nothing is lost, but that the log is longer than it need be.
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
