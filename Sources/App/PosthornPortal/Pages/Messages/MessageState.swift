import PushModel

/// How far a push is and what became of it, for its page and for the page's stream.
struct MessageState {
    private let progress: JSONObject
    private let outcomes: [JSONObject]
    private let isComplete: Bool
    private let detail: JSONObject?

    /// - Parameters:
    ///   - message: the answer of `GET /posthorn/v1/messages/{msg_id}`.
    ///   - detail: the push's element of `GET /v3/messages/detail`.
    init(_ message: JSONObject, detail: JSONObject?) {
        progress = message["progress"]?.object ?? [:]
        outcomes = message.objects("outcomes")
        isComplete = message["outcomes_complete"] != false
        self.detail = detail?["details"]?.object
    }

    private func number(_ key: String) -> Int64 { progress[key]?.integer ?? 0 }

    var isWaiting: Bool { number("waiting") > 0 }
    var nextAt: String? { progress["next_at"]?.string }

    /// The part that can change, which the stream sends.
    var live: JSONValue {
        [
            "progress": .object(progress), "details": detail.map { .object($0) } ?? .null,
            "outcomes": .array(
                outcomes.map { ["sentence": $0["sentence"] ?? .null, "devices": $0["devices"] ?? .null] }
            ),
        ]
    }

    /// The values of the template.
    func json(_ texts: Catalogue) -> JSONObject {
        let (devices, sent, ended) = (number("devices"), number("sent"), number("ended"))
        let explain = Explanation(texts)
        var values: JSONObject = [
            "devices": .integer(devices), "sent": .integer(sent), "ended": .integer(ended),
            "waiting": .integer(number("waiting")), "links": .integer(number("links")),
            "has_links": .bool(number("links") > 0), "is_waiting": .bool(isWaiting), "done": .integer(sent + ended),
            "is_complete": .bool(isComplete), "outcomes": .array(outcomes.map { .object(row($0, explain)) }),
            "counts": .array(counts(texts)),
        ]
        if isWaiting, let problem = progress["problem"]?.string {
            let reason = outcomes.first { $0["event"]?.string == problem }
            values["waits"] = .string(
                explain.meaning(of: problem, reason?["reason"]?.string) ?? reason?["sentence"]?.string ?? problem
            )
        }
        return values
    }

    private func row(_ outcome: JSONObject, _ explain: Explanation) -> JSONObject {
        let (event, reason) = (outcome["event"]?.string ?? "", outcome["reason"]?.string)
        let ids = outcome["registration_ids"]?.array ?? []
        return [
            "event": .string(explain.name(of: event)), "is_voip": .bool(outcome["part"] == "voip"),
            "reason": .orNull(reason),
            "meaning": .string(explain.meaning(of: event, reason) ?? outcome["sentence"]?.string ?? ""),
            "devices": outcome["devices"] ?? .null, "ids": .array(ids),
            "is_cut": .bool((outcome["devices"]?.integer ?? 0) > Int64(ids.count)),
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
