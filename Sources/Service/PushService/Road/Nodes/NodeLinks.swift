import DeviceLink
import Logging
import PushClock
import Synchronization

/// A link as the newest one of its device.
private struct NewestLink: Hashable, Sendable {
    let session: SDKLinkSession

    static func == (left: NewestLink, right: NewestLink) -> Bool { left.session === right.session }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(session)) }
}

/// Records the links of this node in the store, so that each device's messages go to its newest link, on whichever node.
///
/// Logins that come while others are being written share the next transaction.
package final class NodeLinks: Sendable {
    private struct State {
        var presence = LinkPresence<NewestLink>()
        /// Links whose numbers are to be requested.
        var entering: [DeviceID: NewestLink] = [:]
        /// Links of an earlier membership, by number, to take over.
        var keeping: [DeviceID: Int64] = [:]
        /// Closed links to remove from the store, by number.
        var leaving: [DeviceID: Int64] = [:]
        /// Called with a device and a link that must no longer receive its messages.
        var moved: @Sendable (DeviceID, SDKLinkSession) -> Void = { _, _ in }
    }

    private let store: any PresenceStore
    private let membership: NodeMembership
    private let logger: Logger
    private let state = Mutex(State())
    /// Held while entries are written.
    private let writing = AsyncMutex()
    private let signal = LocalWorkSignal()

    /// The maximum number of links written together.
    private static let batch = 1000

    init(store: any PresenceStore, membership: NodeMembership, logger: Logger) {
        self.store = store
        self.membership = membership
        self.logger = logger
    }

    /// Sets the receiver of links that are no longer their device's newest.
    func onMove(_ moved: @escaping @Sendable (DeviceID, SDKLinkSession) -> Void) { state.withLock { $0.moved = moved } }

    /// Records a link in the store. When this returns true, messages committed from now on are read by this node.
    ///
    /// - Returns: false if the device has a newer link, or was deleted.
    /// - Throws: the error of the store.
    func enter(_ device: DeviceID, _ session: SDKLinkSession) async throws -> Bool {
        let link = NewestLink(session: session)
        state.withLock { state in
            state.presence.open(link, of: device)
            state.entering[device] = link
        }
        do {
            while state.withLock({ $0.entering[device] == link }) {
                try await writing.withLock { try await writeBatch() }
            }
        } catch {
            state.withLock { if $0.entering[device] == link { $0.entering[device] = nil } }
            throw error
        }
        return state.withLock { $0.presence.isNewest(link, of: device) }
    }

    /// Records the end of a link. Does not wait.
    func leave(_ device: DeviceID, _ session: SDKLinkSession) {
        let link = NewestLink(session: session)
        let number = state.withLock { state -> Int64? in
            if state.entering[device] == link { state.entering[device] = nil }
            guard let number = state.presence.close(link, of: device) else { return nil }
            state.leaving[device] = number
            return number
        }
        if number != nil { signal.raise() }
    }

    /// Handles a device's newer link at another node.
    func moved(_ device: DeviceID, number: Int64) {
        let (link, notify) = state.withLock { ($0.presence.moved(device, number: number), $0.moved) }
        if let link { notify(device, link.session) }
    }

    /// The number of devices with a link to this node.
    var count: Int { state.withLock(\.presence.count) }

    /// Closes up to `limit` links; their devices connect again, elsewhere.
    func close(_ limit: Int) {
        for link in state.withLock({ $0.presence.some(limit) }) { link.session.connection.close() }
    }

    /// Records all links again, under a new membership. Those of devices that have moved meanwhile get no more messages.
    func rejoin() {
        state.withLock { $0.keeping = $0.presence.numbers }
        signal.raise()
    }

    /// Writes again what could not be written. Does not wait.
    func look() { signal.raise() }

    /// Writes what nobody waits for, until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await signal.wait()
            await flush()
        }
    }

    /// Writes all pending entries, as far as the store takes them.
    func flush() async {
        do {
            while state.withLock({ !$0.entering.isEmpty || !$0.keeping.isEmpty || !$0.leaving.isEmpty }),
                !Task.isCancelled
            {
                try await writing.withLock {
                    try await writeBatch()
                    try await writeKept()
                    try await writeEnds()
                }
            }
        } catch {
            // The heartbeat repeats it. Until then the store names this node for devices without a link, which costs nothing.
            logger.debug("Links were not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func writeBatch() async throws {
        let batch = state.withLock { Dictionary(uniqueKeysWithValues: $0.entering.prefix(Self.batch).map { ($0, $1) }) }
        guard !batch.isEmpty else { return }
        // After a failure each of the waiting logins tries again for itself.
        finish(batch, with: try await store.enter(Array(batch.keys), at: membership.claim))
    }

    private func finish(_ batch: [DeviceID: NewestLink], with numbers: [DeviceID: Int64]) {
        let (outdated, notify) = state.withLock { state in
            var outdated: [(DeviceID, SDKLinkSession)] = []
            for (device, link) in batch {
                if state.entering[device] == link { state.entering[device] = nil }
                let isNewest = numbers[device].map { state.presence.number(link, of: device, as: $0) } ?? false
                guard !isNewest else { continue }
                outdated.append((device, link.session))
                // It may have closed meanwhile. The store ignores this if the device has a newer link.
                if let number = numbers[device] { state.leaving[device] = number }
            }
            return (outdated, state.moved)
        }
        for (device, session) in outdated { notify(device, session) }
    }

    private func writeKept() async throws {
        let batch = state.withLock { Dictionary(uniqueKeysWithValues: $0.keeping.prefix(Self.batch).map { ($0, $1) }) }
        guard !batch.isEmpty else { return }
        let kept = try await store.keep(batch, at: membership.claim)
        let (outdated, notify) = state.withLock { state in
            var outdated: [(DeviceID, SDKLinkSession)] = []
            for (device, number) in batch {
                if state.keeping[device] == number { state.keeping[device] = nil }
                guard !kept.contains(device), let link = state.presence.lose(device, number: number) else { continue }
                outdated.append((device, link.session))
            }
            return (outdated, state.moved)
        }
        for (device, session) in outdated { notify(device, session) }
    }

    private func writeEnds() async throws {
        let ended = state.withLock { state in
            defer { state.leaving = [:] }
            return state.leaving
        }
        guard !ended.isEmpty else { return }
        do { try await store.leave(ended, at: membership.claim) } catch {
            state.withLock { $0.leaving.merge(ended) { newer, _ in newer } }
            throw error
        }
    }
}
