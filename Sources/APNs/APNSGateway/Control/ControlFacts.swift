package import PushModel

/// The facts about a gateway that the control endpoint shows, as JSON.
package struct ControlFacts: Sendable {
    let gateway: Gateway
    /// The latest pushes; nil if nobody keeps them.
    let recorder: PushRecorder?

    /// Returns the latest recorded pushes that meet the conditions, oldest first.
    ///
    /// `parameters` are those of `GET /pushes`, without waiting.
    /// - Throws: ``ControlRefusal`` for a parameter that cannot be right.
    package func pushes(_ parameters: [(name: String, value: String)]) throws(ControlRefusal) -> JSONObject {
        let wish = try PushParameters(parameters)
        return Self.json(recorder?.pushes(wish.query, limit: wish.limit) ?? [])
    }

    static func json(_ pushes: [RecordedPush]) -> JSONObject { ["pushes": .array(pushes.map { .object($0.json) })] }

    /// Returns the state and the events of a push; nil if none with this apns-id is remembered.
    package func push(apnsID: String) -> JSONObject? { gateway.standing(of: apnsID)?.json }

    /// Returns the latest tokens that meet the conditions, in the order of their issue.
    ///
    /// `parameters` are those of `GET /tokens`.
    /// - Throws: ``ControlRefusal`` for a parameter that cannot be right.
    package func tokens(_ parameters: [(name: String, value: String)]) throws(ControlRefusal) -> JSONObject {
        let found = gateway.tokens(try TokenQuery(parameters))
        let tokens = found.map { number, token, facts in
            var object: JSONObject = ["number": .number(number), "token": .string(token.hexadecimal)]
            for member in facts.json.members { object[member.key] = member.value }
            return JSONValue.object(object)
        }
        return ["tokens": .array(tokens)]
    }

    /// The faults that are set.
    package var faults: JSONObject { ["faults": .array(gateway.faults.map { .object($0.json) })] }

    /// The reason that answers every push; null for none.
    package var outage: JSONObject { ["reason": gateway.outage.map { .string($0.rawValue) } ?? .null] }

    /// The keys of providers, without anything secret.
    package var keys: JSONObject { ["keys": .array(gateway.keys.map { .object($0.json) })] }

    /// The open connections of providers.
    package var connections: JSONObject { ["connections": .array(gateway.providers.map { .object($0.json) })] }

    /// The linked devices.
    package var devices: JSONObject { ["devices": .array(gateway.linkedDevices.map { .object($0.json) })] }

    package var counts: JSONObject { gateway.statistics.json }
}

extension GatewayKey {
    fileprivate var json: JSONObject {
        let topics: JSONValue =
            switch scope {
            case .team: .null
            case .topics(let topics): .array(topics.sorted().map { .string($0) })
            }
        return [
            "id": .string(id), "team": .string(teamID), "revoked": .bool(isRevoked),
            "environments": .array(environments.map(\.rawValue).sorted().map { .string($0) }), "topics": topics,
        ]
    }
}

extension ProviderSession {
    var json: JSONObject {
        [
            "id": .number(number), "peer": .string(peer), "environment": .string(environment.rawValue),
            "requests": .number(requests),
        ]
    }
}
