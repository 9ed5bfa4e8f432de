import Foundation
package import PushModel

/// The numbered log of what the gateway and its devices have seen, and who follows it.
///
/// Bounded: the oldest events go when it is full, and a follower that comes too late is told of the gap. Kept in memory:
/// a gateway that starts anew has a new log.
package struct EventFeed: Sendable {
    /// An event in little memory: nearly all of them are the gateway's own, which are a word and a date.
    ///
    /// Plain numbers, so that writing one over another costs nothing but that.
    private struct Entry {
        enum Told: UInt8 {
            case stored
            case coalesced
            case expired
            case delivered
            /// It stands in ``EventFeed/others``.
            case other
        }

        let id: PushID
        let date: Date
        let told: Told

        @inline(__always)
        init(_ event: JourneyEvent, _ id: PushID) {
            self.id = id
            date = event.date
            told =
                switch (event.station, event.kind) {
                case (.gateway, .stored): .stored
                case (.gateway, .coalesced): .coalesced
                case (.gateway, .expired): .expired
                case (.gateway, .delivered): .delivered
                default: .other
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
    /// The newest events; once it is full, each new one takes the place of the oldest.
    private var entries: [Entry] = []
    /// Where the oldest of ``entries`` stands, once it is full.
    private var oldest = 0
    /// Events that are more than a word and a date, by their numbers.
    private var others: [Int64: JourneyEvent] = [:]
    private var followers: Set<Int> = []

    package init(log: String, capacity: Int = EventFeed.capacity) {
        self.log = log
        self.capacity = max(1, capacity)
    }

    /// - Returns: the frame, and the links to which it goes; nil if nobody follows.
    @inline(__always)
    package mutating func append(_ event: JourneyEvent, _ id: PushID) -> (text: String, followers: [Int])? {
        last += 1
        let entry = Entry(event, id)
        if entry.told == .other { others[last] = event }
        if entries.count < capacity {
            // All of it at once: memory that is not written costs nothing, and to copy what has grown would.
            if entries.isEmpty { entries.reserveCapacity(capacity) }
            entries.append(entry)
        } else {
            if entries[oldest].told == .other { others[last - Int64(capacity)] = nil }
            entries[oldest] = entry
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
        }
        return followers.isEmpty ? nil : (frame(event, id), followers.sorted())
    }

    private func frame(_ event: JourneyEvent, _ id: PushID) -> String {
        EventFrame.event(number: last, apnsID: id.text, event).text
    }

    /// The number of the oldest event that is kept; one more than ``last`` if none is.
    private var first: Int64 { last - Int64(entries.count) + 1 }

    private func entry(_ number: Int64) -> Entry {
        entries[(oldest + Int(number - first)) % entries.count]
    }

    private func event(_ number: Int64) -> JourneyEvent? {
        let entry = entry(number)
        func own(_ kind: JourneyEvent.Kind) -> JourneyEvent {
            JourneyEvent(date: entry.date, station: .gateway, kind: kind)
        }
        return switch entry.told {
        case .stored: own(.stored)
        case .coalesced: own(.coalesced)
        case .expired: own(.expired)
        case .delivered: own(.delivered)
        case .other: others[number]
        }
    }

    /// The events of one push that are kept, oldest first.
    func events(of id: PushID) -> [JourneyEvent] {
        (first..<last + 1).lazy.filter { entry($0).id == id }.compactMap(event)
    }

    /// A frame from a follower.
    ///
    /// - Returns: what to send to it; nil if the frame makes no sense and the link is to be closed.
    package mutating func received(_ text: String, from follower: Int) -> [String]? {
        guard case .follow(let log, let asked) = EventFrame(text: text) else { return nil }
        followers.insert(follower)
        // Numbers of another log mean nothing here: all that is kept is news.
        let known = log == self.log ? min(max(asked, 0), last) : 0
        var frames = [EventFrame.following(log: self.log, after: known).text]
        if known + 1 < first { frames.append(EventFrame.gap(first: known + 1, last: first - 1).text) }
        for number in max(known + 1, first)..<last + 1 {
            guard let event = event(number) else { continue }
            frames.append(EventFrame.event(number: number, apnsID: entry(number).id.text, event).text)
        }
        return frames
    }

    package mutating func closed(_ follower: Int) { followers.remove(follower) }
}
