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
        guard let message = MessageID(id) else {
            throw JPushError.badValue("'\(id)' is not a msg_id; expected decimal digits.")
        }
        guard try await withdraw(message, of: app, at: clock.date) else {
            throw JPushError.badValue("This app has sent no push with msg_id \(id) in the last day.")
        }
    }

    /// Withdraws a push, in one transaction with the push that replaces it.
    ///
    /// - Returns: false if the app has not sent it in the last day.
    private func withdraw(
        _ id: MessageID,
        of app: App,
        replacedBy replacement: PreparedPush? = nil,
        at now: Date
    ) async throws -> Bool {
        let order = try await messageIDs.take()
        let withdrawal = try await store.withdraw(
            id,
            of: app.id,
            since: Self.withdrawable(at: now),
            at: now,
            cidsSince: cidsSince(now)
        ) { push in
            let isReplaced = replacement != nil
            if isReplaced, let first = push.replacement { throw Self.alreadyUndone(id, by: first) }
            let takeBack = try takeBack(of: push, as: order, for: app, at: now, isReplaced: isReplaced)
            return [replacement, takeBack].compactMap(\.self)
        }
        guard let withdrawal else { return false }
        laneRegistry.withdraw(id)
        // Both are withdrawn on disk; this tells the worker of the VoIP push without waiting for its checkpoint.
        if let voip = try await store.voipPush(of: id) { laneRegistry.withdraw(voip) }
        // The router may still hold the message in memory; the log no longer contains it.
        router.readLog()
        complete(withdrawal.pushes, at: now)
        guard let observer else { return true }
        for chunk in withdrawal.ended {
            for ordinal in chunk.rest {
                let id = apnsIDs.apnsID(of: chunk.id.message, to: ordinal)
                observer.record(.service(.withdrawn, at: now), of: .push(apnsID: id.text))
            }
        }
        return true
    }

    /// Completes pushes that were stored with a withdrawal or as take-backs.
    private func complete(_ pushes: [PreparedPush], at now: Date) {
        metrics.accepted(pushes)
        for push in pushes { complete(push) }
        if pushes.contains(where: { $0.message.takesBack != nil }) { takeBacks.note(now) }
    }

    /// Returns the time since which a push must have been accepted to be withdrawn at `date`.
    private static func withdrawable(at date: Date) -> Date {
        date.addingTimeInterval(-Double(JPushLimits.withdrawal))
    }
}

// Replacing a wrong push by another one.
extension PushAcceptor {
    /// Accepts a push with `x_undo`, and withdraws the push that it names: both or neither are on disk.
    ///
    /// - Throws: 1003 for a push that another one has replaced.
    func replace(_ request: PushRequest, _ body: [UInt8], for app: App, at now: Date) async throws -> PushResult {
        guard let wrong = request.options.undoes else { preconditionFailure("The push replaces none.") }
        let (request, body) = try await placed(request, body, for: app, at: now)
        let push = try await admit(request, body, for: app, at: now)
        // Of two such pushes with one cid at the same time, the other one may have been first.
        func earlier() async throws -> PushResult? {
            guard let cid = request.cid else { return nil }
            let first = try await store.result(ofCID: cid, app: app.id, since: cidsSince(now))
            return first?.messageID == push.message.id ? nil : first
        }
        do {
            guard try await withdraw(wrong, of: app, replacedBy: push, at: now) else { throw Self.notUndone(wrong) }
        } catch {
            await returnBroadcasts([push], after: error)
            if error is JPushError, let first = try await earlier() { return first }
            throw error
        }
        guard let first = try await earlier() else { return push.result }
        await returnBroadcasts([push])
        return first
    }

    /// Checks what accepting checks in its transaction.
    ///
    /// - Throws: 1003 for a push that another one has replaced.
    func checkUndone(_ request: PushRequest) async throws {
        guard let wrong = request.options.undoes, let first = try await store.replacement(of: wrong) else { return }
        throw Self.alreadyUndone(wrong, by: first)
    }

    /// Returns a push, without `x_undo`, in the place of the one that it replaces: with its collapse id and thread, unless it has others.
    ///
    /// - Throws: 1003 if the app has not sent that in the last day.
    func placed(
        _ request: PushRequest,
        _ body: [UInt8],
        for app: App,
        at now: Date
    ) async throws -> (request: PushRequest, body: [UInt8]) {
        guard let wrong = request.options.undoes else { return (request, body) }
        guard let former = try await store.message(wrong, of: app.id)?.message, former.takesBack == nil,
            former.acceptedAt >= Self.withdrawable(at: now)
        else { throw Self.notUndone(wrong) }
        var body = body
        if var push = try JSONValue(parsing: body).object, let place = try? former.push(at: 0).request {
            if request.options.collapseID == nil, let id = place.options.collapseID {
                push["options"] = push["options"]?.adding("apns_collapse_id", .string(id))
            }
            if var notification = push["notification"]?.object, let thread = place.notification.apsMembers["thread-id"],
                notification["ios"]?.object?["thread-id"] == nil
            {
                notification["ios"] = notification["ios"]?.adding("thread-id", thread)
                push["notification"] = .object(notification)
            }
            body = push.bytes
        }
        var placed = try PushRequest(parsing: body, file: .allowed)
        placed.options.undoes = nil
        return (placed, body)
    }

    private static func alreadyUndone(_ id: MessageID, by first: MessageID) -> JPushError {
        .badValue("'options.x_undo' names \(id), which push \(first) has replaced; replace or withdraw that one.")
    }

    private static func notUndone(_ id: MessageID) -> JPushError {
        .badValue("'options.x_undo' names \(id), which is not a push of the app in the last day.")
    }
}

extension JSONValue {
    /// Returns an object with another member; any other value as it is.
    fileprivate func adding(_ key: String, _ value: JSONValue) -> JSONValue {
        guard var object else { return self }
        object[key] = value
        return .object(object)
    }
}

// Removing notifications that devices have already.
extension PushAcceptor {
    /// Returns the push that asks the devices that may have a push's notification, and have not opened it, to remove it; nil if there are
    /// none, or if they were asked before.
    ///
    /// They are the devices that the push was sent to, and those of chunks that a worker has begun: it may be sending to them, or have done
    /// so when the service was killed. Chunks that ended without a worker have sent to nobody else.
    private func takeBack(
        of push: WithdrawnPush,
        as order: MessageID,
        for app: App,
        at now: Date,
        isReplaced: Bool
    ) throws -> PreparedPush? {
        guard push.takeBacks.allSatisfy({ $0.device != nil }), let request = try? push.message.push(at: 0).request,
            request.hasRemovableNotification
        else { return nil }
        let asked = Set(push.takeBacks.map(\.device))
        let waiting = Set(push.ended.lazy.filter { $0.fence > 0 || $0.kind == .retry }.flatMap(\.rest))
        let reaches = push.reaches.filter { $0.kind == .send }
        var devices: [DeviceOrdinal] = []
        for (chunk, reach) in zip(push.chunks.filter { $0.kind == .send }, reaches) {
            for (place, ordinal) in chunk.ordinals.ordinals.enumerated() where !reach.clicked.contains(place) {
                let mayBeSent = chunk.fence > 0 && !chunk.settled.contains(place) && !waiting.contains(ordinal)
                if chunk.sent.contains(place) || mayBeSent { devices.append(ordinal) }
            }
        }
        if !asked.isEmpty { devices.removeAll(where: asked.contains) }
        if devices.isEmpty { return nil }
        // At APNs it takes the place of a notification that waits there. A push that replaces that one does so itself.
        let place = isReplaced ? nil : request.options.collapseID
        return try makeTakeBack(of: push.message, in: place, as: order, to: devices, for: app, at: now)
    }

    private func makeTakeBack(
        of message: Message,
        in place: String?,
        as order: MessageID,
        to devices: [DeviceOrdinal],
        onlyTo device: DeviceOrdinal? = nil,
        for app: App,
        at now: Date
    ) throws -> PreparedPush {
        var options: JSONObject = [
            "apns_production": .bool(message.environment == .production), "x_quiet_hours": false,
        ]
        options["apns_collapse_id"] = place.map { .string($0) }
        let body: JSONValue = [
            "platform": ["ios"], "audience": "all", "notification": ["ios": ["content-available": true]],
            "options": .object(options),
        ]
        var takeBack = makePush(
            try PushRequest(parsing: body.bytes),
            body.bytes,
            id: order,
            for: app,
            at: now,
            Resolution(reachable: devices)
        )
        takeBack.message.cid = Message.takeBackCID(of: message.id, on: device)
        takeBack.isStreamed = false
        return takeBack
    }

    /// Asks the other devices with the alias of a device to remove the notifications that were opened on it, of pushes with
    /// `x_read_group`. A second call changes nothing.
    func takeBack(_ opened: [MessageID], openedOn device: DeviceID) async throws {
        let others = registry.others(withAliasOf: device)
        guard !others.isEmpty, let app = registry.app(device.app) else { return }
        let now = clock.date
        for id in opened {
            guard let message = try await store.journey(of: id, to: device.ordinal)?.message, message.app == app.id,
                let request = try? message.push(at: 0).request, request.options.isReadGroup,
                request.hasRemovableNotification
            else { continue }
            let first = try await messageIDs.take(others.count)
            let since = cidsSince(now)
            let orders = try await store.takeBack(id, from: others, of: app.id, at: now, cidsSince: since) { devices in
                try devices.enumerated().map { place, device in
                    try makeTakeBack(
                        of: message,
                        in: request.options.collapseID,
                        as: MessageID(first.number + Int64(place)),
                        to: [device],
                        onlyTo: device,
                        for: app,
                        at: now
                    )
                }
            }
            complete(orders, at: now)
        }
    }
}

extension PushRequest {
    /// Whether devices may have a notification of the push that an app can remove.
    fileprivate var hasRemovableNotification: Bool { hasNotification && channelKey == nil && !notification.isSilent }
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
