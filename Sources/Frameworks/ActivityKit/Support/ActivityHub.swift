import PushModel
import Synchronization
package import SystemPort

/// The Live Activities that one process of an app knows, and their listeners.
final class ActivityHub: Sendable {
    private struct State {
        var cells: [String: ActivityCell] = [:]
        var examiners: [String: any ActivityExamining] = [:]
        /// Activities that have started, by type, and that nobody has awaited yet.
        var held: [String: [LiveActivityRecord]] = [:]
        var starts: [String: [Int: AsyncStream<LiveActivityRecord>.Continuation]] = [:]
        var startTokens: [String: [Int: AsyncStream<DeviceToken?>.Continuation]] = [:]
        var settings: [Int: @Sendable (LiveActivityFacts) -> Void] = [:]
        var lastNumber = 0

        /// Returns those who await activities of the type; without any, the activity is held for the first.
        mutating func announce(_ record: LiveActivityRecord) -> [AsyncStream<LiveActivityRecord>.Continuation] {
            let listeners = Array((starts[record.type] ?? [:]).values)
            if listeners.isEmpty { held[record.type, default: []].append(record) }
            return listeners
        }

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())

    static func of(_ port: any SystemPort) -> ActivityHub { port.slots.slot { ActivityHub() } }

    // MARK: Types

    /// Tells the device of a type, once per process.
    func declare(_ type: String, _ examiner: some ActivityExamining, on port: any SystemPort) {
        let isNew = state.withLock { state in
            defer { state.examiners[type] = examiner }
            return state.examiners[type] == nil
        }
        if isNew { port.declareActivityType(type) { examiner.problem(with: $0) } }
    }

    /// Returns why values do not fit; nil if they do, or nothing is known of the type.
    func problem(with values: LiveActivityValues) -> String? {
        state.withLock { $0.examiners[values.type] }?.problem(with: values)
    }

    // MARK: Activities

    /// Returns the cell of an activity that the device has.
    func cell(for record: LiveActivityRecord) -> ActivityCell {
        let cell = state.withLock { state in
            if let cell = state.cells[record.id] { return cell }
            let cell = ActivityCell(record)
            state.cells[record.id] = cell
            return cell
        }
        cell.set(record)
        return cell
    }

    /// Adds an activity that the app starts.
    func start(_ record: LiveActivityRecord) -> ActivityCell {
        let cell = cell(for: record)
        let listeners = state.withLock { $0.announce(record) }
        for listener in listeners { listener.yield(record) }
        return cell
    }

    /// Takes the device's answer to a call.
    func apply(_ reply: SystemReply) {
        guard case .liveActivities(let records) = reply else { return }
        for record in records { cell(for: record).set(record) }
    }

    /// Takes an event of the device. An activity in its first version that is not known here was started by a push.
    func changed(_ record: LiveActivityRecord) {
        let (cell, listeners) = state.withLock {
            state -> (ActivityCell?, [AsyncStream<LiveActivityRecord>.Continuation]) in
            if let cell = state.cells[record.id] { return (cell, []) }
            guard record.version == 0 else { return (nil, []) }
            state.cells[record.id] = ActivityCell(record)
            return (nil, state.announce(record))
        }
        cell?.set(record)
        for listener in listeners { listener.yield(record) }
    }

    /// Returns the activities of a type that nobody has awaited, and those that start from now on.
    func starts(of type: String) -> AsyncStream<LiveActivityRecord> {
        let (stream, continuation) = AsyncStream<LiveActivityRecord>.makeStream()
        let (number, held) = state.withLock { state in
            let number = state.nextNumber()
            state.starts[type, default: [:]][number] = continuation
            return (number, state.held.removeValue(forKey: type) ?? [])
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.starts[type]?.removeValue(forKey: number) }
        }
        for record in held where state.withLock({ $0.cells[record.id] })?.record.state != .dismissed {
            continuation.yield(record)
        }
        return stream
    }

    // MARK: Tokens and settings

    /// Returns the current token for starts, read by `current`, and each new one.
    func startTokens(of type: String, current: () -> DeviceToken?) -> AsyncStream<DeviceToken?> {
        let (stream, continuation) = AsyncStream<DeviceToken?>.makeStream()
        let number = state.withLock { state in
            let number = state.nextNumber()
            state.startTokens[type, default: [:]][number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.startTokens[type]?.removeValue(forKey: number) }
        }
        continuation.yield(current())
        return stream
    }

    func arrived(_ token: DeviceToken?, for type: String) {
        for listener in state.withLock({ Array(($0.startTokens[type] ?? [:]).values) }) { listener.yield(token) }
    }

    /// Returns a setting, whenever it differs from before.
    func settings(
        _ facts: LiveActivityFacts,
        _ setting: @escaping @Sendable (LiveActivityFacts) -> Bool
    ) -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let listener = SettingListener(last: setting(facts), setting: setting, continuation)
        let number = state.withLock { state in
            let number = state.nextNumber()
            state.settings[number] = { listener.take($0) }
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.settings.removeValue(forKey: number) }
        }
        return stream
    }

    func settingsChanged(_ facts: LiveActivityFacts) {
        for take in state.withLock({ Array($0.settings.values) }) { take(facts) }
    }
}

/// Passes on a setting when it changes.
private final class SettingListener: Sendable {
    private let last: Mutex<Bool>
    private let setting: @Sendable (LiveActivityFacts) -> Bool
    private let continuation: AsyncStream<Bool>.Continuation

    init(
        last: Bool,
        setting: @escaping @Sendable (LiveActivityFacts) -> Bool,
        _ continuation: AsyncStream<Bool>.Continuation
    ) {
        self.last = Mutex(last)
        self.setting = setting
        self.continuation = continuation
    }

    func take(_ facts: LiveActivityFacts) {
        let now = setting(facts)
        let isNew = last.withLock { last in
            defer { last = now }
            return last != now
        }
        if isNew { continuation.yield(now) }
    }
}

/// Calls from the system to ActivityKit. The caller binds the port.
package enum LiveActivityCalls {
    package static func deliver(
        _ event: LiveActivityEvent,
        on port: any SystemPort,
        reply: @escaping @Sendable (EventReply) -> Void
    ) {
        let hub = ActivityHub.of(port)
        switch event {
        case .changed(let record): hub.changed(record)
        case .startToken(let type): hub.arrived(port.facts.liveActivities.startTokens[type], for: type)
        case .settings: hub.settingsChanged(port.facts.liveActivities)
        case .examine(let values): reply(.activityExamined(problem: hub.problem(with: values)))
        }
    }
}
