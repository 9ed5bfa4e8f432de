import DeviceLink
import Foundation
package import PushModel

/// The numbered log of events of the gateway and its devices, and its followers.
///
/// Bounded: when it is full, the oldest events are dropped, and a follower that comes too late is notified of the gap. Kept
/// in memory: a restarted gateway has a new log.
package struct EventFeed: Sendable {
    /// A compact event: nearly all are the gateway's own, which consist of a word and a date.
    ///
    /// Plain numbers, so that overwriting an entry costs nothing else.
    private struct Entry {
        enum Kind: UInt8 {
            case stored
            case coalesced
            case expired
            case delivered
            /// The event is stored in ``EventFeed/others``.
            case other
        }

        let id: APNSID
        let date: Date
        let kind: Kind
        let device: UInt32

        @inline(__always)
        init(_ event: JourneyEvent, _ id: APNSID, by device: UInt32) {
            self.id = id
            self.device = device
            date = event.date
            kind =
                switch (event.station, event.kind) {
                case (.gateway, .stored): .stored
                case (.gateway, .coalesced): .coalesced
                case (.gateway, .expired): .expired
                case (.gateway, .delivered): .delivered
                default: .other
                }
        }
    }

    /// Stands for no device, or any.
    package static let noDevice = UInt32.max
    /// The number of events that are kept.
    package static let capacity = 100_000

    /// The name of this log; random.
    package let log: String
    private let capacity: Int
    /// The number of the newest event; the first one is 1.
    package private(set) var last: Int64 = 0
    /// The newest events; once full, each new event replaces the oldest.
    private var entries: [Entry] = []
    /// The index of the oldest of ``entries``, once it is full.
    private var oldest = 0
    /// Events with more than a word and a date, by number.
    private var others: [Int64: JourneyEvent] = [:]
    /// Followers that have read everything, and the event after which each continues.
    private var waiting: [(follower: Int, after: Int64)] = []

    package init(log: String, capacity: Int = EventFeed.capacity) {
        self.log = log
        self.capacity = max(1, capacity)
    }

    /// Appends an event.
    ///
    /// `device` is the number of the device that reports it on a channel message, which many devices get.
    /// - Returns: the followers to wake, and the event after which each continues reading (``nextPage(after:for:)``).
    @inline(__always)
    package mutating func append(
        _ event: JourneyEvent,
        _ id: APNSID,
        by device: UInt32 = EventFeed.noDevice
    ) -> [(follower: Int, after: Int64)] {
        last += 1
        let entry = Entry(event, id, by: device)
        if entry.kind == .other { others[last] = event }
        if entries.count < capacity {
            // Reserves everything at once: unwritten memory costs nothing, and growing would copy.
            if entries.isEmpty { entries.reserveCapacity(capacity) }
            entries.append(entry)
        } else {
            if entries[oldest].kind == .other { others[last - Int64(capacity)] = nil }
            entries[oldest] = entry
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
        }
        guard !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// The number of the oldest event kept; ``last`` plus one if there is none.
    private var first: Int64 { last - Int64(entries.count) + 1 }

    private func entry(_ number: Int64) -> Entry { entries[(oldest + Int(number - first)) % entries.count] }

    private func event(_ number: Int64) -> JourneyEvent? {
        let entry = entry(number)
        func own(_ kind: JourneyEvent.Kind) -> JourneyEvent {
            JourneyEvent(date: entry.date, station: .gateway, kind: kind)
        }
        return switch entry.kind {
        case .stored: own(.stored)
        case .coalesced: own(.coalesced)
        case .expired: own(.expired)
        case .delivered: own(.delivered)
        case .other: others[number]
        }
    }

    /// Some of the kept events, oldest first, unencoded: frames are built from them outside the gateway's lock.
    package struct Page: Sendable {
        /// The events from here to the one before the first of ``events`` are no longer kept; nil if none is missing.
        package var gap: ClosedRange<Int64>?
        package var events: [(number: Int64, id: APNSID, event: JourneyEvent)] = []

        package var frames: [String] {
            (gap.map { [EventFrame.gap(first: $0.lowerBound, last: $0.upperBound).text] } ?? [])
                + events.map { EventFrame.event(number: $0.number, apnsID: $0.id.text, $0.event).text }
        }

        /// The last number in the events or the gap of the page; nil for an empty page.
        package var last: Int64? { events.last?.number ?? gap?.upperBound }
    }

    /// The number of events on a page, which are copied while the gateway's lock is held.
    package static let pageSize = 256

    /// Returns the page of events after a given one.
    package func page(after known: Int64) -> Page {
        var page = Page()
        let start = max(known + 1, first)
        if known + 1 < start { page.gap = (known + 1)...(start - 1) }
        for number in start..<min(last + 1, start + Int64(Self.pageSize)) {
            if let event = event(number) { page.events.append((number, entry(number).id, event)) }
        }
        return page
    }

    /// The kept events of one push, oldest first; those reported by one device, if its number is given.
    func events(of id: APNSID, by device: UInt32 = EventFeed.noDevice) -> [JourneyEvent] {
        (first..<last + 1).lazy
            .filter { entry($0).id == id && (device == Self.noDevice || entry($0).device == device) }
            .compactMap(event)
    }

    /// Handles a frame from a follower, which may follow only once.
    ///
    /// - Returns: the reply, and the event after which its pages begin (``page(after:)``); nil if the frame is invalid and the
    ///   link has to be closed.
    package func received(_ text: String) -> (frame: String, after: Int64)? {
        guard case .follow(let log, let asked) = EventFrame(text: text) else { return nil }
        // Numbers of another log mean nothing here: everything kept is new to the follower.
        let known = log == self.log ? min(max(asked, 0), last) : 0
        return (EventFrame.following(log: self.log, after: known).text, known)
    }

    /// The next page of a follower. A follower that has read everything is woken by the next event.
    package mutating func nextPage(after known: Int64, for follower: Int) -> Page {
        let page = page(after: known)
        if page.last == nil { waiting.append((follower, known)) }
        return page
    }

    package mutating func closed(_ follower: Int) { waiting.removeAll { $0.follower == follower } }
}

/// A frame between a gateway and a follower of its events: one JSON object each.
package enum EventFrame: Hashable, Sendable {
    /// Follower: requests the events after `number` of `log`; both are omitted at first.
    case follow(log: String?, after: Int64)
    /// Gateway: the events of this log follow, starting after `after`. A log other than the follower's means that the gateway
    /// has restarted and counts from 1 again.
    case following(log: String, after: Int64)
    /// Gateway: the events from `first` to `last` are no longer kept.
    case gap(first: Int64, last: Int64)
    /// Gateway: an event, numbered without gaps. The apns-id is in lower case.
    case event(number: Int64, apnsID: String, JourneyEvent)
    /// Gateway: an event that this version does not know. It counts as received.
    case unknownEvent(number: Int64)

    /// The most bytes of an event's frame that is recorded. An event has a few hundred.
    package static let recordedBytes = 64 << 10

    package var text: String {
        let object: JSONObject =
            switch self {
            case .follow(let log, let after):
                JSONObject(present: ["type": "follow", "log": log, "after": after])
            case .following(let log, let after):
                ["type": "following", "log": .string(log), "after": .integer(after)]
            case .gap(let first, let last):
                ["type": "gap", "first": .integer(first), "last": .integer(last)]
            case .event(let number, let apnsID, let event):
                ["type": "event", "number": .integer(number), "apns-id": .string(apnsID), "event": event.json]
            case .unknownEvent(let number): ["type": "event", "number": .integer(number)]
            }
        return JSONValue.object(object).text
    }

    /// Nil for anything that is not such a frame.
    package init?(text: String) {
        guard let frame = try? Self(parsing: text) else { return nil }
        self = frame
    }
}

extension EventFrame: JSONFrame {
    package init?(type: String, members: JSONReader) throws(JSONProblem) {
        switch type {
        case "follow":
            self = .follow(log: members["log"]?.string, after: try members.integer("after"))
        case "following":
            self = .following(log: try members.string("log"), after: try members.need("after", .position))
        case "gap":
            let first = try members.need("first", .eventNumber)
            let last = try members.need("last", .eventNumber)
            guard first <= last else {
                throw members.problem("last", found: members["last"], expected: "a number from \(first)")
            }
            self = .gap(first: first, last: last)
        case "event":
            let number = try members.need("number", .eventNumber)
            guard let apnsID = members["apns-id"]?.string,
                let event = members["event"].flatMap(JourneyEvent.init(json:))
            else {
                self = .unknownEvent(number: number)
                return
            }
            self = .event(number: number, apnsID: apnsID, event)
        default: return nil
        }
    }
}

// The other end sends these numbers. Those that no log has are refused here, so that followers can compute with the others: the last of a
// gap minus its first, plus one, is at most the greatest number.
extension JSONForm<Int64> {
    /// The number of an event.
    fileprivate static var eventNumber: Self { number(from: 1) }
    /// The number of the last event that a follower has; 0 for none.
    fileprivate static var position: Self { number(from: 0) }

    private static func number(from least: Int64) -> Self {
        Self("a number from \(least)") { value in value.integer.flatMap { $0 >= least ? $0 : nil } }
    }
}
