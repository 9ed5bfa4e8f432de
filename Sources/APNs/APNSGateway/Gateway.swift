import Crypto
import DeviceLink
package import Foundation
package import PushClock
package import PushModel
import Synchronization

/// The core of the APNs-compatible gateway, without a socket: it judges requests, keeps what waits, and talks to devices.
///
/// Providers come in through ``respond(to:on:)``, devices through ``courier``, followers of events through ``events``.
/// ``GatewayServer`` puts sockets around it. With a folder for its mail, a gateway that starts again knows all tokens, since
/// when the dead ones are dead, what waits in mailboxes, and channels. Without one, a device that registers again has its
/// token back, as tokens are derived from the secret, and all else is lost.
package final class Gateway: Sendable {
    let clock: any CivilClock
    let sink: (any JourneySink)?
    let policy: Mailbox.Policy
    let restraint: Restraint.Rules
    let mint: TokenMint
    let credentials: CredentialRegistry
    let state: Mutex<GatewayState>
    /// For ids, which have to differ, not to be secret.
    let random = Mutex(SplitMix(seed: .random(in: .min ... .max)))
    let metrics = GatewayMetrics()
    let counts: ResponseCounts
    let faultController: FaultController
    let providerConnections = ProviderConnections()
    let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Where the state is kept; nil for a gateway that keeps it to itself.
    let log: MailLog?

    /// A gateway that forgets everything when it ends. Of the parameters:
    /// * `secret`: from which device tokens are derived; 32 random bytes that stay the same over restarts.
    /// * `clock`: what the gateway reads for expirations and the age of provider tokens.
    /// * `sink`: is told the gateway's own events and those of the devices.
    /// * `rules`: what of the judgement, and of what a device is spared, can be chosen.
    package convenience init(
        secret: [UInt8],
        clock: any CivilClock,
        sink: (any JourneySink)? = nil,
        policy: Mailbox.Policy = .placePerCollapseID,
        rules: GatewayRules = GatewayRules()
    ) {
        self.init(
            TokenMint(secret: secret),
            clock,
            sink,
            policy,
            rules,
            Restraint.Rules(rules),
            GatewayState(rules),
            nil
        )
    }

    init(
        _ mint: TokenMint,
        _ clock: any CivilClock,
        _ sink: (any JourneySink)?,
        _ policy: Mailbox.Policy,
        _ rules: GatewayRules,
        _ restraint: Restraint.Rules,
        _ state: consuming sending GatewayState,
        _ log: MailLog?
    ) {
        self.clock = clock
        self.sink = sink
        self.policy = policy
        self.mint = mint
        self.log = log
        self.restraint = restraint
        credentials = CredentialRegistry(rules: rules)
        self.state = Mutex(state)
        counts = ResponseCounts(metrics: metrics)
        faultController = FaultController(clock: clock, seed: .random(in: .min ... .max))
    }

    // MARK: - Credentials

    /// Believes a key, or replaces the one with its id.
    package func addKey(_ key: GatewayKey) { credentials.add(key) }

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
    package var keys: [GatewayKey] { credentials.keys }

    /// From now on the key is answered with 403 `Forbidden`.
    package func revoke(_ keyID: String) { credentials.revoke(keyID) }

    /// From now on the certificate is answered with 403 `BadCertificate`.
    package func revokeCertificate(serialNumber: [UInt8]) { credentials.revokeCertificate(serialNumber) }

    /// Answers every request that makes sense with this reason: `InternalServerError`, `ServiceUnavailable` or `Shutdown`,
    /// as a service in trouble does; nil ends it. A wrong path or method is told before, our choice.
    package func setOutage(_ reason: APNSReason?) { credentials.outage = reason }

    /// The outage that was set; nil if there is none.
    package var outage: APNSReason? { credentials.outage }

    /// Says which bundle ids a team owns; nil, as it is at first, for all that no other team lists.
    package func setBundleIDs(_ bundleIDs: Set<String>?, ofTeam team: String) {
        credentials.setBundleIDs(bundleIDs, of: team)
    }

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
            guard let place = self.place(of: token, state) else { return }
            self.kill(place, since: date ?? clock.date, hasExpired: true, &state)
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
        if let place = state.place(of: key) { return place }
        let mailbox = Mailbox(policy: policy, rules: restraint)
        let record = TokenRecord(token: key, environment: environment, mailbox: mailbox, topic: topic, app: app)
        let place = state.add(record)
        state.tail?.append(.token(place: place, record.asMade))
        return place
    }

    // MARK: - Effects

    func carry(_ effects: [Mailbox.Effect], of place: Int, _ now: Date, _ state: inout GatewayState) {
        for effect in effects {
            switch effect {
            case .deliver(let push):
                guard let app = state.records[place].app else { break }
                deliver(push, to: app, of: place, &state)
            case .stored(let id): record(.stored, id, now, &state)
            case .coalesced(let id): end(id, .coalesced, of: place, now, &state)
            case .expired(let id): end(id, .expired, of: place, now, &state)
            case .delivered(let id): end(id, .delivered, of: place, now, &state)
            case .overBudget(let id): record(.suppressed(.budget), id, now, &state)
            }
        }
        watchExpiration(of: place, &state)
    }

    /// A push waits no more.
    func end(_ id: PushID, _ how: JourneyEvent.Kind, of place: Int, _ now: Date, _ state: inout GatewayState) {
        state.tail?.append(.gone(place: place, id))
        record(how, id, now, &state)
    }

    /// Has ``runExpirations()`` wake up when what waits there is over, or was held back long enough.
    func watchExpiration(of place: Int, _ state: inout GatewayState) {
        countWaiting(at: place, &state)
        guard let next = state.records[place].mailbox.nextMoment, state.watch(place, at: next) else { return }
        wake(at: next, &state)
    }

    func wake(at next: Date, _ state: inout GatewayState) {
        if state.wakesAt.map({ next < $0 }) ?? true {
            state.wakesAt = next
            wakeUp.yield()
        }
    }

    /// In line, as each push is recorded once or twice: a kind that is known needs no look at what kinds there are.
    @inline(__always)
    func record(_ kind: JourneyEvent.Kind, _ id: PushID, _ now: Date, _ state: inout GatewayState) {
        state.tally.count(kind)
        metrics.count(kind)
        record(JourneyEvent(date: now, station: .gateway, kind: kind), id, &state)
    }

    @inline(__always)
    func record(_ event: JourneyEvent, _ id: PushID, _ state: inout GatewayState) {
        if sink != nil { state.effects.append(.record(event, .push(apnsID: id.text))) }
        for (follower, after) in state.feed.append(event, id) {
            state.effects.append(.sendPage(after: after, follower))
        }
    }

    /// Changes the state under the lock, then carries out what follows from it outside, in order and one at a time.
    ///
    /// A sink or a link that calls back in finds the lock free; what it causes comes after what caused it.
    func change<Result>(_ body: (inout sending GatewayState) -> sending Result) -> sending Result {
        let (result, writes) = state.withLock { state in
            let result = body(&state)
            return (result, mustWrite(&state))
        }
        if writes { write() }
        carryOut()
        return result
    }

    func carryOut() {
        while let effects = nextEffects() {
            for effect in effects {
                switch effect {
                case .send(let text, let connection): connection.send(text)
                case .close(let connection): connection.close()
                case .sendPage(let after, let follower): sendPage(after: after, toFollower: follower)
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
