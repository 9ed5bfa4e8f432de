import Foundation
public import PushModel
import Synchronization
import SystemPort

/// Records the journeys of a test and waits for events.
public final class JourneyRecorder: JourneySink {
    private typealias Entry = (subject: JourneySubject, event: JourneyEvent)

    private struct State {
        var entries: [Entry] = []
        /// The streams of those that wait for an event.
        var listeners = Listeners<Entry>()
    }

    private let state = Mutex(State())

    /// Creates a recorder without journeys.
    public init() {}

    public func record(_ event: JourneyEvent, of subject: JourneySubject) {
        state.withLock { state in
            state.entries.append((subject, event))
            state.listeners.pass((subject, event))
        }
    }

    /// Returns the journey of one notification so far.
    ///
    /// - Parameter id: the apns-id of a push, or `app/request` for a local notification.
    /// - Returns: its events in order.
    public func events(of id: String) -> [JourneyEvent] {
        let id = id.lowercased()
        return state.withLock { $0.entries.filter { $0.subject.id.lowercased() == id }.map(\.event) }
    }

    /// Returns the kinds of the events in the journey of one notification so far.
    public func kinds(of id: String) -> [JourneyEvent.Kind] { events(of: id).map(\.kind) }

    /// Returns the journey as text, one event per line, with the verdict: for the comment of an expectation.
    public func story(of id: String) -> String {
        let events = events(of: id)
        let lines = events.map { "  \($0.date.formatted(.iso8601))  \($0.kind)" }
        return (["the journey of \(id):"] + lines + ["  → \(Verdict(events).sentence)"]).joined(separator: "\n")
    }

    /// The subjects of all journeys so far, in the order in which they began.
    public var subjects: [JourneySubject] {
        var seen: Set<JourneySubject> = []
        return state.withLock(\.entries).map(\.subject).filter { seen.insert($0).inserted }
    }

    /// Returns the callbacks in the journey of one push so far, as `name@state`.
    public func callbacks(of apnsID: String) -> [String] {
        kinds(of: apnsID).compactMap { kind in
            if case .callback(let name, let state) = kind { "\(name)@\(state.rawValue)" } else { nil }
        }
    }

    /// Returns the first past or future event of a push that `matches`; nil if the task is cancelled before.
    public func first(
        of apnsID: String,
        where matches: @escaping @Sendable (JourneyEvent.Kind) -> Bool
    ) async -> JourneyEvent? {
        let subject = JourneySubject.push(apnsID: apnsID.lowercased())
        return await first { $0 == subject && matches($1.kind) }
    }

    /// Returns the first past or future event of any journey that `matches`; nil if the task is cancelled before.
    public func first(
        where matches: @escaping @Sendable (JourneySubject, JourneyEvent) -> Bool
    ) async -> JourneyEvent? {
        let (stream, known) = state.withLock { state in
            (state.listeners.add().stream, state.entries.first { matches($0.subject, $0.event) })
        }
        if let known { return known.event }
        for await entry in stream where matches(entry.subject, entry.event) { return entry.event }
        return nil
    }
}
