import Foundation
import PushClock
import PushModel
import Synchronization

extension PushAcceptor {
    /// Withdraws a push, and the VoIP push beside it: no further device receives them, and those that have the notification are asked to
    /// remove it. When this returns, all of that is on disk.
    ///
    /// Steps that a worker has in progress, up to 2,000 devices, are finished. Withdrawing a push again changes nothing.
    ///
    /// - Throws: 1003 for a push that belongs to another app or is older than a day.
    package func withdraw(_ id: String, of app: App) async throws {
        let now = clock.date
        let since = now.addingTimeInterval(-Double(JPushLimits.withdrawal))
        guard let message = MessageID(id) else {
            throw JPushError.badValue("'\(id)' is not a msg_id; expected decimal digits.")
        }
        guard let ended = try await store.withdraw(message, of: app.id, since: since, at: now) else {
            throw JPushError.badValue("This app has sent no push with msg_id \(id) in the last day.")
        }
        laneRegistry.withdraw(message)
        // Both are withdrawn on disk; this tells the worker of the VoIP push without waiting for its checkpoint.
        if let voip = try await store.voipPush(of: message) { laneRegistry.withdraw(voip) }
        // The router may still hold the message in memory; the log no longer contains it.
        router.readLog()
        try await takeBack(message, of: app, after: ended, at: now)
        guard let observer else { return }
        for chunk in ended {
            for ordinal in chunk.rest {
                let id = apnsIDs.apnsID(of: chunk.id.message, to: ordinal)
                observer.record(.service(.withdrawn, at: now), of: .push(apnsID: id.text))
            }
        }
    }
}

// Removing notifications that devices have already.
extension PushAcceptor {
    /// Asks the devices that may have a push's notification, and have not opened it, to remove it. A second call changes nothing.
    ///
    /// They are the devices that the push was sent to, and those of chunks that a worker has begun: it may be sending to them, or have done
    /// so when the service was killed. Chunks that ended without a worker have sent to nobody else.
    private func takeBack(_ id: MessageID, of app: App, after ended: [Chunk], at now: Date) async throws {
        guard let (message, chunks) = try await store.message(id, of: app.id),
            let request = try? message.push(at: 0).request,
            request.hasNotification, request.channelKey == nil, !request.notification.isSilent
        else { return }
        let waiting = Set(ended.lazy.filter { $0.fence > 0 || $0.kind == .retry }.flatMap(\.rest))
        let reports = try await store.reach(of: id, app: app.id).filter { $0.kind == .send }
        var devices: [DeviceOrdinal] = []
        for (chunk, report) in zip(chunks.filter { $0.kind == .send }, reports) {
            for (place, ordinal) in chunk.ordinals.ordinals.enumerated() where !report.clicked.contains(place) {
                let mayBeSent = chunk.fence > 0 && !chunk.settled.contains(place) && !waiting.contains(ordinal)
                if chunk.sent.contains(place) || mayBeSent { devices.append(ordinal) }
            }
        }
        if devices.isEmpty { return }
        var options: JSONObject = [
            "apns_production": .bool(message.environment == .production), "x_quiet_hours": false,
        ]
        // At APNs it takes the place of a notification that waits there.
        options["apns_collapse_id"] = request.options.collapseID.map { .string($0) }
        let body: JSONValue = [
            "platform": ["ios"], "audience": "all", "notification": ["ios": ["content-available": true]],
            "options": .object(options),
        ]
        let noted = TakeBack(id: try await messageIDs.take(), message: id)
        let order = try await store.noteTakeBack(noted, of: app.id, at: now)
        let cid = Message.takeBackCID(of: id)
        // Noted before: by a call that has stored the push, is storing it, or was killed before it did.
        if order != noted.id, try await isStored(cid, of: app, at: now) { return }
        var push = makePush(
            try PushRequest(parsing: body.bytes),
            body.bytes,
            id: order,
            for: app,
            at: now,
            Resolution(reachable: devices)
        )
        push.message.cid = cid
        push.isStreamed = false
        do { _ = try await write([push], at: now) } catch {
            guard order != noted.id, try await isStored(cid, of: app, at: now) else { throw error }
        }
        takeBacks.note(now)
    }

    private func isStored(_ cid: String, of app: App, at now: Date) async throws -> Bool {
        try await store.result(ofCID: cid, app: app.id, since: cidsSince(now)) != nil
    }
}

/// The time of the last take-back, so that most logins need not look for any.
final class TakeBackTimes: Sendable {
    private let last = Mutex<Date?>(nil)

    func note(_ date: Date) { last.withLock { $0 = max($0 ?? date, date) } }

    /// Returns whether this node knows of a take-back since `date`; the store is read once.
    func hasAny(since date: Date, in store: any ReportStore) async throws -> Bool {
        if last.withLock({ $0 == nil }) { note(try await store.lastTakeBack() ?? .distantPast) }
        return last.withLock { $0.map { $0 >= date } ?? false }
    }
}
