package import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization

/// What providers send: judged, put into a mailbox, answered.
extension Gateway {
    /// Judges one request of a provider, keeps or forwards the push, and answers.
    ///
    /// A 200 means that the push is in its mailbox; when it is on disk, ``settle()`` tells.
    package func respond(to request: HTTP2Message, on connection: GatewayConnection) -> HTTP2Answer {
        var answer = HTTP2Answer(status: 200)
        var position: Int64?
        self.answer(request, on: connection, at: clock.date, &answer, &position)
        return answer
    }

    /// These pushes are taken in next.
    func expect(_ arrivals: [APNSArrival]) { state.withLock { $0.fetch(for: arrivals) } }

    /// The same, and when it may be said: at once unless `position` is set, and else when the log is on disk so far.
    ///
    /// - `answer`: 200 and nothing else at first.
    func answer(
        _ request: HTTP2Message,
        on connection: GatewayConnection,
        at now: Date,
        _ answer: inout HTTP2Answer,
        _ position: inout Int64?
    ) {
        let environment = connection.environment
        let judge = Judge(environment: environment, now: now, credentials: credentials)
        // What the provider calls the push is echoed octet for octet: aioapns finds its caller by this very text.
        let range = request.range(of: APNSField.id)
        let bytes = request.octets
        let given = range.flatMap { PushID(bytes.span.extracting($0)) }
        let isFirst = given == nil
        var id = given ?? PushID(high: 0, low: 0)
        var rejection: Judge.Rejection?
        do throws(Judge.Rejection) {
            let accepted = try connection.judge(judge, request, bytes.span, isFirst: isFirst, &id)
            position = try take(accepted, id, isFirst: isFirst, request, environment, now)
            metrics.accepted(environment)
        } catch {
            // Messages to channels come in by the same door, but so rarely that they are looked for last.
            if error.reason == .badPath, Self.isBroadcast(request) {
                answer = broadcast(request, on: connection)
                position = self.position
                return
            }
            rejection = error
        }
        if let rejection {
            counts.answered(id, environment, status: rejection.reason.status, rejection.reason, at: now)
            answer.status = rejection.reason.status
            answer.body = rejection.body(credentials.rules)
        }
        answer.add(APNSField.id, range.map { .ofRequest($0) } ?? .uuid(high: id.high, low: id.low))
        if environment == .development {
            let unique = makeID()
            answer.add(APNSField.uniqueID, .uuid(high: unique.high, low: unique.low))
        }
        if rejection != nil { answer.add(APNSField.contentType, Self.json, .whole) }
    }

    static func isBroadcast(_ request: HTTP2Message) -> Bool {
        request.text(of: .path)?.hasPrefix(Judge.broadcastPrefix) ?? false
    }

    static let json = Array("application/json".utf8)

    func makeID() -> PushID {
        random.withLock { PushID(high: $0.next(), low: $0.next()).version4 }
    }

    /// Looks where the token stands and puts the push into its mailbox, in one go.
    ///
    /// - Returns: where it will stand in the log; nil without one.
    /// - Throws: why the token does not take it.
    func take(
        _ accepted: borrowing Judge.Accepted,
        _ id: PushID,
        isFirst: Bool,
        _ request: HTTP2Message,
        _ environment: APNSEnvironment,
        _ now: Date
    ) throws(Judge.Rejection) -> Int64? {
        let body = request.keptBody
        let expiration = Self.expiration(accepted, now)
        let isBroken = log?.isBroken ?? false
        var rejection: Judge.Rejection?
        var (hasEffects, writes) = (false, false)
        let position: Int64? = state.withLock { state in
            if isBroken {
                // Tries once more, but promises nothing.
                writes = mustWrite(&state)
                rejection = Judge.Rejection(reason: .serviceUnavailable)
                return nil
            }
            let place = accepted.token.flatMap { state.place(of: $0) }
            do throws(Judge.Rejection) {
                guard let place, state.records[place].environment == environment else {
                    throw Judge.Rejection(reason: .badDeviceToken)
                }
                if !state.records[place].takes(accepted.head) {
                    try Judge.deliverable(
                        accepted.head,
                        to: state.records[place].topic,
                        deadSince: state.records[place].unregistered,
                        hasExpired: state.records[place].hasExpired
                    )
                }
                if state.pace != nil, state.pace?.admit(place, at: now) == false {
                    throw Judge.Rejection(reason: .tooManyRequests)
                }
                state.tally.accept(environment)
                if isFirst,
                    let older = state.records[place].mailbox.replaceOnly(
                        id,
                        accepted.head,
                        body.span,
                        expiration,
                        at: now
                    )
                {
                    keep(id, accepted.head, body.span, expiration, of: place, isRemembered: false, &state)
                    end(older, .coalesced, of: place, now, &state)
                    record(.stored, id, now, &state)
                    if !state.records[place].isWatched(before: expiration) { watchExpiration(of: place, &state) }
                    writes = mustWrite(&state)
                    hasEffects = !state.effects.isEmpty
                    return state.tail?.position
                }
                // In memory of its own, so that the request keeps its for the next one.
                let push = StoredPush(id: id, head: accepted.head, payload: [UInt8](copying: body.span))
                var mailEffects: [Mailbox.Effect] = []
                swap(&mailEffects, &state.mailEffects)
                state.records[place].mailbox.receive(push, expiration, at: now, isFirst: isFirst, &mailEffects)
                if let isOnItsWay = mailEffects.isOnItsWay {
                    keep(
                        id,
                        accepted.head,
                        body.span,
                        expiration,
                        of: place,
                        isOnItsWay: isOnItsWay,
                        isRemembered: !isFirst,
                        &state
                    )
                }
                carry(mailEffects, of: place, now, &state)
                if accepted.head.priority == 10, state.records[place].mailbox.isAsleep {
                    wakeOthers(than: place, now, &state)
                }
                mailEffects.removeAll(keepingCapacity: true)
                swap(&mailEffects, &state.mailEffects)
            } catch { rejection = error }
            writes = mustWrite(&state)
            hasEffects = !state.effects.isEmpty
            return state.tail?.position
        }
        if writes { write() }
        if hasEffects { carryOut() }
        if let rejection { throw rejection }
        return position
    }

    /// Says in the log that a push was taken in, unless it has one attempt only.
    private func keep(
        _ id: PushID,
        _ head: PushHead,
        _ payload: Span<UInt8>,
        _ expiration: Mailbox.Expiration,
        of place: Int,
        isOnItsWay: Bool = false,
        isRemembered: Bool,
        _ state: inout GatewayState
    ) {
        guard state.tail != nil, case .at(let end) = expiration else { return }
        state.tail?.append { bytes in
            bytes.writeStored(
                place: place,
                id,
                head,
                payload,
                end,
                // What has come while the device is there keeps its right to arrive.
                isReturned: isOnItsWay || state.records[place].mailbox.isConnected,
                isRemembered: isRemembered
            )
        }
    }

    static func expiration(_ accepted: borrowing Judge.Accepted, _ now: Date) -> Mailbox.Expiration {
        let longest = now.addingTimeInterval(Mailbox.longestStorage)
        switch accepted.expiration {
        case nil: return .at(longest)
        case 0: return .atOnce
        case let seconds?: return .at(min(Date(timeIntervalSince1970: Double(seconds)), longest))
        }
    }
}

extension Judge.Rejection {
    /// As APNs writes it.
    func body(_ rules: GatewayRules) -> [UInt8] {
        var object: JSONObject = ["reason": .string(rules.spelling(of: reason))]
        object["timestamp"] = timestamp.map { .integer(Int64($0.timeIntervalSince1970 * 1000)) }
        return JSONValue.object(object).bytes
    }
}

extension [Mailbox.Effect] {
    /// Whether the push that was taken in goes to the device at once, or waits; nil if neither.
    fileprivate var isOnItsWay: Bool? {
        for effect in self {
            if case .deliver = effect { return true }
            if case .stored = effect { return false }
        }
        return nil
    }
}
