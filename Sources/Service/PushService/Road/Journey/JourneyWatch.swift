import PushClock
import PushModel
import Synchronization

/// Wakes those who wait for the journey of a message when something of it has been stored by this process.
final class JourneyWatch: Sendable {
    private struct State {
        var waiting: [MessageID: [Int: Announcement<Void>]] = [:]
        var next = 0
    }

    /// A place among those who wait for the journey of a message.
    struct Place: Sendable {
        fileprivate let message: MessageID
        fileprivate let number: Int
        fileprivate let change: Announcement<Void>
    }

    private let state = Mutex(State())
    /// The number of places, so that a change for which nobody waits costs nothing.
    private let places = Atomic(0)

    /// Notes changes from here on. Look at the journey after that, and call ``wait(at:for:on:)``.
    func watch(_ message: MessageID) -> Place {
        places.add(1, ordering: .sequentiallyConsistent)
        return state.withLock { state in
            state.next += 1
            let place = Place(message: message, number: state.next, change: Announcement())
            state.waiting[message, default: [:]][place.number] = place.change
            return place
        }
    }

    /// Gives up a place.
    func leave(_ place: Place) {
        state.withLock { state in
            state.waiting[place.message]?[place.number] = nil
            if state.waiting[place.message]?.isEmpty == true { state.waiting[place.message] = nil }
        }
        places.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// Returns when the journey has changed since the place was taken, or the time is over.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(at place: Place, for time: Duration, on clock: any CivilClock) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await place.change.value }
            group.addTask { try await clock.sleep(for: time) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Notes that something of the journeys of messages was stored.
    func changed(_ messages: @autoclosure () -> some Sequence<MessageID>) {
        guard places.load(ordering: .sequentiallyConsistent) > 0 else { return }
        let changes = state.withLock { state in messages().flatMap { state.waiting[$0].map { Array($0.values) } ?? [] }
        }
        for change in changes { change.make(.success(())) }
    }
}
