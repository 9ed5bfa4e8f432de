import PushModel
import PushService

/// How far a push is and what became of it, for its page and for the page's stream.
struct MessageState {
    let message: MessageStandingAnswer
    /// The counts of its parts.
    let details: MessageDetailAnswer.Details?

    var isWaiting: Bool { message.progress.waiting > 0 }

    /// The part that can change, which the stream sends.
    var live: JSONValue {
        [
            "progress": JSONCoding.json(of: message.progress),
            "details": details.map { JSONCoding.json(of: $0) } ?? .null,
            "outcomes": .array(
                message.outcomes.map { ["sentence": .string($0.sentence), "devices": .number($0.devices)] }
            ),
        ]
    }

    /// The values of the template.
    func values(_ texts: Catalogue) -> PageValues {
        let progress = message.progress
        let explain = Explanation(texts)
        var values: PageValues = [
            "devices": progress.devices, "sent": progress.sent, "ended": progress.ended, "waiting": progress.waiting,
            "links": progress.links, "has_links": progress.links > 0, "is_waiting": isWaiting,
            "done": progress.sent + progress.ended, "is_complete": message.outcomesComplete,
            "outcomes": message.outcomes.map { row($0, explain) }, "counts": counts(texts),
        ]
        if isWaiting, let problem = progress.problem {
            let reason = message.outcomes.first { $0.event == problem }
            values["waits"] = explain.meaning(of: problem, reason?.reason) ?? reason?.sentence ?? problem
        }
        return values
    }

    private func row(_ outcome: MessageStandingAnswer.Outcome, _ explain: Explanation) -> PageValues {
        [
            "event": explain.name(of: outcome.event), "is_voip": outcome.part == .voip, "reason": outcome.reason,
            "meaning": explain.meaning(of: outcome.event, outcome.reason) ?? outcome.sentence,
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

/// Explains the events of journeys in the user's language.
struct Explanation {
    private let texts: Catalogue

    init(_ texts: Catalogue) { self.texts = texts }

    func text(_ section: String, _ key: String) -> String? { texts.sections[section]?.object?[key]?.string }

    /// Returns the name of an event for people; the event itself if it is unknown.
    func name(of event: String) -> String { text("why", "name_\(event)") ?? event }

    /// Returns the name of an event with the place where it showed the push, if that is known.
    func name(of event: String, how: String?) -> String {
        guard let how else { return name(of: event) }
        return name(of: event) + texts["layout", "open"] + (text("why", "how_\(how)") ?? how) + texts["layout", "close"]
    }

    /// Returns what an event means and what to do; nil if the catalogue does not know it.
    func meaning(of event: String, _ reason: String?) -> String? {
        if event == "refused", let reason, let meaning = text("reasons", "\(reason)_meaning") {
            return [meaning, text("reasons", "\(reason)_remedy")].compactMap(\.self).joined(separator: " ")
        }
        return reason.flatMap { text("why", "\(event)_\($0)") } ?? text("why", "event_\(event)")
    }
}
