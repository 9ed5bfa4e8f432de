package import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization

/// Management of broadcast channels, and sending to them.
extension Gateway {
    /// Judges a provider's request to the channel management hosts, carries it out, and answers.
    package func manage(_ request: HTTP2Message, on connection: ProviderConnection) -> HTTP2Answer {
        let judge = Judge(environment: connection.environment, now: clock.date, credentials: credentials)
        do throws(Judge.Rejection) {
            let (asked, bundleID) = try connection.judge { record throws(Judge.Rejection) in
                try judge.management(request, on: &record)
            }
            let app = ChannelRegistry.App(bundleID: bundleID, environment: connection.environment)
            return try carryOut(asked, for: app, answering: request)
        } catch {
            return refuse(request, error, in: connection.environment)
        }
    }

    private func carryOut(
        _ asked: ChannelRequest,
        for app: ChannelRegistry.App,
        answering request: HTTP2Message
    ) throws(Judge.Rejection) -> HTTP2Answer {
        func answer(_ status: Int, _ body: JSONObject? = nil) -> HTTP2Answer {
            let counted = GatewayCounts.Answer(environment: app.environment, status: status)
            return self.answer(to: request, counted, body: body.map { JSONValue.object($0).bytes } ?? [])
        }
        switch asked {
        case .create(let storage):
            let channel = app.channel(makeChannelID())
            let isMade = change { state in
                guard state.channels.create(channel, storage) else { return false }
                state.tail?.append(.channel(channel, storage))
                return true
            }
            guard isMade else { throw Judge.Rejection(.cannotCreateChannelConfig) }
            var answer = answer(201)
            answer.add(.channelID, Array(channel.id.utf8))
            return answer
        case .read(let id):
            guard let storage = state.withLock({ $0.channels.storage(of: app.channel(id)) }) else {
                throw Judge.Rejection(.channelNotRegistered)
            }
            return answer(200, ["message-storage-policy": .integer(storage.rawValue), "push-type": "LiveActivity"])
        case .delete(let id):
            let channel = app.channel(id)
            let now = clock.date
            let isGone = change { state in
                guard let effects = state.channels.delete(channel) else { return false }
                state.tail?.append(.channelGone(channel))
                self.carry(effects, at: now, in: &state)
                state.subscriptions.remove(channel)
                self.act(state.courier.endChannel(channel), &state)
                return true
            }
            guard isGone else { throw Judge.Rejection(.channelNotRegistered) }
            return answer(204)
        case .list: return answer(200, ["channels": .strings(state.withLock { $0.channels.list(of: app) })])
        }
    }

    /// Returns 16 random octets in base64; Apple promises no length.
    private func makeChannelID() -> String {
        let id = makeID()
        let octets = [id.high, id.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        return Data(octets).base64EncodedString()
    }

    /// Returns the request's id octet for octet, as for a push; `id` if there is none.
    private func answer(
        to request: HTTP2Message,
        id given: APNSID? = nil,
        _ counted: GatewayCounts.Answer,
        body: [UInt8] = []
    ) -> HTTP2Answer {
        let id = given ?? makeID()
        counts.answered(id, counted, at: clock.date)
        var answer = HTTP2Answer(status: counted.status, body: body)
        let range = request.range(of: .requestID)
        answer.add(.requestID, range.map { .ofRequest($0) } ?? .uuid(high: id.high, low: id.low))
        if !body.isEmpty { answer.add(.contentType, Self.json, indexing: .whole) }
        return answer
    }

    private func refuse(
        _ request: HTTP2Message,
        id: APNSID? = nil,
        _ error: Judge.Rejection,
        in environment: APNSEnvironment
    ) -> HTTP2Answer {
        answer(to: request, id: id, error.answer(environment), body: error.body(credentials.rules))
    }

    // MARK: - Sending

    /// Judges a message to a channel, stores it by the channel's policy, and answers.
    func broadcast(_ request: HTTP2Message, on connection: ProviderConnection) -> HTTP2Answer {
        let now = clock.date
        let judge = Judge(environment: connection.environment, now: now, credentials: credentials)
        let id = request.text(of: .requestID).flatMap { APNSID($0) } ?? makeID()
        let uniqueID = connection.environment == .development ? makeID() : nil
        var answer: HTTP2Answer
        do throws(Judge.Rejection) {
            let asked = try connection.judge { record throws(Judge.Rejection) in
                try judge.broadcast(request, on: &record)
            }
            try publish(
                asked,
                as: BroadcastIDs(id: id, uniqueID: uniqueID),
                payload: request.keptBody,
                environment: connection.environment,
                at: now
            )
            answer = self.answer(to: request, id: id, .init(environment: connection.environment, status: 200))
        } catch { answer = refuse(request, id: id, error, in: connection.environment) }
        if let range = request.range(of: .apnsID) { answer.add(.apnsID, .ofRequest(range)) }
        if let uniqueID { answer.add(.uniqueID, .uuid(high: uniqueID.high, low: uniqueID.low)) }
        return answer
    }

    // MARK: - The journey of messages

    func carry(_ effects: [ChannelRegistry.Effect], at now: Date, in state: inout GatewayState) {
        guard !effects.isEmpty else { return }
        for effect in effects {
            switch effect {
            case .stored(let id): record(.stored, of: id, at: now, in: &state)
            case .coalesced(let id, let newer):
                state.broadcasts.end(id, as: .coalesced(by: newer))
                record(.coalesced, of: id, at: now, in: &state)
            case .expired(let id):
                state.broadcasts.end(id, as: .expired(now))
                record(.expired, of: id, at: now, in: &state)
            case .deleted(let id):
                state.broadcasts.end(id, as: .deleted)
                record(.expired, of: id, at: now, in: &state)
            }
        }
        if let next = state.channels.nextExpiration { wake(at: next, &state) }
    }
}
