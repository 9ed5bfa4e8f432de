import DeviceLink
import Foundation
import Hummingbird
import PushClock
package import PushModel
import Synchronization

extension ControlEndpoint {
    /// Adds routes for connections, devices, counts and the state of a push.
    func addWatching(to router: Router<BasicRequestContext>) {
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
            let id = try apnsID(context)
            let device = try context.parameters.require("device")
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

/// A device whose courier link is open.
package struct LinkedDevice: Sendable {
    /// The device's id.
    package var id: String
    package var isAwake: Bool
    /// The apps that pushes reach over this link.
    package var apps: [(topic: String, environment: APNSEnvironment)]

    var json: JSONObject {
        let apps: [JSONMembers] = apps.map { ["topic": $0.topic, "environment": $0.environment] }
        return JSONObject(present: ["id": id, "awake": isAwake, "apps": apps])
    }
}

extension Gateway {
    /// The devices with an open link, by id.
    package var linkedDevices: [LinkedDevice] {
        state.withLock { state in
            state.courierLinks.keys.compactMap { state.courier.device(on: $0) }.sorted().map { id in
                let apps = state.courier.apps(of: id).map { (topic: $0.topic, environment: $0.environment) }
                return LinkedDevice(id: id, isAwake: state.courier.isAwake(id), apps: apps)
            }
        }
    }
}

extension ControlEndpoint {
    /// The most that one request may advance the clock by, in seconds: a hundred years.
    private static let longestTurn = 3_155_760_000.0

    /// Adds routes for the gateway's clock, which a test may advance.
    func addClock(to router: Router<BasicRequestContext>) {
        router.get("clock") { _, _ in Response(json: clockFacts) }
        router.post("clock") { request, _ in
            guard let clock = gateway.clock as? TurnableClock else {
                throw ControlRefusal.conflict("The clock of this gateway cannot be turned.")
            }
            var json = try StrictJSONReader(try await request.json())
            let seconds = try json.need("turn", .number(in: 0...Self.longestTurn), orMissing: "seconds")
            try json.finish()
            clock.turn(by: .seconds(seconds))
            return Response(json: clockFacts)
        }
    }

    private var clockFacts: JSONObject {
        let turned = (gateway.clock as? TurnableClock)?.turned ?? .zero
        let now = gateway.clock.date
        return JSONObject(present: [
            "now": now.iso8601, "seconds": now.timeIntervalSince1970, "turned": turned / .seconds(1),
        ])
    }
}
