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
    func json(_ texts: Catalogue) -> JSONObject {
        let progress = message.progress
        let explain = Explanation(texts)
        var values: JSONObject = [
            "devices": .number(progress.devices), "sent": .number(progress.sent), "ended": .number(progress.ended),
            "waiting": .number(progress.waiting), "links": .number(progress.links),
            "has_links": .bool(progress.links > 0), "is_waiting": .bool(isWaiting),
            "done": .number(progress.sent + progress.ended), "is_complete": .bool(message.outcomesComplete),
            "outcomes": .array(message.outcomes.map { row($0, explain) }), "counts": .array(counts(texts)),
        ]
        if isWaiting, let problem = progress.problem {
            let reason = message.outcomes.first { $0.event == problem }
            values["waits"] = .string(explain.meaning(of: problem, reason?.reason) ?? reason?.sentence ?? problem)
        }
        return values
    }

    private func row(_ outcome: MessageStandingAnswer.Outcome, _ explain: Explanation) -> JSONValue {
        [
            "event": .string(explain.name(of: outcome.event)), "is_voip": .bool(outcome.part == .voip),
            "reason": .orNull(outcome.reason),
            "meaning": .string(explain.meaning(of: outcome.event, outcome.reason) ?? outcome.sentence),
            "devices": .number(outcome.devices), "ids": .strings(outcome.registrationIDs),
            "is_cut": .bool(outcome.devices > outcome.registrationIDs.count),
        ]
    }

    /// A row for each way of delivery that the push used.
    private func counts(_ texts: Catalogue) -> [JSONValue] {
        let parts = [
            ("notification", details?.notification.all), ("message", details?.message.all), ("inapp", details?.inapp),
        ]
        return parts.compactMap { kind, part in
            guard let counts = part?.counts, counts.target > 0 else { return nil }
            var row = JSONCoding.object(of: counts)
            row["name"] = .string(texts["messages", "kind_\(kind)"])
            return .object(row)
        }
    }
}
