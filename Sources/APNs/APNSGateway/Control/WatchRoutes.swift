import Hummingbird
import PushModel

/// Routes for connections, devices, counts and the state of a push.
struct WatchRoutes {
    let gateway: Gateway

    func add(to router: Router<BasicRequestContext>) {
        router.get("connections") { _, _ in Response("connections", gateway.providers.map(\.json)) }
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
        router.get("devices") { _, _ in Response("devices", gateway.linkedDevices.map(\.json)) }
        router.get("counts") { _, _ in Response(json: gateway.statistics.json) }
        router.get("pushes/:apnsID/devices/:device") { _, context in
            let (id, device) = (try apnsID(context), try context.parameters.require("device"))
            guard let standing = gateway.broadcastStanding(of: id, for: device) else {
                throw ControlRefusal.notFound(
                    "Either no channel message '\(id)' is remembered, or no device '\(device)' has ever connected; a push to a "
                        + "device token is at /pushes/\(id)."
                )
            }
            return Response(json: standing.json)
        }
        router.get("pushes/:apnsID") { _, context in
            let id = try apnsID(context)
            guard let standing = gateway.standing(of: id) else {
                throw ControlRefusal.notFound(
                    "No push '\(id)' is remembered: it never arrived, or was forgotten since."
                )
            }
            return Response(json: standing.json)
        }
    }

    private func apnsID(_ context: BasicRequestContext) throws -> String {
        let id = try context.parameters.require("apnsID")
        guard APNSID(id) != nil else {
            throw ControlRefusal.bad("'\(id)' is not an apns-id; expected a UUID as 8-4-4-4-12 hexadecimal digits.")
        }
        return id
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
