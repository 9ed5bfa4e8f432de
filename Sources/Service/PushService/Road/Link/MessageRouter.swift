import DeviceLink
import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// Hands custom messages to the links of their devices, in the order of their positions.
///
/// Follows the log from its end at start. A device that logs in later reads its own waiting messages (``enter(_:_:keptThrough:)``).
/// Messages accepted a moment ago come from memory, all others are read.
package final class MessageRouter: Sendable {
    private struct State {
        /// The newest link of each device that takes messages.
        var sessions: [App.ID: [DeviceOrdinal: SDKLinkSession]] = [:]
        /// Recently read messages: many devices ask for the same ones.
        var encoded: [MessageID: EncodedMessage] = [:]
        var fresh = CustomMessageCache()
    }

    let store: any CustomMessageStore & DispatchStore & TopicStore
    let registry: Registry
    private let log: JourneyLog
    let clock: any CivilClock
    private let rules: LinkRules
    /// The time zone of devices that have reported none.
    let zone: TimeZone
    private let logger: Logger
    /// The node's mail and links; nil for a service that is alone.
    private let mailbox: NodeMailbox?
    private let signal = LocalWorkSignal()
    private let start: Int64
    private let state = Mutex(State())

    /// The number of messages handed out, or read from the log, together: one for each bit of a word.
    static let block = 64
    /// The limit on cached encoded messages.
    private static let encodedLimit = 256

    init(
        store: any CustomMessageStore & DispatchStore & TopicStore,
        registry: Registry,
        log: JourneyLog,
        clock: any CivilClock,
        rules: LinkRules,
        zone: TimeZone,
        mailbox: NodeMailbox? = nil,
        logger: Logger
    ) async throws {
        self.store = store
        self.mailbox = mailbox
        self.registry = registry
        self.log = log
        self.clock = clock
        self.rules = rules
        self.zone = zone
        self.logger = logger
        // A service restored from a backup must not reuse positions that devices have seen since: they would drop those messages.
        // So at each start positions continue at the current time in microseconds; no service accepts that many messages in a
        // second.
        do {
            try await store.leaveOutPositions(through: Int64(clock.date.timeIntervalSince1970 * 1_000_000))
        } catch let error as StoreError where error.retryAfter != nil {
            logger.warning(
                "The disk accepts no writes; the service starts, but accepts nothing until it does",
                metadata: ["error": "\(error)"]
            )
        }
        start = try await store.lastCustomMessage()
    }

    /// Takes accepted custom messages that are already in the store. Call it in the order in which they were stored.
    func add(_ deliveries: [CustomMessageDelivery]) {
        guard !deliveries.isEmpty else { return }
        state.withLock { $0.fresh.add(deliveries) }
        signal.raise()
        mailbox?.announce()
    }

    /// Notes that other messages were accepted, which are read from the log.
    func readLog() {
        lookForMail()
        mailbox?.announce()
    }

    /// Reads the log soon: other nodes may have accepted messages.
    func lookForMail() {
        state.withLock { $0.fresh.miss() }
        signal.raise()
    }

    /// Hands out new entries of the log until graceful shutdown.
    func run() async {
        var position = start
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    switch state.withLock({ $0.fresh.next(after: position) }) {
                    case .handOut(let deliveries):
                        try await handOut(deliveries)
                        position = deliveries.last?.position ?? position
                    case .look:
                        // Noted before each read: a message that arrives during a read may have been committed after it.
                        var newest = state.withLock(\.fresh.newest)
                        while let part = try await readLog(after: position) {
                            try await handOut(part.deliveries)
                            position = part.through
                            newest = state.withLock(\.fresh.newest)
                        }
                        position = max(position, newest ?? 0)
                    case .wait: await signal.wait()
                    }
                } catch {
                    state.withLock { $0.fresh.miss() }
                    // At shutdown, devices receive waiting messages at their next login.
                    await clock.rest(after: error, "Custom messages were not read; retrying in a second", logger)
                }
            }
        } onGracefulShutdown: {
            self.signal.raise()
        }
    }

    /// Reads the next deliveries from the log.
    ///
    /// - Returns: the deliveries, and the position through which they are complete; nil if there is nothing new.
    private func readLog(after position: Int64) async throws -> (deliveries: [CustomMessageDelivery], through: Int64)? {
        var apps = linkedApps
        var (records, through): ([CustomMessageRecord], Int64)
        repeat {
            (records, through) = try await read(after: position, audiencesOf: apps)
            // A device that connected during the read may have looked up its waiting messages before these were stored. Devices
            // that connect from now on find them.
            let missing = linkedApps.subtracting(apps).intersection(records.map(\.app))
            if missing.isEmpty { break }
            apps.formUnion(missing)
        } while true
        return through == position ? nil : (records.map(delivery), through)
    }

    private func read(
        after position: Int64,
        audiencesOf apps: Set<App.ID>
    ) async throws -> ([CustomMessageRecord], Int64) {
        if let mailbox { return try await mailbox.read(after: position, limit: Self.block, audiencesOf: apps) }
        let records = try await store.customMessages(after: position, limit: Self.block, audiencesOf: apps)
        return (records, records.last?.position ?? position)
    }

    private var linkedApps: Set<App.ID> { state.withLock { Set($0.sessions.keys) } }

    private func delivery(_ record: CustomMessageRecord) -> CustomMessageDelivery {
        var delivery = CustomMessageDelivery(
            position: record.position,
            app: record.app,
            logged: record.logged,
            content: .each([])
        )
        if record.isUnreadable {
            reportUnreadable(record)
        } else if let batch = record.batch {
            let sessions = sessions(of: record.app)
            let places = batch.entries.indices.filter { sessions[batch.entries[$0].ordinal] != nil }
            let messages = places.compactMap { place -> CustomMessageDelivery.Direct? in
                let entry = batch.entries[place]
                guard let content = (try? batch.push(at: place))?.request.message else { return nil }
                return CustomMessageDelivery.Direct(device: entry.ordinal, message: entry.id, content: content)
            }
            if messages.count < places.count { reportUnreadable(record) }
            delivery.content = .each(messages)
        } else if !record.audience.isEmpty, let request = request(of: record) {
            delivery.content = .init(request, of: record.logged, to: record.audience) ?? .each([])
        }
        return delivery
    }

    func sessions(of app: App.ID) -> [DeviceOrdinal: SDKLinkSession] { state.withLock { $0.sessions[app] } ?? [:] }

    /// Routes the device's messages to this link from now on, beginning with those waiting for it after the last message
    /// that it has.
    func enter(_ device: DeviceID, _ session: SDKLinkSession, keptThrough position: Int64?) async throws {
        guard !registry.isStopped(device) else { return }
        // Register first, then read the waiting messages, so that none is missed in between.
        session.awaitMessages()
        let before = state.withLock { state in
            let before = state.sessions[device.app]?[device.ordinal]
            state.sessions[device.app, default: [:]][device.ordinal] = session
            return before
        }
        // Messages that the previous link has not caught up with are sent here too.
        if before !== session { before?.refuseMessages() }
        // From here on, messages for the device are read by this node; earlier ones wait.
        if let mailbox, try await !mailbox.links.enter(device, session) { return handOver(device, session) }
        let (messages, through) = try await waiting(for: device, keptThrough: position)
        session.open(with: MessagePack(messages), after: through)
    }

    private func waiting(
        for device: DeviceID,
        keptThrough position: Int64?
    ) async throws -> (messages: [EncodedMessage], through: Int64) {
        let waiting = try await store.waitingMessages(
            of: device,
            acknowledgedThrough: log.acknowledgedPosition(of: device),
            keptThrough: position,
            limit: rules.waitingMessages,
            at: clock.date
        )
        log.acknowledge(device, through: waiting.passedPosition, delivered: waiting.kept)
        return (try await encoded(waiting.messages, for: device), waiting.through)
    }

    /// Returns the messages that a device would receive at its login, for one that keeps no link.
    func waitingMessages(of device: DeviceID, keptThrough position: Int64?) async throws -> [SDKMessage] {
        try await waiting(for: device, keptThrough: position).messages.compactMap { message in
            guard case .message(let message)? = try? SDKFrame(text: String(decoding: message.utf8, as: UTF8.self))
            else { return nil }
            return message
        }
    }

    /// Returns the device's newest link at this node that takes messages.
    func session(of device: DeviceID) -> SDKLinkSession? { state.withLock { $0.sessions[device.app]?[device.ordinal] } }

    /// Sends messages that stayed in the store, as there is room again on the device's link.
    func catchUp(_ device: DeviceID, on session: SDKLinkSession, from gap: MessageOutbox.Gap) async throws {
        // One block at a time: the link comes back for the next, and others get their turn in between.
        let limit = min(gap.room, Self.block)
        let held = try await store.heldMessages(of: device, after: gap.position, limit: limit, at: clock.date)
        let messages = try await encoded(held.messages, for: device)
        session.open(with: MessagePack(messages), after: held.through, isAll: held.isAll)
    }

    /// Closes the links of an app that was deleted.
    func closeLinks(of app: App.ID) { for session in sessions(of: app).values { session.connection.close() } }

    /// Stops routing the device's messages to this link.
    func leave(_ device: DeviceID, _ session: SDKLinkSession) {
        mailbox?.links.leave(device, session)
        handOver(device, session)
    }

    /// Stops routing the device's messages to this link, as the device has a newer one, perhaps at another node.
    func handOver(_ device: DeviceID, _ session: SDKLinkSession) {
        session.refuseMessages()
        state.withLock { state in
            guard state.sessions[device.app]?[device.ordinal] === session else { return }
            state.sessions[device.app]?[device.ordinal] = nil
            if state.sessions[device.app]?.isEmpty == true { state.sessions[device.app] = nil }
        }
    }

    /// Returns the messages that a device gets, encoded.
    private func encoded(_ records: [CustomMessageRecord], for device: DeviceID) async throws -> [EncodedMessage] {
        var messages: [EncodedMessage] = []
        for record in records {
            if let message = try await encoded(record, for: device) { messages.append(message) }
        }
        return messages
    }

    /// Returns the encoded message, which is created once for all devices unless it is an in-app message.
    private func encoded(_ record: CustomMessageRecord, for device: DeviceID) async throws -> EncodedMessage? {
        if let known = state.withLock({ $0.encoded[record.message] }) { return known }
        guard let request = request(of: record), let content = request.linkMessage else { return nil }
        func encoded(_ content: CustomMessage) -> EncodedMessage {
            EncodedMessage(record.message, content, position: record.position, logged: record.logged)
        }
        if content.isInApp {
            let id = record.message
            let app = record.app
            let isImmediate = record.isImmediate
            let push = InAppPush(request: request, message: id, app: app, isImmediate: isImmediate)
            return try await messages(of: push, to: [device.ordinal]).first.map { encoded($0.content) }
        }
        let message = encoded(content)
        state.withLock { state in
            if state.encoded.count >= Self.encodedLimit { state.encoded.removeAll() }
            state.encoded[record.message] = message
        }
        return message
    }

    /// Returns the push of a record, if it has a message for links.
    private func request(of record: CustomMessageRecord) -> PushRequest? {
        if let request = try? PushRequest(parsing: record.body, file: .allowed), request.linkMessage != nil {
            return request
        }
        reportUnreadable(record)
        return nil
    }

    private func reportUnreadable(_ record: CustomMessageRecord) {
        logger.error("A stored custom message cannot be read", metadata: ["push.id": "\(record.message)"])
    }
}

/// The custom messages for the links of this node.
struct NodeMailbox: Sendable {
    let store: any NodeMailStore
    let node: NodeID
    let links: NodeLinks
    /// Tells other nodes that messages were accepted.
    let announce: @Sendable () -> Void

    /// Reads the next messages.
    ///
    /// - Returns: the messages, and the position through which they are complete.
    func read(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> ([CustomMessageRecord], Int64) {
        let mail = try await store.mail(for: node, after: position, limit: limit, audiencesOf: apps)
        return (mail.messages, mail.through)
    }
}
