import APNSGateway
import PushModel

/// Connections, tokens and keys.
extension ConsoleContent {
    var connections: JSONObject {
        let gateway = facts.gateway
        let (providers, devices, counts) = (gateway.providers, gateway.linkedDevices, gateway.statistics)
        let numbers = [
            ("stored", counts.stored), ("delivered", counts.delivered), ("waiting", counts.waiting),
            ("coalesced", counts.coalesced), ("expired", counts.expired),
        ]
        return [
            "counts": .array(numbers.map { ["name": .string(text("count_\($0)")), "number": .string("\($1)")] }),
            "answers": .array(
                counts.sortedAnswers.map { answer, count in
                    [
                        "environment": environment(answer.environment), "status": .number(answer.status),
                        "reason": .orNull(answer.reason?.rawValue), "number": .string("\(count)"),
                        "is_accepted": .bool(answer.status == 200),
                    ]
                }
            ),
            "has_answers": .bool(!counts.answers.isEmpty),
            "providers": .array(
                providers.map { provider in
                    [
                        "id": .number(provider.number), "peer": .string(provider.peer),
                        "environment": environment(provider.environment), "requests": .string("\(provider.requests)"),
                    ]
                }
            ),
            "has_providers": .bool(!providers.isEmpty),
            "devices": .array(
                devices.map { device in
                    [
                        "id": .string(device.id), "is_awake": .bool(device.isAwake),
                        "apps": .array(
                            device.apps.map {
                                ["topic": .string($0.topic), "environment": environment($0.environment)]
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
                TokenFacts.State.allCases.map(\.rawValue).map { word in
                    [
                        "word": .string(word), "name": .string(text("token_\(word)")),
                        "is_chosen": .bool(query["state"] == word),
                    ]
                }
            ),
        ]
        do {
            let found = try facts.tokens(query.fields(conditions))
            values["tokens"] = .array(found.reversed().map { row($0) })
            values["is_empty"] = .bool(found.isEmpty)
            // A full page may have others before it.
            if found.count == 100 { values["earlier"] = .string(query.link(["before": "\(found[0].number)"])) }
        } catch {
            values["problem"] = .string(error.message)
        }
        return values
    }

    private func row(_ token: IssuedToken) -> JSONValue {
        let (digits, facts) = (token.token.hexadecimal, token.facts)
        return [
            "token": .string(digits), "topic": .string(facts.topic), "environment": environment(facts.environment),
            "state": .string(text("token_\(facts.state)")), "is_valid": .bool(facts.state == .valid),
            "device": .orNull(facts.device), "waiting": .string("\(facts.waiting)"),
            "pushes": .string(ConsoleQuery.link([("token", digits)])),
        ]
    }

    var keys: JSONObject {
        let keys = facts.gateway.keys
        return ["keys": .array(keys.map(row)), "is_empty": .bool(keys.isEmpty)]
    }

    private func row(_ key: GatewayKey) -> JSONValue {
        let topics: String? =
            switch key.scope {
            case .team: nil
            case .topics(let topics): topics.sorted().joined(separator: ", ")
            }
        return [
            "id": .string(key.id), "team": .string(key.teamID), "topics": .orNull(topics),
            "environments": .array(APNSEnvironment.allCases.filter(key.environments.contains).map(environment)),
            "is_revoked": .bool(key.isRevoked),
        ]
    }
}
