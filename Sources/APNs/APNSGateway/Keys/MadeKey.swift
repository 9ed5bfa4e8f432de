import Crypto
import PushModel

/// A key that was made at the control endpoint.
struct MadeKey: Sendable {
    /// The number in the order in which the keys were made.
    var number: Int
    var key: GatewayKey
}

extension MadeKey {
    init(json: JSONValue) throws(JSONProblem) {
        var json = try StrictJSONReader(json)
        number = try json.need("number", .integer(in: 0...Int64.max))
        let isRevoked = try json.need("revoked", .bool)
        let order = try KeyOrder(reading: &json)
        try json.finish()
        guard let id = order.id, let publicKey = order.publicKey else {
            throw json.problem("id", found: nil, expected: "an id together with 'publicKey'")
        }
        key = order.key(id: id, publicKey: publicKey)
        key.isRevoked = isRevoked
    }

    var json: JSONObject {
        var object = JSONObject(present: [
            "number": number, "id": key.id, "team": key.teamID,
            "environments": key.environments.map(\.rawValue).sorted(), "revoked": key.isRevoked,
            "publicKey": key.publicKey.pemRepresentation,
        ])
        if case .topics(let topics) = key.scope { object["topics"] = .strings(topics.sorted()) }
        object["relatedTo"] = JSONValue(key.relatedTo)
        return object
    }
}
