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
        let set = facts.gateway.faults
        return [
            "search": search(["token", "topic"]),
            "presets": .array(
                Self.presets.map { preset in
                    var fault = preset.fault
                    if let token = query["token"] { fault["token"] = .string(token) }
                    return ["name": .string(text(preset.text)), "fault": .string(JSONValue.object(fault).text)]
                }
            ),
            "faults": .array(set.reversed().map(row)), "is_empty": .bool(set.isEmpty),
            "reasons": .array(
                APNSReason.documented.map { reason in
                    [
                        "word": .string(reason.rawValue), "status": .number(reason.status),
                        "is_chosen": .bool(reason == .tooManyRequests),
                    ]
                }
            ),
            "environments": environments, "outage": .orNull(facts.gateway.outage?.rawValue),
            "outages": ["InternalServerError", "ServiceUnavailable", "Shutdown"], "is_live": true,
        ]
    }

    private func row(_ active: ActiveFault) -> JSONValue {
        let fault = active.fault.json
        let details =
            (active.script.map { ["script \($0)"] } ?? [])
            + fault.members.filter { $0.key != "kind" }.map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        return [
            "id": .number(active.id), "kind": fault["kind"] ?? .null,
            "details": .string(details.joined(separator: " · ")), "met": .string("\(active.met)"),
            "carried_out": .string("\(active.carriedOut)"),
        ]
    }
}
