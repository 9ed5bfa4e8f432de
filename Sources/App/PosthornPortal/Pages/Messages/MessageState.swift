import Foundation
import PushModel
import PushService
import Synchronization

/// How far a push is and what became of it, for its page and for the page's stream.
struct MessageState {
    let message: MessageStandingAnswer
    /// The counts of its parts.
    let details: MessageDetailAnswer.Details?

    var isWaiting: Bool { message.progress.waiting > 0 }

    /// The part that can change, which the stream sends.
    var live: JSONValue {
        let live: PageValues = [
            "progress": message.progress, "taken_back": message.takenBack, "details": details,
            "outcomes": message.outcomes.map { outcome -> PageValues in
                ["sentence": outcome.sentence, "devices": outcome.devices]
            },
        ]
        return .object(live.json)
    }

    /// The values of the template.
    func values(_ texts: Catalogue) -> PageValues {
        let progress = message.progress
        var values: PageValues = [
            "devices": progress.devices, "sent": progress.sent, "ended": progress.ended, "waiting": progress.waiting,
            "links": progress.links, "has_links": progress.links > 0, "is_waiting": isWaiting,
            "done": progress.sent + progress.ended, "is_complete": message.outcomesComplete,
            "outcomes": message.outcomes.map { row($0, texts) }, "counts": counts(texts),
        ]
        if let takenBack = message.takenBack {
            let reasons = takenBack.outcomes.map { "\($0.devices) \(texts.said($0.sentence))" }
            values["taken_back"] = ["sentence": takenBack.sentence(in: texts), "reasons": reasons] as PageValues
        }
        if isWaiting, let problem = progress.problem {
            let reason = message.outcomes.first { $0.event == problem }
            values["waits"] =
                texts.meaning(of: problem, reason?.reason) ?? reason.map { texts.said($0.sentence) } ?? problem
        }
        return values
    }

    private func row(_ outcome: MessageStandingAnswer.Outcome, _ texts: Catalogue) -> PageValues {
        [
            "event": texts.name(of: outcome.event), "is_voip": outcome.part == .voip, "reason": outcome.reason,
            "meaning": texts.meaning(of: outcome.event, outcome.reason) ?? texts.said(outcome.sentence),
            "devices": outcome.devices, "ids": outcome.registrationIDs,
            "is_cut": outcome.devices > outcome.registrationIDs.count,
        ]
    }

    /// A row for each way of delivery that the push used.
    private func counts(_ texts: Catalogue) -> [PageValues] {
        let parts = [
            ("notification", details?.notification.all), ("message", details?.message.all), ("inapp", details?.inapp),
        ]
        return parts.compactMap { kind, part in
            guard let counts = part?.counts, counts.target > 0 else { return nil }
            var row = PageValues(of: counts)
            row["name"] = texts["messages", "kind_\(kind)"]
            return row
        }
    }
}

/// The states of pushes that pages follow. Each push is read once a second, however many streams follow it.
final class MessageWatches: Sendable {
    /// The state of a push, and the part that the streams send.
    struct Reading: Sendable {
        var isWaiting: Bool
        var live: JSONValue
    }

    private struct Watch {
        var streams = 0
        var readAt: Date?
        var isReading = false
        var last: Reading?
    }

    /// The time between two readings of a push, in seconds.
    static let interval: TimeInterval = 1

    private let watches = Mutex<[MessageID: Watch]>([:])

    /// Follows a push while `body` runs.
    ///
    /// - Parameters:
    ///   - message: the push.
    ///   - body: the stream.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`.
    func follow<Result>(_ message: MessageID, _ body: () async throws -> Result) async rethrows -> Result {
        watches.withLock { $0[message, default: Watch()].streams += 1 }
        defer {
            watches.withLock { watches in
                watches[message]?.streams -= 1
                if watches[message]?.streams == 0 { watches[message] = nil }
            }
        }
        return try await body()
    }

    /// Returns the state of a push that is followed: the last one, if another stream has read it within a second or is reading it.
    ///
    /// - Parameters:
    ///   - message: the push.
    ///   - now: the time.
    ///   - read: reads the state.
    /// - Returns: the state; nil if the first one is being read.
    /// - Throws: the error of `read`.
    func state(of message: MessageID, at now: Date, _ read: () async throws -> Reading) async throws -> Reading? {
        let known = watches.withLock { watches -> (last: Reading?, isCurrent: Bool) in
            guard var watch = watches[message] else { return (nil, false) }
            let isCurrent = watch.readAt.map { !$0.isOver(after: Self.interval, at: now) } ?? false
            guard !watch.isReading, !isCurrent else { return (watch.last, true) }
            watch.isReading = true
            watches[message] = watch
            return (nil, false)
        }
        if known.isCurrent { return known.last }
        let reading: Reading
        do { reading = try await read() } catch {
            watches.withLock { $0[message]?.isReading = false }
            throw error
        }
        watches.withLock { watches in
            watches[message]?.isReading = false
            watches[message]?.readAt = now
            watches[message]?.last = reading
        }
        return reading
    }
}
