import DeviceLink
import Foundation
import PushModel
import Synchronization
import SystemPort
import UserNotifications

/// The SDK in one process of an app.
final class JPushClient: Sendable {
    private struct Shell {
        /// Counts the links, so that a word from an old one is known as such.
        var link = 0
        var connection: (any LinkConnection)?
        var alarms: [Int64: Alarm] = [:]
    }

    /// The number under which the alarm of the back-off is kept; requests count from 1.
    private static let backoff: Int64 = 0

    private let port: PortReference
    private let state: EffectQueue<JPushState, JPushState.Effect>
    private let shell = Mutex(Shell())
    private let center = JPushCenterDelegate()

    private init(_ port: any SystemPort) {
        self.port = PortReference(port)
        state = EffectQueue(JPushState(random: PortRandom(port: self.port)))
    }

    deinit {
        for alarm in shell.withLock({ $0.alarms.values.map(\.self) }) { alarm.cancel() }
    }

    static func of(_ port: any SystemPort) -> JPushClient { port.slots.slot { JPushClient(port) } }

    // MARK: What apps call

    var registrationID: String? { state.read(\.registrationID) }

    func setUp(appKey: String?, channel: String?, environment: APNSEnvironment) {
        update { state, effects in state.setUp(appKey, channel, environment, &effects) }
    }

    func setToken(_ token: DeviceToken) { update { state, effects in state.setToken(token, &effects) } }

    func whenRegistered(_ handler: @escaping (Int32, String?) -> Void) {
        let handler = Handoff(handler)
        update { state, effects in state.whenRegistered({ handler.value($0, $1) }, &effects) }
    }

    func request(_ request: SDKRequest, gate: JPushState.Gate?, _ answer: @escaping (SDKReply) -> Void) {
        let answer = Handoff(answer)
        update { state, effects in state.request(request, gate: gate, { answer.value($0) }, &effects) }
    }

    /// Runs an app's closure on the main thread, after this call.
    func onMain(_ body: @escaping () -> Void) {
        guard let port = port.port else { return }
        let body = Handoff(body)
        DispatchQueue.main.async(group: nil) { CurrentPort.with(port) { body.value() } }
    }

    func register(_ config: JPUSHRegisterEntity?, delegate: (any JPUSHRegisterDelegate)?) {
        guard let port = port.port else { return }
        center.delegate = delegate
        DelegateSlot.of(port).delegate = center
        let categories = config?.categories?.compactMap { $0.base as? UNNotificationCategory } ?? []
        if !categories.isEmpty { UNUserNotificationCenter.current().setNotificationCategories(Set(categories)) }
        port.call(.requestAuthorization(options: UInt(bitPattern: config?.types ?? 0))) { [weak self] _ in
            self?.tellAuthorization()
        }
        port.call(.registerForRemoteNotifications) { _ in }
    }

    private func tellAuthorization() {
        port.port?.call(.notificationSettings) { [weak self] reply in
            guard let self, case .settings(let settings) = reply else { return }
            let status = JPAuthorizationStatus(rawValue: UInt(settings.status)) ?? .notDetermined
            self.onMain { [center] in center.delegate?.jpushNotificationAuthorization(status, withInfo: nil) }
        }
    }

    // MARK: Effects

    private func update(_ body: (inout JPushState, inout [JPushState.Effect]) -> Void) {
        state.update(perform: perform, body)
    }

    private func perform(_ effect: JPushState.Effect) {
        switch effect {
        case .link(let action): perform(action)
        case .load: load()
        case .save(let text): port.port?.call(.writeStorage(key: StoredIdentity.key, value: text)) { _ in }
        case .post(let event): onMain { event.post() }
        case .answer(let handler, let reply): onMain { handler(reply) }
        case .known(let handler, let code, let id): onMain { handler(Int32(clamping: code), id) }
        case .complain(let text): FileHandle.standardError.write(Data("JPush: \(text)\n".utf8))
        }
    }

    private func load() {
        guard let port = port.port else { return }
        guard port.facts.info["PosthornLink"]?.string != nil else {
            perform(.complain("The app's Info.plist has no 'PosthornLink', the URL of the service's SDK link."))
            return update { state, effects in state.stranded(&effects) }
        }
        port.call(.readStorage(key: StoredIdentity.key)) { [weak self] reply in
            guard case .value(let text) = reply else { return }
            let facts = port.facts
            self?.update { state, effects in state.loaded(text, facts, &effects) }
        }
    }

    private func perform(_ action: SDKLinkClient.Action) {
        switch action {
        case .open: openLink()
        case .close: closeLink()
        case .send(let frame): shell.withLock(\.connection)?.send(frame.text)
        case .wait(let delay): set(Self.backoff, delay)
        case .watch(let number, let delay): set(number, delay)
        case .answer(let number, _): shell.withLock { $0.alarms.removeValue(forKey: number) }?.cancel()
        case .connected, .disconnected, .registered, .forget, .loggedIn, .refused: break
        }
    }

    private func openLink() {
        guard let port = port.port, let url = port.facts.info["PosthornLink"]?.string else { return }
        let link = shell.withLock { shell in
            shell.link += 1
            return shell.link
        }
        // What the link says while it opens waits behind this effect, so the connection is in place by then.
        let connection = port.openLink(url) { [weak self] event in self?.heard(event, on: link) }
        shell.withLock { $0.connection = connection }
    }

    /// The end comes back as an event, from which a new link follows where one is wanted.
    private func closeLink() { shell.withLock(\.connection)?.close() }

    private func heard(_ event: LinkEvent, on link: Int) {
        guard shell.withLock({ $0.link == link }) else { return }
        update { state, effects in
            switch event {
            case .opened: state.act(&effects) { $0.opened() }
            case .closed(let reason): state.closed(reason, &effects)
            case .received(let text):
                // A frame that this version does not know changes nothing.
                guard let frame = try? SDKFrame(text: text) else { return }
                state.act(&effects) { $0.received(frame) }
            }
        }
    }

    private func set(_ number: Int64, _ delay: Duration) {
        guard let port = port.port else { return }
        let alarm = Alarm(after: delay, on: port.clock) { [weak self] in self?.ring(number) }
        shell.withLock { $0.alarms[number] = alarm }
    }

    private func ring(_ number: Int64) {
        shell.withLock { _ = $0.alarms.removeValue(forKey: number) }
        update { state, effects in
            state.act(&effects) { number == Self.backoff ? $0.waited() : $0.expired(number) }
        }
    }
}

extension JPushState.NetworkEvent {
    fileprivate func post() {
        let (name, info): (NSNotification.Name, [String: String]?) =
            switch self {
            case .isConnecting: (.jpfNetworkIsConnecting, nil)
            case .didSetup: (.jpfNetworkDidSetup, nil)
            case .didClose: (.jpfNetworkDidClose, nil)
            case .didRegister(let id): (.jpfNetworkDidRegister, ["RegistrationID": id])
            case .failedRegister: (.jpfNetworkFailedRegister, nil)
            case .didLogin: (.jpfNetworkDidLogin, nil)
            }
        NotificationCenter.default.post(name: name, object: nil, userInfo: info)
    }
}
