import Foundation
import PushModel

/// The facts about a gateway that the control endpoint and its pages show.
package struct ControlFacts: Sendable {
    package let gateway: Gateway
    /// The latest pushes; nil if nobody keeps them.
    let recorder: PushRecorder?

    /// Returns the latest recorded pushes that meet the conditions, oldest first.
    ///
    /// `parameters` are those of `GET /pushes`, without waiting.
    /// - Throws: ``ControlRefusal`` for a parameter that cannot be right.
    package func pushes(_ parameters: [(name: String, value: String)]) throws(ControlRefusal) -> [RecordedPush] {
        let wish = try PushParameters(parameters)
        return recorder?.pushes(wish.query, limit: wish.limit) ?? []
    }

    /// Returns the latest tokens that meet the conditions, in the order of their issue.
    ///
    /// `parameters` are those of `GET /tokens`.
    /// - Throws: ``ControlRefusal`` for a parameter that cannot be right.
    package func tokens(_ parameters: [(name: String, value: String)]) throws(ControlRefusal) -> [IssuedToken] {
        gateway.tokens(try TokenQuery(parameters))
    }
}

extension GatewayKey {
    var json: JSONObject {
        let topics: JSONValue =
            switch scope {
            case .team: .null
            case .topics(let topics): .strings(topics.sorted())
            }
        return JSONObject(present: [
            "id": id, "team": teamID, "revoked": isRevoked, "environments": environments.map(\.rawValue).sorted(),
            "topics": topics, "relatedTo": JSONValue.orNull(relatedTo),
        ])
    }
}

extension ProviderSession {
    var json: JSONObject {
        JSONObject(present: ["id": number, "peer": peer, "environment": environment, "requests": requests])
    }
}

extension Date {
    /// The date with milliseconds, in UTC, in the format of journeys.
    var iso8601: String { formatted(Self.style) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
