import Crypto
import DeviceLink
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
    let clock: any CivilClock
    let sink: (any JourneySink)?
    let policy: Mailbox.Policy
    let mint: TokenMint
    let book: CredentialBook
    let state: Mutex<GatewayState>
    /// For ids, which have to differ, not to be secret.
    let random = Mutex(SplitMix(seed: .random(in: .min ... .max)))
    let metrics = GatewayMetrics()
    let counts: AnswerBook
    let desk: FaultDesk
    let board = ProviderBoard()
    let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Of the parameters:
    /// * `secret`: from which device tokens are derived; 32 random bytes that stay the same over restarts.
    /// * `clock`: what the gateway reads for expirations and the age of provider tokens.
    /// * `sink`: is told the gateway's own events and those of the devices.
    /// * `rules`: what of the judgement can be chosen.
    package init(
        secret: [UInt8],
        clock: any CivilClock,
        sink: (any JourneySink)? = nil,
        policy: Mailbox.Policy = .placePerCollapseID,
        rules: GatewayRules = GatewayRules()
    ) {
        self.clock = clock
        self.sink = sink
        self.policy = policy
        mint = TokenMint(secret: secret)
        book = CredentialBook(rules: rules)
        counts = AnswerBook(metrics: metrics)
        desk = FaultDesk(clock: clock, seed: .random(in: .min ... .max))
        let feed = EventFeed(log: UUID().uuidString.lowercased())
        state = Mutex(GatewayState(feed: feed, pace: rules.pace.map { PushPaceRecord($0) }))
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

    /// The keys that it believes, and those that were revoked.
    package var keys: [GatewayKey] { book.keys }

    /// From now on the key is answered with 403 `Forbidden`.
    package func revoke(_ keyID: String) { book.revoke(keyID) }

    /// From now on the certificate is answered with 403 `BadCertificate`.
    package func revokeCertificate(serialNumber: [UInt8]) { book.revokeCertificate(serialNumber) }

    /// Answers every request that makes sense with this reason: `InternalServerError`, `ServiceUnavailable` or `Shutdown`,
    /// as a service in trouble does; nil ends it. A wrong path or method is told before, our choice.
    package func setOutage(_ reason: APNSReason?) { book.outage = reason }

    /// The outage that was set; nil if there is none.
    package var outage: APNSReason? { book.outage }

    /// Says which bundle ids a team owns; nil, as it is at first, for all that no other team lists.
    package func setBundleIDs(_ bundleIDs: Set<String>?, ofTeam team: String) { book.setBundleIDs(bundleIDs, of: team) }

    // MARK: - Device tokens without a device

    /// Issues a token that belongs to no device: pushes to it are judged and stored, and never delivered.
    package func issueToken(topic: String, environment: APNSEnvironment) -> DeviceToken {
        let device = "none:" + UUID().uuidString
        let token = mint.token(device: device, topic: topic, environment: environment, generation: 0)
        change { state in
            _ = self.add(token, topic, environment, &state)
        }
        return token
    }

    /// Makes a token dead: pushes to it are answered with 410 and this date, now if nothing is said.
    package func unregisterToken(_ token: DeviceToken, since date: Date? = nil) {
        change { state in
            if let place = self.place(of: token, state) { self.kill(place, since: date ?? clock.date, &state) }
        }
    }

    /// Lets a token die of old age: pushes to it are answered with 410 `ExpiredToken`. An app that registers again gets
    /// another one.
    package func expireToken(_ token: DeviceToken, since date: Date? = nil) {
        change { state in
            guard let place = self.place(of: token, state), state.records[place].unregistered == nil else { return }
            self.kill(place, since: date ?? clock.date, &state)
            state.records[place].hasExpired = true
        }
    }

    func place(of token: DeviceToken, _ state: GatewayState) -> Int? {
        TokenKey(token).flatMap { state.place(of: $0) }
    }

    /// The place of a token's record, which is made if there is none.
    func add(
        _ token: DeviceToken,
        _ topic: String,
        _ environment: APNSEnvironment,
        of app: CourierServer.App? = nil,
        _ state: inout GatewayState
    ) -> Int {
        guard let key = TokenKey(token) else { preconditionFailure("The mint makes tokens of 32 octets.") }
        let mailbox = Mailbox(policy: policy)
        return state.place(of: key)
            ?? state.add(
                TokenRecord(token: key, topic: topic, environment: environment, mailbox: mailbox, app: app)
            )
    }

    // MARK: - Effects

    func carry(_ effects: [Mailbox.Effect], of place: Int, _ now: Date, _ state: inout GatewayState) {
        for effect in effects {
            switch effect {
            case .deliver(let push):
                guard let app = state.records[place].app else { break }
                deliver(push, to: app, of: place, &state)
            case .stored(let id): record(.stored, id, now, &state)
            case .coalesced(let id): record(.coalesced, id, now, &state)
            case .expired(let id): record(.expired, id, now, &state)
            case .delivered(let id): record(.delivered, id, now, &state)
            }
        }
        watchExpiration(of: place, &state)
    }

    /// Has ``runExpirations()`` wake up when what waits there is over.
    func watchExpiration(of place: Int, _ state: inout GatewayState) {
        countWaiting(at: place, &state)
        guard let next = state.records[place].mailbox.nextExpiration else {
            if state.records[place].isWaiting {
                state.records[place].isWaiting = false
                state.waiting.remove(place)
            }
            return
        }
        if !state.records[place].isWaiting {
            state.records[place].isWaiting = true
            state.waiting.insert(place)
        }
        wake(at: next, &state)
    }

    func wake(at next: Date, _ state: inout GatewayState) {
        if state.wakesAt.map({ next < $0 }) ?? true {
            state.wakesAt = next
            wakeUp.yield()
        }
    }

    func record(_ kind: JourneyEvent.Kind, _ id: PushID, _ now: Date, _ state: inout GatewayState) {
        state.tally.count(kind)
        metrics.count(kind)
        record(JourneyEvent(date: now, station: .gateway, kind: kind), id, &state)
    }

    func record(_ event: JourneyEvent, _ id: PushID, _ state: inout GatewayState) {
        if sink != nil { state.effects.append(.record(event, .push(apnsID: id.text))) }
        guard let (text, followers) = state.feed.append(event, id) else { return }
        for follower in followers {
            if let connection = state.followers[follower] { state.effects.append(.send(text, connection)) }
        }
    }

    /// Changes the state under the lock, then carries out what follows from it outside, in order and one at a time.
    ///
    /// A sink or a link that calls back in finds the lock free; what it causes comes after what caused it.
    func change<Result>(_ body: (inout sending GatewayState) -> sending Result) -> sending Result {
        let result = state.withLock { body(&$0) }
        carryOut()
        return result
    }

    func carryOut() {
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
    }

    func nextEffects() -> [GatewayEffect]? {
        state.withLock { state in
            guard !state.isCarryingOut, !state.effects.isEmpty else { return nil }
            state.isCarryingOut = true
            defer { state.effects = [] }
            return state.effects
        }
    }
}
