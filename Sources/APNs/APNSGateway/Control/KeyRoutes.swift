import Hummingbird
import PushClock
import PushModel

extension ControlEndpoint {
    /// Adds routes for keys, which are made and revoked here as at Apple's developer site.
    func addKeys(to router: Router<BasicRequestContext>) {
        router.post("keys") { request, _ in
            let order = try KeyOrder(json: try await request.json())
            do {
                let (key, p8) = try gateway.makeKey(order)
                var json = key.json
                json["p8"] = JSONValue(p8)
                return Response(.created, json: json)
            } catch let refusal as KeyRefusal {
                throw ControlRefusal(status: .conflict, message: refusal.description)
            }
        }
        router.get("keys") { _, _ in Response("keys", gateway.keys.map(\.json)) }
        router.get("keys/:id") { _, context in Response(json: try key(context).json) }
        router.delete("keys/:id") { _, context in
            try gateway.revoke(try key(context).id)
            return Response(status: .noContent)
        }
    }

    /// The largest number of keys that an error names.
    private static let namedKeys = 20

    private func key(_ context: BasicRequestContext) throws -> GatewayKey {
        let id = try context.parameters.require("id")
        guard let key = gateway.credentials.key(id) else {
            let known = gateway.keys.prefix(Self.namedKeys).map { "'\($0.id)'" }.joined(separator: ", ")
            throw ControlRefusal.notFound("There is no key '\(id)'; there are \(known).")
        }
        return key
    }

    /// Adds routes for the limit of new provider tokens, and what was counted.
    func addProviderTokens(to router: Router<BasicRequestContext>) {
        router.get("provider-tokens") { _, _ in Response(json: providerTokens) }
        router.put("provider-tokens") { request, _ in
            var json = try StrictJSONReader(try await request.json())
            let limit = try json.need("limit", .integer(in: GatewayRules.possibleProviderTokens))
            try json.finish()
            gateway.credentials.providerTokenLimit = limit
            return Response(json: providerTokens)
        }
        router.delete("provider-tokens") { _, _ in
            gateway.credentials.forgetProviderTokens()
            return Response(status: .noContent)
        }
    }

    private var providerTokens: JSONObject {
        let counted = gateway.credentials.providerTokens(at: gateway.clock.date).sorted { $0.key < $1.key }
        return JSONObject(present: [
            "limit": gateway.credentials.providerTokenLimit, "seconds": Int(ProviderTokenUpdates.interval),
            "keys": counted.map { ["id": $0.key, "tokens": $0.value] as JSONMembers },
        ])
    }
}
