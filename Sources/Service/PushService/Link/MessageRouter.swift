import DeviceLink
import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// Hands custom messages to the links of the devices that they are for, in the order of their positions.
///
/// Reads the log from where it was at start: whoever logs in later finds what waits by itself (``enter(_:_:keptThrough:)``).
package final class MessageRouter: Sendable {
    private struct State {
        /// The link of each device that takes its messages: the newest one.
        var sessions: [App.ID: [DeviceOrdinal: SDKLinkSession]] = [:]
        /// Messages that were read lately, by position: many devices ask for the same ones.
        var prepared: [Int64: PreparedMessage] = [:]
    }

    private let store: any PushStore
    private let registry: Registry
    private let log: JourneyLog
    private let clock: any CivilClock
    private let rules: LinkRules
    private let logger: Logger
    private let signal = LocalWorkSignal()
    private let start: Int64
    private let state = Mutex(State())

    /// Messages that one read of the log brings: as many as a word has bits.
    private static let batch = 64
    /// Messages of which the text is kept.
    private static let preparedLimit = 256

    init(
        store: any PushStore,
        registry: Registry,
        log: JourneyLog,
        clock: any CivilClock,
        rules: LinkRules,
        logger: Logger
    ) async throws {
        self.store = store
        self.registry = registry
        self.log = log
        self.clock = clock
        self.rules = rules
        self.logger = logger
        // A service that was restored from a backup must not give positions again that devices have seen since then: they drop
        // what lies there. So at each start they go on at the time, in microseconds; no service accepts as many in a second.
        try await store.leaveOutPositions(through: Int64(clock.date.timeIntervalSince1970 * 1_000_000))
        start = try await store.lastCustomMessage()
    }

    /// A custom message was accepted: it lies in the store already.
    func accepted() { signal.raise() }

    /// Follows the log until graceful shutdown.
    func run() async {
        var position = start
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    guard try await handOut(after: &position) else {
                        await signal.wait()
                        continue
                    }
                } catch {
                    logger.error("Custom messages wait for the disk", metadata: ["error": "\(error)"])
                    // Cancelled means shutdown; devices find what waits at their next login.
                    try? await clock.sleep(for: .seconds(1))
                }
            }
        } onGracefulShutdown: {
            self.signal.raise()
        }
    }

    /// - Returns: whether there was anything.
    private func handOut(after position: inout Int64) async throws -> Bool {
        var apps = linkedApps
        var records: [CustomMessageRecord]
        repeat {
            records = try await store.customMessages(after: position, limit: Self.batch, audiencesOf: apps)
            // A device that came in during the read may have looked at what waits before these were there. Who comes in from
            // now on finds them.
            let missing = linkedApps.subtracting(apps).intersection(records.map(\.app))
            if missing.isEmpty { break }
            apps.formUnion(missing)
        } while true
        guard let last = records.last else { return false }
        var reached: [SDKLinkSession] = []
        for (app, records) in Dictionary(grouping: records, by: \.app) { reached += handOut(records, of: app) }
        position = last.position
        // What comes while these are being written leaves together, in one write a link. It would have to wait for them anyway.
        for session in reached { await session.written() }
        return true
    }

    private var linkedApps: Set<App.ID> { state.withLock { Set($0.sessions.keys) } }

    /// All messages for a link together, so that they leave in one write; links that get the same ones share what is written.
    ///
    /// - Returns: some of those that were reached last.
    private func handOut(_ records: [CustomMessageRecord], of app: App.ID) -> [SDKLinkSession] {
        let sessions = state.withLock { $0.sessions[app] } ?? [:]
        guard !sessions.isEmpty else { return [] }
        var messages: [PreparedMessage] = []
        // Which of the messages a device gets: a bit each.
        var mail: [DeviceOrdinal: UInt64] = [:]
        for record in records {
            guard let message = prepared(record) else { continue }
            let bit: UInt64 = 1 << UInt64(messages.count)
            messages.append(message)
            for list in record.audience {
                for ordinal in list.members(among: sessions) { mail[ordinal, default: 0] |= bit }
            }
        }
        var packs: [UInt64: MessagePack] = [:]
        for (ordinal, bits) in mail {
            if packs[bits] == nil {
                packs[bits] = MessagePack(messages.indices.filter { bits & 1 << UInt64($0) != 0 }.map { messages[$0] })
            }
            if let pack = packs[bits] { sessions[ordinal]?.offer(pack) }
        }
        // A few, so that each event loop has one of them, more or less.
        return mail.keys.dropFirst(max(0, mail.count - 8)).compactMap { sessions[$0] }
    }

    /// The device takes its messages on this link from now on, those first that wait for it.
    ///
    /// * `position`: that of the last message that the device says to have.
    func enter(_ device: DeviceID, _ session: SDKLinkSession, keptThrough position: Int64?) async throws {
        guard !registry.isStopped(device) else { return }
        // First in line, then the look at what waits: nothing falls between the two.
        session.awaitMessages()
        state.withLock { $0.sessions[device.app, default: [:]][device.ordinal] = session }
        let waiting = try await store.waitingMessages(
            of: device,
            settledThrough: log.settled(by: device),
            keptThrough: position,
            limit: rules.waitingMessages,
            at: clock.date
        )
        log.acknowledge(device, through: waiting.settled, delivered: waiting.kept)
        session.open(with: MessagePack(waiting.messages.compactMap(prepared)), after: waiting.through)
    }

    /// The device takes no more messages on this link.
    func leave(_ device: DeviceID, _ session: SDKLinkSession) {
        session.refuseMessages()
        state.withLock { state in
            guard state.sessions[device.app]?[device.ordinal] === session else { return }
            state.sessions[device.app]?[device.ordinal] = nil
            if state.sessions[device.app]?.isEmpty == true { state.sessions[device.app] = nil }
        }
    }

    /// The text is made once a message, however many devices it is for.
    private func prepared(_ record: CustomMessageRecord) -> PreparedMessage? {
        if let known = state.withLock({ $0.prepared[record.position] }) { return known }
        guard let push = try? PushRequest(parsing: record.body, file: .allowed), let message = push.message else {
            logger.error("A stored custom message cannot be read", metadata: ["push.id": "\(record.message)"])
            return nil
        }
        let prepared = PreparedMessage(record, message)
        state.withLock { state in
            if state.prepared.count >= Self.preparedLimit { state.prepared.removeAll() }
            state.prepared[record.position] = prepared
        }
        return prepared
    }
}

extension OrdinalList {
    /// Those of the list that have a session; looks through the shorter of the two.
    fileprivate func members(among sessions: [DeviceOrdinal: SDKLinkSession]) -> [DeviceOrdinal] {
        if sessions.count < ordinals.count / 8 { return sessions.keys.filter { place(of: $0) != nil } }
        return ordinals.filter { sessions[$0] != nil }
    }
}
