import APNSGateway
import PushModel

/// Connections, tokens and keys.
extension ConsoleContent {
    var connections: JSONObject {
        let providers = (facts.connections["connections"]?.array ?? []).compactMap(\.object)
        let devices = (facts.devices["devices"]?.array ?? []).compactMap(\.object)
        let counts = facts.counts
        return [
            "counts": .array(
                ["stored", "delivered", "waiting", "coalesced", "expired"].map { name in
                    ["name": .string(text("count_\(name)")), "number": .string("\(counts[name]?.integer ?? 0)")]
                }
            ),
            "answers": .array(
                counts.objects("answers").map { answer in
                    [
                        "environment": environment(answer["environment"]), "status": answer["status"] ?? .null,
                        "reason": answer["reason"] ?? .null, "number": .string("\(answer["count"]?.integer ?? 0)"),
                        "is_accepted": .bool(answer["status"]?.integer == 200),
                    ]
                }
            ),
            "has_answers": .bool(counts["answers"]?.array?.isEmpty == false),
            "providers": .array(
                providers.map { provider in
                    [
                        "id": provider["id"] ?? .null, "peer": provider["peer"] ?? .null,
                        "environment": environment(provider["environment"]),
                        "requests": .string("\(provider["requests"]?.integer ?? 0)"),
                    ]
                }
            ),
            "has_providers": .bool(!providers.isEmpty),
            "devices": .array(
                devices.map { device in
                    [
                        "id": device["id"] ?? .null, "is_awake": device["awake"] ?? .null,
                        "apps": .array(
                            device.objects("apps").map { app in
                                ["topic": app["topic"] ?? .null, "environment": environment(app["environment"])]
                            }
                        ),
                    ]
                }
            ),
            "has_devices": .bool(!devices.isEmpty), "is_live": true,
        ]
    }

    var tokens: JSONObject {
        let conditions = ["topic", "environment", "state", "device", "before"]
        var values: JSONObject = [
            "search": search(conditions), "environments": environments,
            "states": .array(
                ["valid", "unregistered", "expired"].map { word in
                    [
                        "word": .string(word), "name": .string(text("token_\(word)")),
                        "is_chosen": .bool(query["state"] == word),
                    ]
                }
            ),
        ]
        do {
            let found = try facts.tokens(query.fields(conditions))["tokens"]?.array ?? []
            let rows = found.compactMap(\.object)
            values["tokens"] = .array(rows.reversed().map { .object(row($0)) })
            values["is_empty"] = .bool(rows.isEmpty)
            // A full page may have others before it.
            if rows.count == 100, let least = rows.first?["number"]?.integer {
                values["earlier"] = .string(query.link(["before": "\(least)"]))
            }
        } catch {
            values["problem"] = .string(error.message)
        }
        return values
    }

    private func row(_ token: JSONObject) -> JSONObject {
        let state = token["state"]?.string ?? "valid"
        let digits = token["token"]?.string ?? ""
        return [
            "token": .string(digits), "topic": token["topic"] ?? .null,
            "environment": environment(token["environment"]), "state": .string(text("token_\(state)")),
            "is_valid": .bool(state == "valid"), "device": token["device"] ?? .null,
            "waiting": .string("\(token["waiting"]?.integer ?? 0)"),
            "pushes": .string(ConsoleQuery.link([("token", digits)])),
        ]
    }

    var keys: JSONObject {
        let keys = (facts.keys["keys"]?.array ?? []).compactMap(\.object)
        return [
            "keys": .array(
                keys.map { key in
                    [
                        "id": key["id"] ?? .null, "team": key["team"] ?? .null,
                        "environments": .array((key["environments"]?.array ?? []).map(environment)),
                        "topics": key["topics"]?.array.map {
                            .string($0.compactMap(\.string).joined(separator: ", "))
                        } ?? .null,
                        "is_revoked": key["revoked"] ?? .null,
                    ]
                }
            ),
            "is_empty": .bool(keys.isEmpty),
        ]
    }
}
