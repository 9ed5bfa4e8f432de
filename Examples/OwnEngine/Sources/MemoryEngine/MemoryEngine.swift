import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import SystemPort

/// A small system for one app: it keeps everything in memory, shows nothing, and delivers when its virtual clock says so.
public final class MemoryEngine: Sendable {
    /// What outlives the app's process.
    struct State {
        var settings = SettingsRecord()
        var storage: [String: String] = [:]
        var categories: [CategoryRecord] = []
        var shortcuts: [ShortcutRecord] = []
        /// With the date of the next firing.
        var pending: [(request: RequestRecord, due: Date)] = []
        /// Newest first.
        var delivered: [NotificationRecord] = []
        var badge = 0
        var allowsPermission = true
        var process: (port: MemoryPort, app: any AppEndpoint)?
    }

    public let clock: VirtualClock
    let state = Mutex(State())

    public init(clock: VirtualClock = VirtualClock()) { self.clock = clock }

    /// Starts a process of the app.
    public func launch(_ makeApp: (any SystemPort) -> any AppEndpoint) -> any SystemPort {
        let port = MemoryPort(engine: self)
        let app = makeApp(port)
        state.withLock { $0.process = (port, app) }
        CurrentPort.enter(port)
        app.deliver(SystemEvent(.launch(remoteNotification: nil), state: .inactive)) { _ in }
        return port
    }

    /// Ends the app's process.
    public func terminate() {
        let process = state.withLock { $0.process.take() }
        guard let process else { return }
        CurrentPort.leave(process.port)
        process.app.terminate()
        process.port.slots.removeAll()
    }

    /// Sets the user's answer to the next request for permission.
    public func setPermission(_ isAllowed: Bool) { state.withLock { $0.allowsPermission = isAllowed } }

    /// Advances the clock, stopping at each request that is due.
    public func advance(by time: Duration) async {
        let end = clock.date.addingTimeInterval(time / .seconds(1))
        while let due = state.withLock({ $0.pending.map(\.due).min() }), due <= end {
            await clock.advance(to: due)
            let date = clock.date
            state.withLock { $0.fire(at: date) }
        }
        await clock.advance(to: end)
    }

    /// Taps a delivered notification.
    ///
    /// - Returns: false if there is none with the identifier.
    public func tap(_ identifier: String) -> Bool {
        let found = state.withLock { state -> (NotificationRecord, any AppEndpoint)? in
            guard let index = state.delivered.firstIndex(where: { $0.identifier == identifier }),
                let app = state.process?.app
            else { return nil }
            return (state.delivered.remove(at: index), app)
        }
        guard let (notification, app) = found else { return false }
        let response = ResponseRecord(notification: notification, actionIdentifier: ResponseRecord.defaultAction)
        app.deliver(SystemEvent(.didReceive(response), state: .inactive)) { _ in }
        return true
    }

    func isRunning(_ port: MemoryPort) -> Bool { state.withLock { $0.process?.port === port } }
}

extension MemoryEngine.State {
    /// Carries out a call, or only answers it.
    mutating func answer(_ call: SystemCall, at date: Date, facts: AppFacts, changes: Bool) -> SystemReply {
        switch call {
        case .facts: return .facts(facts)
        case .notificationSettings: return .settings(settings)
        case .categories: return .categories(categories)
        case .deliveredNotifications: return .notifications(delivered)
        case .pendingRequests: return .requests(pending.sorted { $0.due < $1.due }.map(\.request))
        case .readStorage(let key): return .value(storage[key])
        case .storageKeys(let prefix): return .storageKeys(storage.keys.filter { $0.hasPrefix(prefix) }.sorted())
        case .open, .canOpen: return .opened(false)
        case .shortcuts: return .shortcuts(shortcuts)
        case .requestAuthorization(let options) where changes: return .authorization(granted: ask(options))
        case .add(let request) where changes: return add(request, at: date)
        default:
            if changes { change(call) }
            return .done
        }
    }

    private mutating func change(_ call: SystemCall) {
        switch call {
        case .setCategories(let new): categories = new
        case .setShortcuts(let new): shortcuts = new
        case .setBadge(let number): badge = number
        case .writeStorage(let key, let value): storage[key] = value
        case .removePending(let names): pending.removeAll { names.contains($0.request.identifier) }
        case .removeAllPending: pending = []
        case .removeDelivered(let names): delivered.removeAll { names.contains($0.identifier) }
        case .removeAllDelivered: delivered = []
        default: break
        }
    }

    private mutating func ask(_ options: UInt) -> Bool {
        if settings.status == 0 {
            settings.requested = options
            settings.status = allowsPermission ? 2 : 1
            settings.allowed = allowsPermission ? options : 0
        }
        return settings.status == 2
    }

    private mutating func add(_ request: RequestRecord, at date: Date) -> SystemReply {
        guard settings.status == 2 else {
            return .failed(SystemError(domain: "UNErrorDomain", code: 1, text: "Notifications are not allowed."))
        }
        pending.removeAll { $0.request.identifier == request.identifier }
        switch request.trigger {
        case .timeInterval(let seconds, _): pending.append((request, date.addingTimeInterval(seconds)))
        default: deliver(request, at: date)
        }
        return .done
    }

    mutating func fire(at date: Date) {
        for (request, due) in pending.filter({ $0.due <= date }) {
            deliver(request, at: date)
            pending.removeAll { $0.request.identifier == request.identifier }
            if case .timeInterval(let seconds, true) = request.trigger {
                pending.append((request, due.addingTimeInterval(seconds)))
            }
        }
    }

    private mutating func deliver(_ request: RequestRecord, at date: Date) {
        delivered.removeAll { $0.identifier == request.identifier }
        let notification = NotificationRecord(
            identifier: request.identifier,
            date: date,
            content: request.content,
            trigger: request.trigger
        )
        delivered.insert(notification, at: 0)
    }
}
