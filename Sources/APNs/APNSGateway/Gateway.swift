import DeviceLink
package import Foundation
package import PushClock
package import PushModel
import Synchronization

/// The core of the APNs-compatible gateway, without sockets: judges requests, stores waiting pushes, and talks to devices.
///
/// Providers use ``respond(to:on:)``, devices ``courier``, followers of events ``events``.
/// ``GatewayServer`` adds the sockets. With a mail folder, a restarted gateway still knows all tokens, the death dates of
/// tokens, waiting pushes and channels. Without one, a device that registers again gets the same token, because tokens are
/// derived from the secret; everything else is lost.
package final class Gateway: Sendable {
    let clock: any CivilClock
    let sink: (any JourneySink)?
    /// The initial mailbox of each token.
    let mailbox: Mailbox
    let mint: TokenMint
    let credentials: CredentialRegistry
    let state: Mutex<GatewayState>
    /// The generator of ids, which must differ but need not be secret.
    let random = Mutex(SplitMix(seed: .random(in: .min ... .max)))
    let metrics = GatewayMetrics()
    let counts: ResponseCounts
    let faultController: FaultController
    let providerSessions = ProviderSessions()
    let keeper = DateKeeper()
    let answerDate = AnswerDate()

    /// The log that stores the state; nil for a gateway that keeps its state in memory.
    let log: MailLog?

    /// Creates a gateway that keeps its state in memory.
    ///
    /// `secret` is the key that device tokens are derived from; 32 random bytes that stay the same over restarts.
    /// `clock` is the clock for expirations and the age of provider tokens. `sink` receives the events of the gateway
    /// and of the devices. `rules` is the configurable parts of the judgement and of the restraint towards devices.
    package convenience init(
        secret: [UInt8],
        clock: any CivilClock,
        sink: (any JourneySink)? = nil,
        rules: GatewayRules = GatewayRules()
    ) {
        self.init(
            secret: secret,
            clock: clock,
            sink: sink,
            mailbox: Mailbox(rules),
            rules: rules,
            state: GatewayState(),
            log: nil
        )
    }

    /// Creates a gateway with mailboxes like `mailbox`.
    init(
        secret: [UInt8],
        clock: any CivilClock,
        sink: (any JourneySink)?,
        mailbox: Mailbox,
        rules: GatewayRules,
        state: consuming sending GatewayState,
        log: MailLog?
    ) {
        self.clock = clock
        self.sink = sink
        self.mailbox = mailbox
        self.log = log
        mint = TokenMint(secret: secret)
        faultController = FaultController(clock: clock, seed: .random(in: .min ... .max))
        credentials = CredentialRegistry(rules: rules, faults: faultController)
        let topics = state.topics
        self.state = Mutex(state)
        counts = ResponseCounts(metrics: metrics)
        for topic in topics { credentials.addIssued(topic) }
    }

    // MARK: - Credentials

    /// The outage that was set; nil if there is none.
    package var outage: APNSReason? { credentials.outage }

    /// Sets the bundle ids that a team owns; nil, the default, stands for all that no other team lists.
    package func setBundleIDs(_ bundleIDs: Set<String>?, ofTeam team: String) {
        credentials.setBundleIDs(bundleIDs, of: team)
    }

    // MARK: - Device tokens without a device

    /// Issues a token without a device: pushes to it are judged and stored, but never delivered.
    package func issueToken(topic: String, environment: APNSEnvironment) -> DeviceToken {
        let device = "none:" + UUID().uuidString
        let token = mint.token(device: device, topic: topic, environment: environment, generation: 0)
        change { state in
            _ = self.add(token, topic: topic, environment: environment, in: &state)
        }
        return token
    }

    /// Kills a token: pushes to it are answered with 410 and this date, which is now by default.
    package func unregisterToken(_ token: DeviceToken, since date: Date? = nil) {
        change { state in
            if let index = self.index(of: token, state) { self.kill(index, since: date ?? clock.date, &state) }
        }
    }

    /// Expires a token: pushes to it are answered with 410 `ExpiredToken`. An app that registers again gets another token.
    package func expireToken(_ token: DeviceToken, since date: Date? = nil) {
        change { state in
            guard let index = self.index(of: token, state) else { return }
            self.kill(index, since: date ?? clock.date, hasExpired: true, &state)
        }
    }

    func index(of token: DeviceToken, _ state: GatewayState) -> Int? { state.index(of: TokenKey(token)) }

    /// Returns the index of a token's record, which is created if there is none.
    func add(
        _ token: DeviceToken,
        topic: String,
        environment: APNSEnvironment,
        of app: CourierServer.DeviceApp? = nil,
        in state: inout GatewayState
    ) -> Int {
        let key = TokenKey(token)
        if let index = state.index(of: key) { return index }
        let record = TokenRecord(token: key, environment: environment, mailbox: mailbox, topic: topic, app: app)
        let index = state.add(record, of: token)
        if state.addTopic(topic) { credentials.addIssued(topic) }
        let made = state.made(index)
        state.tail?.append(.token(index: index, made))
        return index
    }

    // MARK: - Effects

    func carry(_ effects: some Sequence<Mailbox.Effect>, of index: Int, at now: Date, in state: inout GatewayState) {
        for effect in effects {
            switch effect {
            case .deliver(let push):
                guard let app = state.records[index].app else { break }
                deliver(push, to: app, of: index, &state)
            case .stored(let id): record(.stored, of: id, at: now, in: &state)
            case .coalesced(let id): end(id, as: .coalesced, of: index, at: now, in: &state)
            case .expired(let id): end(id, as: .expired, of: index, at: now, in: &state)
            case .delivered(let id): end(id, as: .delivered, of: index, at: now, in: &state)
            case .overBudget(let id): record(.suppressed(.budget), of: id, at: now, in: &state)
            }
        }
        watchExpiration(of: index, &state)
    }

    /// Reports that a push no longer waits.
    func end(_ id: APNSID, as kind: JourneyEvent.Kind, of index: Int, at now: Date, in state: inout GatewayState) {
        state.tail?.append(.gone(index: index, id))
        record(kind, of: id, at: now, in: &state)
    }

    /// Makes ``runExpirations()`` wake up when a push of the mailbox expires or is due for release.
    func watchExpiration(of index: Int, _ state: inout GatewayState) {
        countWaiting(at: index, &state)
        guard let next = state.records[index].mailbox.nextMoment, state.watch(index, at: next) else { return }
        wake(at: next, &state)
    }

    func wake(at next: Date, _ state: inout GatewayState) {
        if state.wakesAt.map({ next < $0 }) ?? true {
            state.wakesAt = next
            keeper.wake()
        }
    }

    /// Reports an event. Inlined because each push is recorded once or twice, and a constant kind needs no switch.
    @inline(__always)
    func record(_ kind: JourneyEvent.Kind, of id: APNSID, at now: Date, in state: inout GatewayState) {
        state.tally.count(kind)
        metrics.count(kind)
        record(JourneyEvent(date: now, station: .gateway, kind: kind), of: id, in: &state)
    }

    /// Reports an event of the gateway or a device.
    ///
    /// `device` is the number of the device that reports it on a channel message; ``EventFeed/noDevice`` for other
    /// events.
    @inline(__always)
    func record(
        _ event: JourneyEvent,
        of id: APNSID,
        by device: UInt32 = EventFeed.noDevice,
        in state: inout GatewayState
    ) {
        if sink != nil { state.effects.append(.record(event, .push(apnsID: id.text))) }
        for (follower, after) in state.feed.append(event, id, by: device) {
            state.effects.append(.sendPage(after: after, follower))
        }
    }

    /// Changes the state under the lock, then carries out the resulting effects outside it, in order and one at a time.
    ///
    /// A sink or link that calls back finds the lock free; the effects it causes come after the ones that caused them.
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
                case .sendToAll(let batch, let connections): for connection in connections { connection.send(batch) }
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
