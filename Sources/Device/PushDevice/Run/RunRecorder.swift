import Synchronization
import SystemPort

/// Records a phone's run: each event of the device, and of the journeys of its notifications, with the phone's state after it.
///
/// Keeps the last 1000 events. Several readers can follow one recorder.
public final class RunRecorder: Sendable {
    /// The greatest number of entries.
    public static let memory = 1000

    private struct State {
        var start: PhoneState
        /// The state after the last entry.
        var last: PhoneState
        /// The number of the phone's changes that led to it.
        var changes = -1
        var entries: [RunFile.Entry] = []
        var count = 0
        var followers = Listeners<Void>()

        /// Adds an entry with the state after it; nil if nothing has changed since the last entry.
        mutating func add(_ entry: RunFile.Entry, _ found: (state: PhoneState, changes: Int)?) {
            count += 1
            var entry = entry
            entry.number = count
            if let found {
                var same = found.state
                same.date = last.date
                entry.after = same == last ? nil : found.state
                (last, changes) = found
            }
            entries.append(entry)
            guard entries.count > 2 * RunRecorder.memory else { return }
            let surplus = entries.count - RunRecorder.memory
            if let state = entries.prefix(surplus).last(where: { $0.after != nil })?.after { start = state }
            entries.removeFirst(surplus)
        }
    }

    private let device: Device
    private let state: Mutex<State>

    /// Starts recording.
    ///
    /// - Parameter device: the phone; recording ends with it.
    public init(_ device: Device) {
        self.device = device
        let now = device.phoneState
        state = Mutex(State(start: now, last: now))
        device.feed.observe { [weak self] observation in
            if let entry = RunFile.Entry(observation) { self?.add(entry) }
        }
    }

    /// The run so far.
    public var run: RunFile {
        state.withLock { RunFile(phone: $0.start.name, system: $0.start.system, start: $0.start, entries: $0.entries) }
    }

    /// Returns the entries after one.
    ///
    /// - Parameter number: the number of the last entry that the reader has; 0 for all.
    /// - Returns: the entries that are kept, oldest first.
    public func entries(after number: Int) -> [RunFile.Entry] {
        state.withLock { state in Array(state.entries.drop { $0.number <= number }) }
    }

    /// The number of the last entry.
    public var lastNumber: Int { state.withLock(\.count) }

    /// Returns a stream with an element at once, and then after changes. Several changes may share one element.
    public func changes() -> AsyncStream<Void> {
        state.withLock { $0.followers.add(bufferingPolicy: .bufferingNewest(1), after: [()]).stream }
    }

    /// Tells the followers that something changed without an event.
    public func notifyFollowers() {
        state.withLock { $0.followers.pass(()) }
    }

    private func add(_ entry: RunFile.Entry) {
        let found = device.phoneState(since: state.withLock(\.changes))
        state.withLock { $0.add(entry, found) }
        notifyFollowers()
    }
}
