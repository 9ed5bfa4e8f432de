package import APNSTransport
import Crypto
package import DeviceLink
package import Foundation
package import PushClock
package import PushModel
import Synchronization

/// The core of the APNs-compatible gateway, without a socket: it judges requests, keeps what waits, and talks to devices.
///
/// Providers come in through ``respond(to:on:)``, devices through ``courier``, followers of events through ``events``.
/// ``GatewayServer`` puts sockets around it. Tokens and mailboxes are kept in memory for now: after a restart a device that
/// registers again has its token back, as tokens are derived from the secret, but what waited is lost.
package final class Gateway: Sendable {
    private struct TokenRecord {
        var topic: String
        var environment: APNSEnvironment
        /// Nil for a token that belongs to no device.
        var app: CourierServer.App?
        /// Since when the token is dead.
        var unregistered: Date?
        var mailbox: Mailbox
    }

    private enum Effect {
        case send(String, any LinkConnection)
        case close(any LinkConnection)
        case record(JourneyEvent, JourneySubject)
    }

    private struct State {
        var tokens: [DeviceToken: TokenRecord] = [:]
        var tokenOfApp: [CourierServer.App: DeviceToken] = [:]
        var removals: [CourierServer.App: Int] = [:]
        /// Tokens whose mailbox holds something that expires.
        var waiting: Set<DeviceToken> = []
        var courier = CourierServer()
        var courierLinks: [CourierServer.LinkID: any LinkConnection] = [:]
        var feed: EventFeed
        var followers: [Int: any LinkConnection] = [:]
        var nextFollower = 1
        /// What is to be done outside the lock, in this order.
        var effects: [Effect] = []
        var isCarryingOut = false
        var wakesAt: Date?
    }

    private let clock: any CivilClock
    private let sink: (any JourneySink)?
    private let policy: Mailbox.Policy
    private let makeID: @Sendable () -> UUID
    private let mint: TokenMint
    private let book = CredentialBook()
    private let state: Mutex<State>
    private let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Of the parameters:
    /// * `secret`: from which device tokens are derived; 32 random bytes that stay the same over restarts.
    /// * `clock`: what the gateway reads for expirations and the age of provider tokens.
    /// * `sink`: is told the gateway's own events and those of the devices.
    /// * `makeID`: a source of random UUIDs.
    package init(
        secret: [UInt8],
        clock: any CivilClock,
        sink: (any JourneySink)? = nil,
        policy: Mailbox.Policy = .placePerCollapseID,
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.clock = clock
        self.sink = sink
        self.policy = policy
        self.makeID = makeID
        mint = TokenMint(secret: secret)
        state = Mutex(State(feed: EventFeed(log: makeID().uuidString.lowercased())))
    }

    // MARK: - Credentials

    /// Believes a key, or replaces the one with its id.
    package func addKey(_ key: GatewayKey) { book.add(key) }

    /// Makes a key and believes it.
    package func generateKey(
        id: String,
        team: String,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        scope: GatewayKey.Scope = .team
    ) -> GeneratedKey {
        let key = P256.Signing.PrivateKey()
        addKey(GatewayKey(id: id, teamID: team, publicKey: key.publicKey, environments: environments, scope: scope))
        return GeneratedKey(id: id, teamID: team, p8: key.pemRepresentation + "\n")
    }

    /// From now on the key is answered with 403 `Forbidden`.
    package func revoke(_ keyID: String) { book.revoke(keyID) }

    /// Says which bundle ids a team owns; nil, as it is at first, for all that no other team lists.
    package func setBundleIDs(_ bundleIDs: Set<String>?, ofTeam team: String) { book.setBundleIDs(bundleIDs, of: team) }

    // MARK: - Device tokens without a device

    /// Issues a token that belongs to no device: pushes to it are judged and stored, and never delivered.
    package func issueToken(topic: String, environment: APNSEnvironment) -> DeviceToken {
        let device = "none:" + makeID().uuidString
        let token = mint.token(device: device, topic: topic, environment: environment, generation: 0)
        change { state in
            state.tokens[token] = TokenRecord(topic: topic, environment: environment, mailbox: Mailbox(policy: policy))
        }
        return token
    }

    /// Makes a token dead: pushes to it are answered with 410 and this date, now if nothing is said.
    package func unregisterToken(_ token: DeviceToken, since date: Date? = nil) {
        change { self.kill(token, since: date ?? clock.date, &$0) }
    }

    // MARK: - Providers

    /// Judges one request of a provider, keeps or forwards the push, and answers.
    ///
    /// A 200 means that the push is in its mailbox, in memory for now.
    package func respond(to request: APNSRequest, on connection: GatewayConnection) -> APNSAnswer {
        let now = clock.date
        let judge = Judge(
            environment: connection.environment,
            now: now,
            signer: { self.book.check($0) },
            owns: { self.book.owns($0, $1) },
            standing: { self.standing(of: $0, in: connection.environment) }
        )
        let verdict = connection.withRecord { judge.judge(request, on: &$0) }
        // aioapns finds the caller by this very text, so it is echoed byte for byte.
        let given = request.headers.first { $0.name == "apns-id" }?.value
        let apnsID = given ?? makeID().uuidString.lowercased()
        var headers = [(name: "apns-id", value: apnsID)]
        if connection.environment == .development {
            headers.append((name: "apns-unique-id", value: makeID().uuidString.lowercased()))
        }
        switch verdict {
        case .accept(let accepted):
            take(accepted, apnsID: apnsID, payload: request.body, now)
            return APNSAnswer(status: 200, headers: headers)
        case .reject(let reason, let timestamp):
            headers.append((name: "content-type", value: "application/json"))
            var body: JSONObject = ["reason": .string(reason.rawValue)]
            body["timestamp"] = timestamp.map { .integer(Int64($0.timeIntervalSince1970 * 1000)) }
            return APNSAnswer(status: reason.status, headers: headers, body: JSONValue.object(body).bytes)
        }
    }

    private func standing(of token: DeviceToken, in environment: APNSEnvironment) -> Judge.Standing {
        state.withLock { state in
            guard let record = state.tokens[token], record.environment == environment else { return .unknown }
            if let date = record.unregistered { return .unregistered(topic: record.topic, since: date) }
            return .active(topic: record.topic)
        }
    }

    private func take(_ accepted: Judge.Accepted, apnsID: String, payload: [UInt8], _ now: Date) {
        change { state in
            guard let record = state.tokens[accepted.token] else { return }
            let push = CourierPush(
                apnsID: apnsID,
                topic: accepted.topic,
                environment: record.environment,
                pushType: accepted.pushType,
                priority: accepted.priority,
                collapseID: accepted.collapseID,
                payload: payload
            )
            let effects = state.tokens[accepted.token]?.mailbox.receive(push, Self.expiration(accepted, now), at: now)
            self.carry(effects ?? [], of: accepted.token, &state)
        }
    }

    private static func expiration(_ accepted: Judge.Accepted, _ now: Date) -> Mailbox.Expiration {
        let longest = now.addingTimeInterval(Mailbox.longestStorage)
        switch accepted.expiration {
        case nil: return .at(longest)
        case 0: return .atOnce
        case let seconds?: return .at(min(Date(timeIntervalSince1970: Double(seconds)), longest))
        }
    }

    // MARK: - Devices

    /// Where devices come in.
    package var courier: any LinkAcceptor { CourierDoor(gateway: self) }

    private struct CourierDoor: LinkAcceptor {
        let gateway: Gateway

        func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
            let link = gateway.change { state in
                let link = state.courier.opened()
                state.courierLinks[link] = connection
                return link
            }
            return { [gateway] event in gateway.happened(event, on: link) }
        }
    }

    private func happened(_ event: LinkEvent, on link: CourierServer.LinkID) {
        change { state in
            switch event {
            case .opened: break
            case .received(let text): self.act(state.courier.received(text, on: link), &state)
            case .closed:
                state.courierLinks[link] = nil
                self.act(state.courier.closed(link), &state)
            }
        }
    }

    private func act(_ actions: [CourierServer.Action], _ state: inout State) {
        let now = clock.date
        for action in actions {
            switch action {
            case .send(let frame, let link):
                if let connection = state.courierLinks[link] { state.effects.append(.send(frame.text, connection)) }
            case .close(let link):
                if let connection = state.courierLinks.removeValue(forKey: link) {
                    state.effects.append(.close(connection))
                }
            case .register(let app): register(app, now, &state)
            case .unregister(let app):
                if let token = state.tokenOfApp[app] { kill(token, since: now, &state) }
            case .acknowledged(let app, let apnsID):
                guard let token = state.tokenOfApp[app] else { break }
                carry(state.tokens[token]?.mailbox.acknowledge(apnsID, at: now) ?? [], of: token, &state)
            case .lost(let app):
                guard let token = state.tokenOfApp[app] else { break }
                carry(state.tokens[token]?.mailbox.disconnect(at: now) ?? [], of: token, &state)
            case .record(let event): record(event.event, event.apnsID, &state)
            }
        }
    }

    private func register(_ app: CourierServer.App, _ now: Date, _ state: inout State) {
        let token = mint.token(
            device: app.device,
            topic: app.topic,
            environment: app.environment,
            generation: state.removals[app] ?? 0
        )
        if state.tokens[token] == nil {
            let mailbox = Mailbox(policy: policy)
            state.tokens[token] = TokenRecord(
                topic: app.topic,
                environment: app.environment,
                app: app,
                mailbox: mailbox
            )
        }
        state.tokenOfApp[app] = token
        act(state.courier.registered(app, token: token), &state)
        carry(state.tokens[token]?.mailbox.connect(at: now) ?? [], of: token, &state)
    }

    private func kill(_ token: DeviceToken, since date: Date, _ state: inout State) {
        guard let record = state.tokens[token], record.unregistered == nil else { return }
        state.tokens[token]?.unregistered = date
        state.tokens[token]?.mailbox = Mailbox(policy: policy)
        state.waiting.remove(token)
        guard let app = record.app else { return }
        state.tokenOfApp[app] = nil
        state.removals[app, default: 0] += 1
    }

    // MARK: - Effects

    private func carry(_ effects: [Mailbox.Effect], of token: DeviceToken, _ state: inout State) {
        for effect in effects {
            switch effect {
            case .deliver(let push):
                if let app = state.tokens[token]?.app { act(state.courier.deliver(push, to: app), &state) }
            case .stored(let apnsID): record(.stored, apnsID, &state)
            case .coalesced(let apnsID): record(.coalesced, apnsID, &state)
            case .expired(let apnsID): record(.expired, apnsID, &state)
            case .delivered(let apnsID): record(.delivered, apnsID, &state)
            }
        }
        guard let next = state.tokens[token]?.mailbox.nextExpiration else {
            state.waiting.remove(token)
            return
        }
        state.waiting.insert(token)
        if state.wakesAt.map({ next < $0 }) ?? true {
            state.wakesAt = next
            wakeUp.yield()
        }
    }

    private func record(_ kind: JourneyEvent.Kind, _ apnsID: String, _ state: inout State) {
        record(JourneyEvent(date: clock.date, station: .gateway, kind: kind), apnsID, &state)
    }

    private func record(_ event: JourneyEvent, _ apnsID: String, _ state: inout State) {
        let apnsID = apnsID.lowercased()
        state.effects.append(.record(event, .push(apnsID: apnsID)))
        let (text, followers) = state.feed.append(event, apnsID: apnsID)
        for follower in followers {
            if let connection = state.followers[follower] { state.effects.append(.send(text, connection)) }
        }
    }

    /// Changes the state under the lock, then carries out what follows from it outside, in order and one at a time.
    ///
    /// A sink or a link that calls back in finds the lock free; what it causes comes after what caused it.
    private func change<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        let result = state.withLock { body(&$0) }
        while let effects = nextEffects() {
            for effect in effects {
                switch effect {
                case .send(let text, let connection): connection.send(text)
                case .close(let connection): connection.close()
                case .record(let event, let subject): sink?.record(event, of: subject)
                }
            }
            state.withLock { $0.isCarryingOut = false }
        }
        return result
    }

    private func nextEffects() -> [Effect]? {
        state.withLock { state in
            guard !state.isCarryingOut, !state.effects.isEmpty else { return nil }
            state.isCarryingOut = true
            defer { state.effects = [] }
            return state.effects
        }
    }

    // MARK: - Expiration

    /// Drops what is over, each push at its own moment, until the task is cancelled. To be called once.
    package func runExpirations() async {
        var keeper: Task<Void, Never>?
        for await _ in wakeUps {
            keeper?.cancel()
            await keeper?.value
            // Unstructured, because it alone is cancelled when an earlier date turns up; awaited above and below.
            keeper = Task { await self.expireUntilIdle() }
        }
        keeper?.cancel()
        await keeper?.value
    }

    private func expireUntilIdle() async {
        while let next = nextExpiration() {
            let wait = Duration.seconds(max(0, next.timeIntervalSince(clock.date)))
            do { try await clock.sleep(for: wait) } catch { return }
            expire()
        }
    }

    /// Drops what is over by now.
    package func expire() {
        // A clock that counts in fractions may stop a hair before the date; a push is rather dropped that much too early.
        let now = clock.date.addingTimeInterval(0.001)
        change { state in
            for token in state.waiting {
                self.carry(state.tokens[token]?.mailbox.expire(at: now) ?? [], of: token, &state)
            }
        }
    }

    private func nextExpiration() -> Date? {
        state.withLock { state in
            state.wakesAt = state.waiting.compactMap { state.tokens[$0]?.mailbox.nextExpiration }.min()
            return state.wakesAt
        }
    }

    // MARK: - Followers

    /// Where followers of the events come in (``GatewayEventsFollower``).
    package var events: any LinkAcceptor { EventsDoor(gateway: self) }

    private struct EventsDoor: LinkAcceptor {
        let gateway: Gateway

        func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
            let follower = gateway.change { state in
                defer { state.nextFollower += 1 }
                state.followers[state.nextFollower] = connection
                return state.nextFollower
            }
            return { [gateway] event in gateway.happened(event, toFollower: follower) }
        }
    }

    private func happened(_ event: LinkEvent, toFollower follower: Int) {
        change { state in
            guard let connection = state.followers[follower] else { return }
            switch event {
            case .opened: break
            case .received(let text):
                if let frames = state.feed.received(text, from: follower) {
                    state.effects += frames.map { .send($0, connection) }
                } else {
                    state.effects.append(.close(connection))
                }
            case .closed:
                state.feed.closed(follower)
                state.followers[follower] = nil
            }
        }
    }
}
