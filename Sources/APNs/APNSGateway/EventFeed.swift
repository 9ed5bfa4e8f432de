import Foundation
import NIOCore
package import PushModel

/// The numbered log of what the gateway and its devices have seen, and who follows it.
///
/// Bounded: the oldest events go when it is full, and a follower that comes too late is told of the gap. Kept in memory:
/// a gateway that starts anew has a new log.
package struct EventFeed: Sendable {
    /// An event in little memory: nearly all of them are the gateway's own, which are a word and a date.
    private struct Entry {
        private enum Told {
            case stored
            case coalesced
            case expired
            case delivered
            indirect case other(JourneyEvent)
        }

        let id: PushID
        private let date: Date
        private let told: Told

        init(_ event: JourneyEvent, _ id: PushID) {
            self.id = id
            date = event.date
            told =
                switch (event.station, event.kind) {
                case (.gateway, .stored): .stored
                case (.gateway, .coalesced): .coalesced
                case (.gateway, .expired): .expired
                case (.gateway, .delivered): .delivered
                default: .other(event)
                }
        }

        var event: JourneyEvent {
            switch told {
            case .stored: JourneyEvent(date: date, station: .gateway, kind: .stored)
            case .coalesced: JourneyEvent(date: date, station: .gateway, kind: .coalesced)
            case .expired: JourneyEvent(date: date, station: .gateway, kind: .expired)
            case .delivered: JourneyEvent(date: date, station: .gateway, kind: .delivered)
            case .other(let event): event
            }
        }
    }

    /// Events that are kept.
    package static let capacity = 100_000

    /// The name of this log; random.
    package let log: String
    private let capacity: Int
    /// The number of the newest event; the first one is 1.
    package private(set) var last: Int64 = 0
    private var events = CircularBuffer<Entry>()
    private var followers: Set<Int> = []

    package init(log: String, capacity: Int = EventFeed.capacity) {
        self.log = log
        self.capacity = max(1, capacity)
    }

    /// - Returns: the frame, and the links to which it goes; nil if nobody follows.
    package mutating func append(_ event: JourneyEvent, _ id: PushID) -> (text: String, followers: [Int])? {
        last += 1
        if events.count >= capacity { events.removeFirst() }
        events.append(Entry(event, id))
        guard !followers.isEmpty else { return nil }
        return (EventFrame.event(number: last, apnsID: id.text, event).text, followers.sorted())
    }

    /// The events of one push that are kept, oldest first.
    func events(of id: PushID) -> [JourneyEvent] { events.lazy.filter { $0.id == id }.map(\.event) }

    /// A frame from a follower.
    ///
    /// - Returns: what to send to it; nil if the frame makes no sense and the link is to be closed.
    package mutating func received(_ text: String, from follower: Int) -> [String]? {
        guard case .follow(let log, let asked) = EventFrame(text: text) else { return nil }
        followers.insert(follower)
        // Numbers of another log mean nothing here: all that is kept is news.
        let known = log == self.log ? min(max(asked, 0), last) : 0
        let first = last - Int64(events.count)
        var frames = [EventFrame.following(log: self.log, after: known).text]
        if known < first { frames.append(EventFrame.gap(first: known + 1, last: first).text) }
        for (place, kept) in events.enumerated().dropFirst(Int(max(0, known - first))) {
            let number = first + 1 + Int64(place)
            frames.append(EventFrame.event(number: number, apnsID: kept.id.text, kept.event).text)
        }
        return frames
    }

    package mutating func closed(_ follower: Int) { followers.remove(follower) }
}
