import PushModel
import Synchronization
import SystemPort

/// The Live Activities that one process of an app knows, and their listeners.
final class ActivityHub: PortSlot {
    private struct SettingListener {
        var last: Bool
        var setting: @Sendable (LiveActivityFacts) -> Bool
        var continuation: AsyncStream<Bool>.Continuation
    }

    private struct State {
        var cells: [String: ActivityCell] = [:]
        var examiners: [String: @Sendable (LiveActivityValues) -> String?] = [:]
        var settings: [SettingListener] = []
    }

    private let state = Mutex(State())
    /// The activities that start, by type.
    private let started = KeyedStreams<LiveActivityRecord>(holding: true)
    /// The tokens for starts, by type.
    private let tokens = KeyedStreams<DeviceToken?>(holding: false)

    // MARK: Types

    /// Tells the device of a type, once per process.
    func declare(
        _ type: String,
        _ examiner: @escaping @Sendable (LiveActivityValues) -> String?,
        on port: any SystemPort
    ) {
        let isNew = state.withLock { state in
            defer { state.examiners[type] = examiner }
            return state.examiners[type] == nil
        }
        if isNew { port.declareActivityType(type, examine: examiner) }
    }

    /// Returns why values do not fit; nil if they do, or nothing is known of the type.
    func problem(with values: LiveActivityValues) -> String? {
        state.withLock { $0.examiners[values.type] }?(values)
    }

    // MARK: Activities

    /// Returns the cell of an activity that the device has, with this version of it unless it has a newer one.
    @discardableResult
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

    /// Adds an activity that starts.
    @discardableResult
    func start(_ record: LiveActivityRecord) -> ActivityCell {
        let cell = cell(for: record)
        started.pass(record, to: record.type)
        return cell
    }

    /// Takes the device's answer to a call.
    func apply(_ reply: SystemReply) {
        guard case .liveActivities(let records) = reply else { return }
        for record in records { cell(for: record) }
    }

    /// Takes an event of the device. An activity in its first version that is not known here was started by a push.
    func changed(_ record: LiveActivityRecord) {
        if state.withLock({ $0.cells[record.id] != nil }) {
            cell(for: record)
        } else if record.version == 0 {
            start(record)
        }
    }

    /// Returns the activities of a type that nobody has awaited, and those that start from now on.
    func starts(of type: String) -> AsyncStream<LiveActivityRecord> {
        started.stream(of: type) { held in
            held.filter { record in state.withLock { $0.cells[record.id] }?.record.state != .dismissed }
        }
    }

    // MARK: Tokens and settings

    /// Returns the current token for starts, read by `current`, and each new one.
    func startTokens(of type: String, current: () -> DeviceToken?) -> AsyncStream<DeviceToken?> {
        tokens.stream(of: type) { _ in [current()] }
    }

    func arrived(_ token: DeviceToken?, for type: String) { tokens.pass(token, to: type) }

    /// Returns a setting, whenever it differs from before.
    func settings(
        _ facts: LiveActivityFacts,
        _ setting: @escaping @Sendable (LiveActivityFacts) -> Bool
    ) -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let listener = SettingListener(last: setting(facts), setting: setting, continuation: continuation)
        state.withLock { $0.settings.append(listener) }
        return stream
    }

    func settingsChanged(_ facts: LiveActivityFacts) {
        // Under the lock, so that each hears of the changes in their order; they only fill streams.
        state.withLock { state in
            state.settings = state.settings.compactMap { listener in
                var listener = listener
                let now = listener.setting(facts)
                if now != listener.last, case .terminated = listener.continuation.yield(now) { return nil }
                listener.last = now
                return listener
            }
        }
    }
}
