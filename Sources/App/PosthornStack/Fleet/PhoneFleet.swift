package import DeviceLink
import Foundation
import HeapModule
package import PushClock
package import PushModel
import Synchronization

/// Many phones in one process, for load tests: each has a courier link and one app's token, but neither a system nor an app.
///
/// A phone acknowledges its pushes, loses its link and opens another, and reports that its user has opened a push, by the seed alone.
/// Nothing is presented, and no app runs.
package final class PhoneFleet: Sendable {
    /// Something that a phone does at a time.
    private enum Deed: Hashable {
        case dial
        case acknowledge(String)
        case open(String)
        case leave
        case comeBack
    }

    private struct Due: Comparable {
        var date: Date
        /// The order in which they were added, for those of one date.
        var number: Int
        var phone: Int
        var deed: Deed

        static func < (one: Self, other: Self) -> Bool { (one.date, one.number) < (other.date, other.number) }
    }

    private struct Phone {
        var courier: LinkedCourier
        var periods: SplitMix
        var choices: SplitMix
        var token: DeviceToken?
        var begun = Duration.zero
        var isAway = false
    }

    private struct State {
        var phones: [Phone] = []
        var agenda: Heap<Due> = []
        var added = 0
        var wakesAt: Date?
        /// The number of phones that have begun to open their first link.
        var begun = 0
        var figures = FleetFigures()
        /// The last reason why a phone has no link.
        var obstacle: String?
    }

    /// The phones that open their first link at a time: a listener's backlog holds no more.
    private static let opening = 500
    private let behaviour: FleetBehaviour
    private let sentAt: String?
    private let clock: any CivilClock
    private let elapsed: @Sendable () -> Duration
    private let tell: @Sendable (_ obstacle: String) -> Void
    private let keeper = DateKeeper()
    private let state = Mutex(State())
    private let ready = Announcement<Void>()

    /// - Parameters:
    ///   - count: the number of phones.
    ///   - topic: the bundle id of their app.
    ///   - environment: the environment of their tokens.
    ///   - behaviour: what they do.
    ///   - sentAt: the key of a payload's top level that has the time of sending in milliseconds since 1970; nil if none has.
    ///   - url: the address of the gateway's courier link.
    ///   - clock: the clock of all phones.
    ///   - tell: receives the reason why a phone has no link, if it is not the same as before.
    ///   - dialer: returns what opens the links of a phone.
    package init(
        count: Int,
        topic: String,
        environment: APNSEnvironment,
        behaviour: FleetBehaviour,
        sentAt: String?,
        url: String,
        clock: any CivilClock,
        tell: @escaping @Sendable (_ obstacle: String) -> Void,
        dialer: (_ phone: Int) -> any LinkDialer
    ) {
        self.behaviour = behaviour
        self.sentAt = sentAt
        self.clock = clock
        self.tell = tell
        elapsed = clock.stopwatch()
        let phones = (0..<count).map { number in
            var random = behaviour.random(number, 0)
            var client = CourierClient(
                device: "phone-\(behaviour.seed)-\(number)",
                key: CourierClient.makeKey(using: &random),
                // The gateway ignores numbers of events that a phone of an earlier run has used.
                firstNumber: Int64(clock.date.timeIntervalSince1970 * 1000)
            )
            _ = client.register(topic: topic, environment: environment)
            let courier = LinkedCourier(
                client,
                url: url,
                dialer: dialer(number),
                random: random,
                acknowledgesLater: behaviour.deliverySeconds > 0,
                failed: { [weak self] in self?.failed($0, isRefusal: $1) }
            ) { [weak self] _, action in self?.perform(action, of: number) }
            return Phone(courier: courier, periods: behaviour.random(number, 1), choices: behaviour.random(number, 2))
        }
        state.withLock { $0.phones = phones }
    }

    /// The tokens of the phones that have one, in the order of their numbers.
    package var tokens: [DeviceToken] { state.withLock { $0.phones.compactMap(\.token) } }

    package var figures: FleetFigures { state.withLock(\.figures) }

    /// Returns when every phone has its token.
    ///
    /// - Throws: ``LinkRefusal`` if the gateway refuses a phone, which then never has one.
    package func whenReady() async throws { try await ready.value }

    /// Runs the phones until the task is cancelled, and closes their links.
    package func run() async {
        start()
        await keeper.run(on: clock) {
            carryOut()
            return state.withLock { state in
                state.wakesAt = state.agenda.min?.date
                return state.wakesAt
            }
        }
        stop()
    }

    /// Lets the phones open their links, a few hundred at a time.
    package func start() { for _ in 0..<Self.opening { begin() } }

    /// Lets the phones do what is due by now.
    package func carryOut() { while let due = takeDue() { carryOut(due.deed, of: due.phone) } }

    /// Closes the links of all phones.
    package func stop() {
        let couriers = state.withLock { state in
            for phone in state.phones.indices { state.phones[phone].isAway = true }
            return state.phones.map(\.courier)
        }
        for courier in couriers { courier.change { $0.stop() } }
    }

    private func takeDue() -> Due? {
        let now = clock.date.addingTimeInterval(0.001)
        return state.withLock { state in
            guard let next = state.agenda.min, next.date <= now else { return nil }
            return state.agenda.popMin()
        }
    }

    private func schedule(_ deed: Deed, of phone: Int, in seconds: Double) {
        let date = clock.date.addingTimeInterval(seconds)
        let isEarlier = state.withLock { state in
            state.added += 1
            state.agenda.insert(Due(date: date, number: state.added, phone: phone, deed: deed))
            guard state.wakesAt.map({ date < $0 }) ?? true else { return false }
            state.wakesAt = date
            return true
        }
        if isEarlier { keeper.wake() }
    }

    /// Lets the next phone open its first link.
    private func begin() {
        let now = elapsed()
        let courier: LinkedCourier? = state.withLock { state in
            guard state.begun < state.phones.count else { return nil }
            defer { state.begun += 1 }
            state.phones[state.begun].begun = now
            return state.phones[state.begun].courier
        }
        courier?.change { $0.start() }
    }

    private func carryOut(_ deed: Deed, of phone: Int) {
        let courier = state.withLock { $0.phones[phone].courier }
        switch deed {
        case .dial: courier.change { $0.waited() }
        case .acknowledge(let id): courier.change { $0.acknowledge(id) }
        case .open(let id):
            state.withLock { $0.figures.opened += 1 }
            let event = JourneyEvent(date: clock.date, station: .device, kind: .opened)
            courier.change { $0.report(event, of: id) }
        case .leave:
            let seconds = state.withLock { state in
                state.phones[phone].isAway = true
                return state.phones[phone].periods.seconds(mean: behaviour.offlineSeconds)
            }
            courier.change { $0.stop() }
            schedule(.comeBack, of: phone, in: seconds)
        case .comeBack:
            state.withLock { $0.phones[phone].isAway = false }
            courier.change { $0.start() }
            stay(phone)
        }
    }

    /// Schedules the end of a phone's time with a link.
    private func stay(_ phone: Int) {
        guard let mean = behaviour.onlineSeconds else { return }
        schedule(.leave, of: phone, in: state.withLock { $0.phones[phone].periods.seconds(mean: mean) })
    }

    private func perform(_ action: CourierClient.Action, of phone: Int) {
        switch action {
        case .wait(let delay): schedule(.dial, of: phone, in: delay / .seconds(1))
        case .connected: state.withLock { $0.figures.links += 1 }
        case .disconnected(let reason):
            guard !state.withLock({ $0.phones[phone].isAway }) else { return }
            state.withLock { $0.figures.lostLinks += 1 }
            failed(reason, isRefusal: false)
        case .token(_, _, let token): received(token, by: phone)
        case .deliver(let push): received(push, by: phone)
        case .open, .close, .send, .channelEnded: break
        }
    }

    private func failed(_ reason: String, isRefusal: Bool) {
        if state.withLock({ exchange(&$0.obstacle, with: reason) }) != reason { tell(reason) }
        if isRefusal { ready.make(.failure(LinkRefusal(reason))) }
    }

    private func received(_ token: DeviceToken, by phone: Int) {
        let now = elapsed()
        let (isFirst, isLast, isOffline) = state.withLock { state in
            let isFirst = state.phones[phone].token == nil
            state.phones[phone].token = token
            guard isFirst else { return (false, false, false) }
            state.figures.registered(within: now - state.phones[phone].begun)
            let isLast = state.figures.registered == state.phones.count
            if isLast { state.figures.readyAfter = now }
            let draw = Double.random(in: 0..<1, using: &state.phones[phone].periods)
            return (true, isLast, draw < behaviour.offlineShare)
        }
        guard isFirst else { return }
        if isOffline { schedule(.leave, of: phone, in: 0) } else { stay(phone) }
        if isLast { ready.make(.success(())) }
        begin()
    }

    private func received(_ push: CourierPush, by phone: Int) {
        let now = elapsed()
        let sent = sentAt.flatMap { (try? JSONValue(parsing: push.payload))?.object?[$0]?.integer }
        let latency = sent.map { Duration.seconds(clock.date.timeIntervalSince1970 - Double($0) / 1000) }
        // Three numbers for each push, so that one choice does not change the next.
        let (delivery, opening, draw) = state.withLock { state in
            state.figures.arrived(at: now, latency: latency)
            return (
                state.phones[phone].choices.seconds(mean: behaviour.deliverySeconds),
                state.phones[phone].choices.seconds(mean: behaviour.openSeconds),
                Double.random(in: 0..<1, using: &state.phones[phone].choices)
            )
        }
        if behaviour.deliverySeconds > 0 { schedule(.acknowledge(push.apnsID), of: phone, in: delivery) }
        if draw < behaviour.openShare { schedule(.open(push.apnsID), of: phone, in: delivery + opening) }
    }
}
