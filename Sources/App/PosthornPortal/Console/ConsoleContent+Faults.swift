import APNSGateway
import PushModel

/// The faults that are set, and the means to set more.
extension ConsoleContent {
    /// The faults that one click sets, by the key of their text; each happens once.
    private static let presets: [(text: String, fault: JSONObject)] = [
        ("preset_many", ["kind": "answer", "reason": "TooManyRequests", "next": 1]),
        ("preset_unavailable", ["kind": "answer", "reason": "ServiceUnavailable", "next": 1]),
        ("preset_unregistered", ["kind": "answer", "reason": "Unregistered", "next": 1]),
        ("preset_expired", ["kind": "answer", "reason": "ExpiredProviderToken", "next": 1]),
        ("preset_late", ["kind": "latency", "seconds": 5, "next": 1]),
        ("preset_goaway", ["kind": "goAway", "reason": "Shutdown", "next": 1]),
        ("preset_reset", ["kind": "reset", "next": 1]), ("preset_close", ["kind": "close", "next": 1]),
        ("preset_drop", ["kind": "dropDelivery", "next": 1]),
        ("preset_duplicate", ["kind": "duplicateDelivery", "next": 1]),
    ]

    var faults: JSONObject {
        let set = (facts.faults["faults"]?.array ?? []).compactMap(\.object)
        let outage = facts.outage["reason"]?.string
        return [
            "search": search(["token", "topic"]),
            "presets": .array(
                Self.presets.map { preset in
                    var fault = preset.fault
                    if let token = query["token"] { fault["token"] = .string(token) }
                    return ["name": .string(text(preset.text)), "fault": .string(JSONValue.object(fault).text)]
                }
            ),
            "faults": .array(set.reversed().map { .object(row($0)) }), "is_empty": .bool(set.isEmpty),
            "reasons": .array(
                APNSReason.documented.map { reason in
                    [
                        "word": .string(reason.rawValue), "status": .number(reason.status),
                        "is_chosen": .bool(reason == .tooManyRequests),
                    ]
                }
            ),
            "environments": environments, "outage": .orNull(outage),
            "outages": ["InternalServerError", "ServiceUnavailable", "Shutdown"], "is_live": true,
        ]
    }

    private func row(_ fault: JSONObject) -> JSONObject {
        let told: Set = ["id", "kind", "seed", "met", "carriedOut"]
        let details = fault.members.filter { !told.contains($0.key) }.map { member in
            "\(member.key) \(member.value.string ?? member.value.text)"
        }
        return [
            "id": fault["id"] ?? .null, "kind": fault["kind"] ?? .null,
            "details": .string(details.joined(separator: " · ")), "met": .string("\(fault["met"]?.integer ?? 0)"),
            "carried_out": .string("\(fault["carriedOut"]?.integer ?? 0)"),
        ]
    }
}
