import APNSGateway
import PushModel

/// Connections, tokens and keys.
extension ConsoleContent {
    var connections: PageValues {
        let gateway = facts.gateway
        let providers = gateway.providers
        let devices = gateway.linkedDevices
        let counts = gateway.statistics
        let numbers = [
            ("stored", counts.stored), ("delivered", counts.delivered), ("waiting", counts.waiting),
            ("coalesced", counts.coalesced), ("expired", counts.expired),
        ]
        return [
            "counts": numbers.map { name, number -> PageValues in
                ["name": text("count_\(name)"), "number": "\(number)"]
            },
            "answers": counts.sortedAnswers.map { answer, count -> PageValues in
                [
                    "environment": environment(answer.environment), "status": answer.status,
                    "reason": answer.reason?.rawValue, "number": "\(count)", "is_accepted": answer.status == 200,
                ]
            },
            "has_answers": !counts.answers.isEmpty,
            "providers": providers.map { provider -> PageValues in
                [
                    "id": provider.number, "peer": provider.peer, "environment": environment(provider.environment),
                    "requests": "\(provider.requests)",
                ]
            },
            "has_providers": !providers.isEmpty,
            "devices": devices.map { device -> PageValues in
                let apps = device.apps.map { app -> PageValues in
                    ["topic": app.topic, "environment": environment(app.environment)]
                }
                return ["id": device.id, "is_awake": device.isAwake, "apps": apps]
            },
            "has_devices": !devices.isEmpty, "is_live": true,
        ]
    }

    var tokens: PageValues {
        let conditions = ["topic", "environment", "state", "device", "before"]
        var values: PageValues = [
            "search": search(conditions), "environments": environments,
            "states": TokenFacts.State.allCases.map(\.rawValue).map { word -> PageValues in
                ["word": word, "name": text("token_\(word)"), "is_chosen": query["state"] == word]
            },
        ]
        do {
            let found = try facts.tokens(query.fields(conditions))
            values["tokens"] = found.reversed().map { row($0) }
            values["is_empty"] = found.isEmpty
            // A full page may have others before it.
            if found.count == 100 { values["earlier"] = query.link(["before": "\(found[0].number)"]) }
        } catch {
            values["problem"] = error.message
        }
        return values
    }

    private func row(_ token: IssuedToken) -> PageValues {
        let digits = token.token.hexadecimal
        let facts = token.facts
        return [
            "token": digits, "topic": facts.topic, "environment": environment(facts.environment),
            "state": text("token_\(facts.state)"), "is_valid": facts.state == .valid, "device": facts.device,
            "waiting": "\(facts.waiting)", "pushes": ConsoleQuery.link([("token", digits)]),
        ]
    }

    var keys: PageValues {
        let keys = facts.gateway.keys
        return ["keys": keys.map { row($0) }, "is_empty": keys.isEmpty]
    }

    private func row(_ key: GatewayKey) -> PageValues {
        let topics: String? =
            switch key.scope {
            case .team: nil
            case .topics(let topics): topics.sorted().joined(separator: ", ")
            }
        return [
            "id": key.id, "team": key.teamID, "topics": topics, "related": key.relatedTo, "is_revoked": key.isRevoked,
            "environments": APNSEnvironment.allCases.filter(key.environments.contains).map(environment),
        ]
    }
}
