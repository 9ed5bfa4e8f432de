import PushModel
import PushService

/// How far a push is and what became of it, for its page and for the page's stream.
struct MessageState {
    private let message: MessageStandingAnswer
    private let detail: JSONObject?

    /// - Parameters:
    ///   - message: the push.
    ///   - detail: the push's element of `GET /v3/messages/detail`.
    init(_ message: MessageStandingAnswer, detail: JSONObject?) {
        self.message = message
        self.detail = detail?["details"]?.object
    }

    var isWaiting: Bool { message.progress.waiting > 0 }

    /// The part that can change, which the stream sends.
    var live: JSONValue {
        [
            "progress": JSONCoding.json(of: message.progress), "details": detail.map { .object($0) } ?? .null,
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
        ["notification", "message", "inapp"].compactMap { kind in
            guard let counts = detail?[kind]?.object, (counts["target"]?.integer ?? 0) > 0 else { return nil }
            return [
                "name": .string(texts["messages", "kind_\(kind)"]), "target": counts["target"] ?? .null,
                "sent": counts["sent"] ?? .null, "received": counts["received"] ?? .null,
                "display": counts["display"] ?? .null, "click": counts["click"] ?? .null,
            ]
        }
    }
}
