package import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization

/// The pushes of providers: judged, stored in a mailbox, answered.
extension Gateway {
    /// Answers the request of a sender in this process.
    package func respond(to request: APNSRequest, on connection: ProviderConnection) -> APNSAnswer {
        let message = HTTP2Message(request)
        var answer = HTTP2Answer(status: 200)
        var position: Int64?
        self.answer(message, on: connection, at: clock.date, into: &answer, position: &position)
        return APNSAnswer(answer, to: message)
    }

    /// Judges a provider's request, stores or forwards the push, answers, and reports when the answer may be sent: at once unless
    /// `position` is set, else when the log is on disk up to that position.
    ///
    /// A 200 means that the push is in its mailbox; ``flush()`` returns when it is on disk.
    ///
    /// `answer` is an empty 200 at first.
    func answer(
        _ request: HTTP2Message,
        on connection: ProviderConnection,
        at now: Date,
        into answer: inout HTTP2Answer,
        position: inout Int64?
    ) {
        let environment = connection.environment
        let judge = Judge(environment: environment, now: now, credentials: credentials)
        // The provider's id is echoed octet for octet: aioapns matches requests by this very text.
        let range = request.range(of: .apnsID)
        let bytes = request.octets
        let given = range.flatMap { APNSID(bytes.span.extracting($0)) }
        let hasGeneratedID = given == nil
        var id = given ?? APNSID(high: 0, low: 0)
        var rejection: Judge.Rejection?
        do throws(Judge.Rejection) {
            let accepted = try connection.judge(
                request,
                octets: bytes.span,
                by: judge,
                hasGeneratedID: hasGeneratedID,
                id: &id
            )
            position = try accept(
                accepted,
                id: id,
                hasGeneratedID: hasGeneratedID,
                request: request,
                environment: environment,
                at: now
            )
            metrics.accepted(environment)
        } catch {
            // Messages to channels use the same port, but are so rare that they are checked last.
            if error.reason == .badPath, Self.isBroadcast(request) {
                answer = broadcast(request, on: connection)
                position = self.position
                return
            }
            rejection = error
        }
        if let rejection {
            counts.answered(id, rejection.answer(environment), at: now)
            answer.status = rejection.reason.status
            answer.body = rejection.body(credentials.rules)
        }
        addIDs(to: &answer, id, at: range, environment)
        if rejection != nil {
            answer.add(.contentType, Self.json, indexing: .whole)
            answer.add(.date, answerDate.octets(at: now))
        }
    }

    /// Reads the records of the tokens of the next requests. Few of a million records are in the processor's cache. If they are
    /// read together, the processor waits for memory once, and not for each record in turn.
    func load(for requests: [HTTP2Message]) {
        var prefixes = InlineArray<8, UInt64>(repeating: 0)
        var count = 0
        for request in requests where count < prefixes.count {
            guard let path = request.range(of: .path), path.count >= Judge.prefixCount + 16 else { continue }
            let octets = request.octets
            guard let prefix = HexDigit.word(octets.span, path.lowerBound + Judge.prefixCount) else { continue }
            prefixes[count] = prefix
            count += 1
        }
        state.withLock { $0.load(prefixes) }
    }

    /// Adds apns-id, and apns-unique-id in the development environment.
    ///
    /// `range` is the id in the request; nil if it was generated here.
    func addIDs(to answer: inout HTTP2Answer, _ id: APNSID, at range: Range<Int>?, _ environment: APNSEnvironment) {
        answer.add(.apnsID, range.map { .ofRequest($0) } ?? .uuid(high: id.high, low: id.low))
        if environment == .development {
            let unique = makeID()
            answer.add(.uniqueID, .uuid(high: unique.high, low: unique.low))
        }
    }

    static func isBroadcast(_ request: HTTP2Message) -> Bool {
        request.text(of: .path)?.hasPrefix(Judge.broadcastPrefix) ?? false
    }

    static let json = Array("application/json".utf8)

    func makeID() -> APNSID { random.withLock { APNSID(high: $0.next(), low: $0.next()).version4 } }

    /// Looks up the token and puts the push into its mailbox, in one step.
    ///
    /// - Returns: the push's position in the log; nil without a log.
    /// - Throws: the reason why the token does not accept it.
    func accept(
        _ accepted: borrowing Judge.Accepted,
        id: APNSID,
        hasGeneratedID: Bool,
        request: HTTP2Message,
        environment: APNSEnvironment,
        at now: Date
    ) throws(Judge.Rejection) -> Int64? {
        let arrival = Arrival(
            id: id,
            hasGeneratedID: hasGeneratedID,
            head: accepted.head,
            payload: request.keptBody,
            expiration: Self.expiration(accepted, now),
            date: now
        )
        let isBroken = log?.isBroken ?? false
        var rejection: Judge.Rejection?
        var hasEffects = false
        var writes = false
        let position: Int64? = state.withLock { state in
            defer {
                writes = mustWrite(&state)
                hasEffects = !state.effects.isEmpty
            }
            if isBroken {
                // Tries to write once more, but promises nothing.
                rejection = Judge.Rejection(.serviceUnavailable)
                return nil
            }
            do throws(Judge.Rejection) {
                let index = try index(of: accepted.token, for: arrival, in: environment, &state)
                state.tally.accept(environment)
                take(arrival, at: index, in: &state)
            } catch { rejection = error }
            return state.tail?.position
        }
        if writes { write() }
        if hasEffects { carryOut() }
        if let rejection { throw rejection }
        return position
    }

    /// An accepted push whose payload still belongs to the request.
    private struct Arrival {
        var id: APNSID
        /// Whether only the gateway knows the id.
        var hasGeneratedID: Bool
        var head: PushHead
        var payload: [UInt8]
        var expiration: Mailbox.Expiration
        var date: Date
    }

    /// Returns the index of a token's record.
    ///
    /// - Throws: the reason why the token does not accept the push.
    @inline(__always)
    private func index(
        of token: TokenKey?,
        for arrival: borrowing Arrival,
        in environment: APNSEnvironment,
        _ state: inout GatewayState
    ) throws(Judge.Rejection) -> Int {
        guard let index = token.flatMap({ state.index(of: $0) }), state.records[index].environment == environment else {
            throw Judge.Rejection(.badDeviceToken)
        }
        if !state.records[index].takes(arrival.head) {
            try Judge.deliverable(
                arrival.head,
                to: state.records[index].topic,
                deadSince: state.records[index].unregistered,
                hasExpired: state.records[index].hasExpired
            )
        }
        return index
    }

    /// Puts a push into the mailbox of its token.
    @inline(__always)
    private func take(_ arrival: borrowing Arrival, at index: Int, in state: inout GatewayState) {
        let now = arrival.date
        if let older = state.records[index].mailbox.replaceOnly(
            with: arrival.id,
            head: arrival.head,
            payload: arrival.payload.span,
            expiration: arrival.expiration,
            at: now,
            hasGeneratedID: arrival.hasGeneratedID
        ) {
            log(arrival, at: index, isOnItsWay: false, in: &state)
            end(older, as: .coalesced, of: index, at: now, in: &state)
            record(.stored, of: arrival.id, at: now, in: &state)
            if !state.records[index].isWatched(before: arrival.expiration) { watchExpiration(of: index, &state) }
            return
        }
        // In memory of its own, so that the request's memory can be reused.
        let push = MailboxPush(id: arrival.id, head: arrival.head, payload: [UInt8](copying: arrival.payload.span))
        let effects = state.records[index].mailbox.receive(
            push,
            arrival.expiration,
            at: now,
            hasGeneratedID: arrival.hasGeneratedID
        )
        if let isOnItsWay = effects.isOnItsWay { log(arrival, at: index, isOnItsWay: isOnItsWay, in: &state) }
        carry(effects, of: index, at: now, in: &state)
        if push.head.priority == 10, state.records[index].mailbox.isAsleep { wakeOthers(than: index, now, &state) }
    }

    /// Logs that a push was taken in, unless it has one attempt only.
    @inline(__always)
    private func log(
        _ arrival: borrowing Arrival,
        at index: Int,
        isOnItsWay: Bool,
        in state: inout GatewayState
    ) {
        guard state.tail != nil, case .at(let end) = arrival.expiration else { return }
        // A push that came while the device was connected may still arrive.
        let isReturned = isOnItsWay || state.records[index].mailbox.isConnected
        state.tail?.append { bytes in
            bytes.write(.stored, index)
            Mailbox.Kept.write(
                arrival.id,
                head: arrival.head,
                payload: arrival.payload.span,
                expiration: end,
                isReturned: isReturned,
                isRemembered: !arrival.hasGeneratedID,
                to: &bytes
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
    /// The answer as it is counted.
    func answer(_ environment: APNSEnvironment) -> GatewayCounts.Answer {
        GatewayCounts.Answer(environment: environment, status: reason.status, reason: reason)
    }

    /// The body in APNs's format.
    func body(_ rules: GatewayRules) -> [UInt8] {
        var object: JSONObject = ["reason": .string(rules.spelling(of: reason))]
        object["timestamp"] = timestamp.map { .integer(Int64($0.timeIntervalSince1970 * 1000)) }
        return JSONValue.object(object).bytes
    }
}

extension Mailbox.Effects {
    /// Whether the accepted push goes to the device at once (true) or waits (false); nil if neither.
    fileprivate var isOnItsWay: Bool? {
        for effect in self {
            if case .deliver = effect { return true }
            if case .stored = effect { return false }
        }
        return nil
    }
}

/// The `date` field of refusals, formatted once per second (RFC 9110, section 6.6.1).
///
/// It is by the gateway's clock, which also judges provider tokens. Accepted pushes are answered without it, because they are the
/// majority.
final class AnswerDate: Sendable {
    private let written = Mutex<(second: Int64, octets: [UInt8])?>(nil)

    func octets(at now: Date) -> [UInt8] {
        let second = Int64(now.timeIntervalSince1970.rounded(.down))
        return written.withLock { written in
            if let written, written.second == second { return written.octets }
            let octets = Array(now.formatted(Date.VerbatimFormatStyle.http).utf8)
            written = (second, octets)
            return octets
        }
    }
}
