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
        let token: TokenKey
        var topic: String
        var environment: APNSEnvironment
        /// Since when the token is dead.
        var unregistered: Date?
        /// It has died of old age, and not with its app.
        var hasExpired = false
        var isWaiting = false
        var mailbox: Mailbox
        /// Nil for a token that belongs to no device.
        var app: CourierServer.App?
    }

    private enum Effect {
        case send(String, any LinkConnection)
        case close(any LinkConnection)
        case record(JourneyEvent, JourneySubject)
    }

    private struct State {
        /// Where a token's record stands in ``records``, by the token's prefix: this table is searched for each push, and
        /// is better small.
        var places: [UInt64: Int32] = [:]
        /// The same for tokens whose prefix another one has.
        var otherPlaces: [TokenKey: Int32] = [:]
        var records: [TokenRecord] = []
        var placeOfApp: [CourierServer.App: Int] = [:]
        var removals: [CourierServer.App: Int] = [:]
        /// Records whose mailbox holds something that expires.
        var waiting: Set<Int> = []
        var courier = CourierServer()
        var courierLinks: [CourierServer.LinkID: any LinkConnection] = [:]
        var feed: EventFeed
        var followers: [Int: any LinkConnection] = [:]
        var nextFollower = 1
        /// Empty but while a push is taken in; kept for its memory.
        var mailEffects: [Mailbox.Effect] = []
        /// What is to be done outside the lock, in this order.
        var effects: [Effect] = []
        var isCarryingOut = false
        var wakesAt: Date?
        /// Nil for a gateway that takes as many as come.
        var pace: PushPaceRecord?
        var channels = ChannelBook()

        func place(of token: TokenKey) -> Int? {
            guard let place = places[token.prefix] else { return nil }
            if records[Int(place)].token == token { return Int(place) }
            return otherPlaces[token].map(Int.init)
        }

        /// Adds a token that has no record yet.
        mutating func add(_ record: TokenRecord) -> Int {
            let place = Int32(records.count)
            if places[record.token.prefix] == nil {
                places[record.token.prefix] = place
            } else {
                otherPlaces[record.token] = place
            }
            records.append(record)
            return Int(place)
        }
    }

    let clock: any CivilClock
    private let sink: (any JourneySink)?
    private let policy: Mailbox.Policy
    private let mint: TokenMint
    let book: CredentialBook
    private let state: Mutex<State>
    /// For ids, which have to differ, not to be secret.
    private let random = Mutex(SplitMix(seed: .random(in: .min ... .max)))
    private let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

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
        let feed = EventFeed(log: UUID().uuidString.lowercased())
        state = Mutex(State(feed: feed, pace: rules.pace.map { PushPaceRecord($0) }))
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

    /// From now on the certificate is answered with 403 `BadCertificate`.
    package func revokeCertificate(serialNumber: [UInt8]) { book.revokeCertificate(serialNumber) }

    /// Answers every request that makes sense with this reason: `InternalServerError`, `ServiceUnavailable` or `Shutdown`,
    /// as a service in trouble does; nil ends it. A wrong path or method is told before, our choice.
    package func setOutage(_ reason: APNSReason?) { book.outage = reason }

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

    private func place(of token: DeviceToken, _ state: State) -> Int? {
        TokenKey(token).flatMap { state.place(of: $0) }
    }

    /// The place of a token's record, which is made if there is none.
    private func add(
        _ token: DeviceToken,
        _ topic: String,
        _ environment: APNSEnvironment,
        of app: CourierServer.App? = nil,
        _ state: inout State
    ) -> Int {
        guard let key = TokenKey(token) else { preconditionFailure("The mint makes tokens of 32 octets.") }
        let mailbox = Mailbox(policy: policy)
        return state.place(of: key)
            ?? state.add(
                TokenRecord(token: key, topic: topic, environment: environment, mailbox: mailbox, app: app)
            )
    }

    // MARK: - Providers

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

    private static func isBroadcast(_ request: HTTP2Message) -> Bool {
        request.text(of: .path)?.hasPrefix(Judge.broadcastPrefix) ?? false
    }

    static let json = Array("application/json".utf8)

    func makeID() -> PushID {
        random.withLock { PushID(high: $0.next(), low: $0.next()).version4 }
    }

    /// Looks where the token stands and puts the push into its mailbox, in one go.
    ///
    /// - Returns: why not, if the token does not take it.
    private func take(
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
                if let place = state.placeOfApp[app] { kill(place, since: now, &state) }
            case .acknowledged(let app, let apnsID):
                guard let place = state.placeOfApp[app], let id = PushID(apnsID) else { break }
                carry(state.records[place].mailbox.acknowledge(id, at: now), of: place, now, &state)
            case .lost(let app):
                guard let place = state.placeOfApp[app] else { break }
                carry(state.records[place].mailbox.disconnect(at: now), of: place, now, &state)
            case .record(let event):
                // What is no apns-id was not made here.
                if let id = PushID(event.apnsID) { record(event.event, id, &state) }
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
        let place = add(token, app.topic, app.environment, of: app, &state)
        state.placeOfApp[app] = place
        act(state.courier.registered(app, token: token), &state)
        carry(state.records[place].mailbox.connect(at: now), of: place, now, &state)
    }

    private func kill(_ place: Int, since date: Date, _ state: inout State) {
        guard state.records[place].unregistered == nil else { return }
        state.records[place].unregistered = date
        state.records[place].mailbox = Mailbox(policy: policy)
        state.records[place].isWaiting = false
        state.waiting.remove(place)
        guard let app = state.records[place].app else { return }
        state.placeOfApp[app] = nil
        state.removals[app, default: 0] += 1
    }

    // MARK: - Channels

    /// Changes the channels, and tells what follows as the journey of their messages.
    func changeChannels<Result: Sendable>(
        _ body: (inout ChannelBook) -> (Result, [ChannelBook.Effect])
    ) -> Result {
        let now = clock.date
        return change { state in
            let (result, effects) = body(&state.channels)
            self.carry(effects, now, &state)
            return result
        }
    }

    private func carry(_ effects: [ChannelBook.Effect], _ now: Date, _ state: inout State) {
        guard !effects.isEmpty else { return }
        for effect in effects {
            switch effect {
            case .stored(let id): record(.stored, id, now, &state)
            case .coalesced(let id): record(.coalesced, id, now, &state)
            case .expired(let id): record(.expired, id, now, &state)
            }
        }
        if let next = state.channels.nextExpiration { wake(at: next, &state) }
    }

    // MARK: - Effects

    private func carry(_ effects: [Mailbox.Effect], of place: Int, _ now: Date, _ state: inout State) {
        for effect in effects {
            switch effect {
            case .deliver(let push):
                guard let app = state.records[place].app else { break }
                act(state.courier.deliver(push.courierPush(state.records[place].environment), to: app), &state)
            case .stored(let id): record(.stored, id, now, &state)
            case .coalesced(let id): record(.coalesced, id, now, &state)
            case .expired(let id): record(.expired, id, now, &state)
            case .delivered(let id): record(.delivered, id, now, &state)
            }
        }
        watchExpiration(of: place, &state)
    }

    /// Has ``runExpirations()`` wake up when what waits there is over.
    private func watchExpiration(of place: Int, _ state: inout State) {
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

    private func wake(at next: Date, _ state: inout State) {
        if state.wakesAt.map({ next < $0 }) ?? true {
            state.wakesAt = next
            wakeUp.yield()
        }
    }

    private func record(_ kind: JourneyEvent.Kind, _ id: PushID, _ now: Date, _ state: inout State) {
        record(JourneyEvent(date: now, station: .gateway, kind: kind), id, &state)
    }

    private func record(_ event: JourneyEvent, _ id: PushID, _ state: inout State) {
        if sink != nil { state.effects.append(.record(event, .push(apnsID: id.text))) }
        guard let (text, followers) = state.feed.append(event, id) else { return }
        for follower in followers {
            if let connection = state.followers[follower] { state.effects.append(.send(text, connection)) }
        }
    }

    /// Changes the state under the lock, then carries out what follows from it outside, in order and one at a time.
    ///
    /// A sink or a link that calls back in finds the lock free; what it causes comes after what caused it.
    private func change<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        let result = state.withLock { body(&$0) }
        carryOut()
        return result
    }

    private func carryOut() {
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
            for place in state.waiting {
                self.carry(state.records[place].mailbox.expire(at: now), of: place, now, &state)
            }
            self.carry(state.channels.expire(at: now), now, &state)
        }
    }

    private func nextExpiration() -> Date? {
        state.withLock { state in
            let dates = state.waiting.compactMap { state.records[$0].mailbox.nextExpiration }
            state.wakesAt = (dates + [state.channels.nextExpiration].compactMap(\.self)).min()
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

extension Judge.Rejection {
    /// As APNs writes it.
    func body(_ rules: GatewayRules) -> [UInt8] {
        var object: JSONObject = ["reason": .string(rules.spelling(of: reason))]
        object["timestamp"] = timestamp.map { .integer(Int64($0.timeIntervalSince1970 * 1000)) }
        return JSONValue.object(object).bytes
    }
}
