import Hummingbird
import PushModel

/// Routes for connections, counts and the state of a push.
struct WatchRoutes {
    let gateway: Gateway

    func add(to router: Router<BasicRequestContext>) {
        router.get("connections") { _, _ in
            Response(json: ["connections": .array(gateway.providers.map { .object($0.json) })])
        }
        router.get("connections/:id") { _, context in Response(json: try provider(context).json) }
        router.delete("connections/:id") { _, context in
            try provider(context).close()
            return Response(status: .noContent)
        }
        router.post("connections/:id/goaway") { request, context in
            let provider = try provider(context)
            var json = try StrictJSONReader(try await request.json())
            let goAway = try FaultGoAway(reading: &json, hasRequest: false)
            try json.finish()
            provider.goAway(goAway)
            return Response(status: .noContent)
        }
        router.get("counts") { _, _ in Response(json: gateway.statistics.json) }
        router.get("pushes/:apnsID") { _, context in
            let id = try context.parameters.require("apnsID")
            guard APNSID(id) != nil else {
                throw ControlRefusal.bad("'\(id)' is not an apns-id; expected a UUID as 8-4-4-4-12 hexadecimal digits.")
            }
            guard let standing = gateway.standing(of: id) else {
                throw ControlRefusal.notFound(
                    "No push '\(id)' is remembered: it never arrived, or was forgotten since."
                )
            }
            return Response(json: standing.json)
        }
    }

    private func provider(_ context: BasicRequestContext) throws -> ProviderSession {
        let number = try context.number("id")
        guard let provider = gateway.provider(number) else {
            let open = gateway.providers.map { String($0.number) }.joined(separator: ", ")
            throw ControlRefusal.notFound(
                "Connection \(number) is not open; " + (open.isEmpty ? "none is." : "open are \(open).")
            )
        }
        return provider
    }
}

extension ProviderSession {
    fileprivate var json: JSONObject {
        [
            "id": .integer(Int64(number)), "peer": .string(peer), "environment": .string(environment.rawValue),
            "requests": .integer(Int64(requests)),
        ]
    }
}
