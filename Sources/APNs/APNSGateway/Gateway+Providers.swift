package import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization

/// What providers send: judged, put into a mailbox, answered.
extension Gateway {
    /// Judges one request of a provider, keeps or forwards the push, and answers.
    ///
    /// A 200 means that the push is in its mailbox, in memory for now.
    package func respond(to request: HTTP2Message, on connection: GatewayConnection) -> HTTP2Answer {
        let now = clock.date
        let environment = connection.environment
        let judge = Judge(environment: environment, now: now, book: book)
        // What the provider calls the push is echoed octet for octet: aioapns finds its caller by this very text.
        let range = request.range(of: APNSField.id)
        let bytes = request.octets
        let given = range.flatMap { PushID(bytes.span.extracting($0)) }
        let id = given ?? makeID()
        var rejection: Judge.Rejection?
        do {
            let accepted = try connection.judge(judge, request, bytes)
            rejection = take(accepted, id, isFirst: given == nil, request, environment, now)
        } catch {
            // Messages to channels come in by the same door, but so rarely that they are looked for last.
            if error.reason == .badPath, Self.isBroadcast(request) { return broadcast(request, on: connection) }
            rejection = error
        }
        if let rejection {
            counts.answered(id, environment, status: rejection.reason.status, rejection.reason, at: now)
        } else {
            metrics.accepted(environment)
        }
        var answer =
            rejection.map { HTTP2Answer(status: $0.reason.status, body: $0.body(book.rules)) }
            ?? HTTP2Answer(status: 200)
        answer.add(APNSField.id, range.map { .ofRequest($0) } ?? .uuid(high: id.high, low: id.low))
        if environment == .development {
            let unique = makeID()
            answer.add(APNSField.uniqueID, .uuid(high: unique.high, low: unique.low))
        }
        if rejection != nil { answer.add(APNSField.contentType, Self.json, .whole) }
        return answer
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
    /// - Returns: why not, if the token does not take it.
    func take(
        _ accepted: Judge.Accepted,
        _ id: PushID,
        isFirst: Bool,
        _ request: HTTP2Message,
        _ environment: APNSEnvironment,
        _ now: Date
    ) -> Judge.Rejection? {
        let body = request.body
        let expiration = Self.expiration(accepted, now)
        var rejection: Judge.Rejection?
        var hasEffects = false
        state.withLock { state in
            let place = accepted.token.flatMap { state.place(of: $0) }
            do throws(Judge.Rejection) {
                guard let place, state.records[place].environment == environment else {
                    throw Judge.Rejection(reason: .badDeviceToken)
                }
                try Judge.deliverable(
                    accepted.head,
                    to: state.records[place].topic,
                    deadSince: state.records[place].unregistered,
                    hasExpired: state.records[place].hasExpired
                )
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
                    record(.coalesced, older, now, &state)
                    record(.stored, id, now, &state)
                    watchExpiration(of: place, &state)
                    hasEffects = !state.effects.isEmpty
                    return
                }
                // In memory of its own, so that the request keeps its for the next one.
                let push = StoredPush(id: id, head: accepted.head, payload: [UInt8](copying: body.span))
                var mailEffects: [Mailbox.Effect] = []
                swap(&mailEffects, &state.mailEffects)
                state.records[place].mailbox.receive(push, expiration, at: now, isFirst: isFirst, &mailEffects)
                carry(mailEffects, of: place, now, &state)
                mailEffects.removeAll(keepingCapacity: true)
                swap(&mailEffects, &state.mailEffects)
            } catch { rejection = error }
            hasEffects = !state.effects.isEmpty
        }
        if hasEffects { carryOut() }
        return rejection
    }

    static func expiration(_ accepted: Judge.Accepted, _ now: Date) -> Mailbox.Expiration {
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
