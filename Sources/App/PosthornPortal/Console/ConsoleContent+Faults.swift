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

    var faults: PageValues {
        let set = facts.gateway.faults
        return [
            "search": search(["token", "topic"]),
            "presets": Self.presets.map { preset -> PageValues in
                var fault = preset.fault
                if let token = query["token"] { fault["token"] = .string(token) }
                return ["name": text(preset.text), "fault": JSONValue.object(fault).text]
            },
            "faults": set.reversed().map(row), "is_empty": set.isEmpty,
            "reasons": APNSReason.documented.map { reason -> PageValues in
                ["word": reason.rawValue, "status": reason.status, "is_chosen": reason == .tooManyRequests]
            },
            "environments": environments, "outage": facts.gateway.outage?.rawValue,
            "outages": ["InternalServerError", "ServiceUnavailable", "Shutdown"], "is_live": true,
        ]
    }

    private func row(_ active: ActiveFault) -> PageValues {
        let fault = active.fault.json
        let details =
            (active.script.map { ["script \($0)"] } ?? [])
            + fault.members.filter { $0.key != "kind" }.map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        return [
            "id": active.id, "kind": fault["kind"], "details": details.joined(separator: " · "),
            "met": "\(active.met)", "carried_out": "\(active.carriedOut)",
        ]
    }
}
