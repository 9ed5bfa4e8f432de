import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import SystemPort
import UserNotifications

/// The SDK in one process of an app.
final class JPushClient: Sendable {
    enum AlarmKey: Hashable, Sendable {
        case backoff
        /// The interval in which acknowledgements are collected.
        case gathering
        case heartbeat
        /// The pause after exceeding a rate limit.
        case pause
        case request(Int64)
        case `extension`
    }

    struct Shell {
        var connection: (any LinkConnection)?
        var alarms: [AlarmKey: Alarm] = [:]
        /// The number of the current alarm for each key. An alarm may ring before it is stored in ``alarms``.
        var current: [AlarmKey: Int] = [:]
        var lastAlarm = 0
        var isLoading = false
        var lifeCycle: LifeCycleObserver?
    }

    let port: PortReference
    let state: EffectQueue<JPushState>
    let shell = Mutex(Shell())
    let delegates = DelegateBox()
    let center: CenterDelegate
    let log = JPushLog()

    private init(_ port: any SystemPort, isExtension: Bool) {
        self.port = PortReference(port)
        center = CenterDelegate(delegates) { _ in }
        state = EffectQueue(JPushState(random: PortRandom(port: self.port), isExtension: isExtension))
    }

    deinit {
        for alarm in shell.withLock({ Array($0.alarms.values) }) { alarm.cancel() }
    }

    /// Returns the SDK of the app behind `port`, or of its service extension. It has the state of an earlier process
    /// from the first call on.
    static func of(_ port: any SystemPort, isExtension: Bool = false) -> JPushClient {
        let client = port.slots.slot { JPushClient(port, isExtension: isExtension) }
        let isFirst = client.shell.withLock { shell in
            defer { shell.isLoading = true }
            return !shell.isLoading
        }
        if isFirst { client.begin(port, isExtension: isExtension) }
        return client
    }

    private func begin(_ port: any SystemPort, isExtension: Bool) {
        if isExtension { return load(StoreKey.allCases[...], [:]) }
        let observer = LifeCycleObserver(port) { [weak self] isInFront in
            self?.update { $0.moved(toFront: isInFront) }
        }
        shell.withLock { $0.lifeCycle = observer }
        let isInFront = LifeCycleObserver.isInFront(on: port)
        update { $0.moved(toFront: isInFront) }
        load(StoreKey.allCases[...], [:])
    }

    private func load(_ keys: ArraySlice<StoreKey>, _ texts: [StoreKey: String]) {
        guard let port = port.port else { return }
        guard let key = keys.first else {
            let facts = port.facts
            return update { $0.loaded(Stored(texts), facts) }
        }
        port.call(.readStorage(key: key.rawValue)) { [weak self] reply in
            guard case .value(let text) = reply else { return }
            var texts = texts
            texts[key] = text
            self?.load(keys.dropFirst(), texts)
        }
    }

    func update(_ body: (inout JPushState) -> Void) { state.update(perform: perform, body) }

    /// Runs an app's closure on the main thread, after this call, in the order of the calls.
    func onMain(_ body: @escaping () -> Void) {
        guard let port = port.port else { return }
        let body = Handoff(body)
        let piece = AppWork.of(port).begin()
        MainThread.async { CurrentPort.with(port, in: piece) { body.value() } }
    }

    var now: Date { port.port?.clock.date ?? .distantPast }

    // MARK: Effects

    func perform(_ effect: JPushState.Effect) {
        switch effect {
        case .link(let action): perform(action)
        case .open(let link): openLink(link)
        case .beat(let delay): set(.heartbeat, after: delay) { $0.beat() }
        case .ping: shell.withLock(\.connection)?.ping()
        case .save(let key, let text): port.port?.call(.writeStorage(key: key.rawValue, value: text)) { _ in }
        case .post(let event): onMain { event.post() }
        case .answer(let handler, let reply): onMain { handler(reply) }
        case .known(let handler, let code, let id): onMain { handler(Int32(clamping: code), id) }
        case .deliver(let message) where message.isInApp: receive(inApp: message)
        case .deliver(let message): deliver(message)
        case .showInApp(let message): show(message)
        case .hideInApp(let message): hide(message)
        case .log(let level, let text): log.write(level, text)
        }
    }

    // MARK: Alarms

    func set(_ key: AlarmKey, after delay: Duration, _ ring: @escaping @Sendable (inout JPushState) -> Void) {
        guard let port = port.port else { return }
        cancel(key)
        let number = shell.withLock { shell in
            shell.lastAlarm += 1
            shell.current[key] = shell.lastAlarm
            return shell.lastAlarm
        }
        let alarm = AppWork.of(port).alarm(after: delay, on: port.clock) { [weak self] in
            self?.update(ring)
            self?.shell.withLock { $0.remove(key, number) }
        }
        let isWanted = shell.withLock { shell in
            guard shell.current[key] == number else { return false }
            shell.alarms[key] = alarm
            return true
        }
        if !isWanted { alarm.cancel() }
    }

    func cancel(_ key: AlarmKey) {
        let alarm = shell.withLock { shell in
            shell.current[key] = nil
            return shell.alarms.removeValue(forKey: key)
        }
        alarm?.cancel()
    }
}

extension JPushClient.Shell {
    /// Removes an alarm that has rung, unless another one has replaced it.
    fileprivate mutating func remove(_ key: JPushClient.AlarmKey, _ number: Int) {
        guard current[key] == number else { return }
        current[key] = nil
        alarms[key] = nil
    }
}
