import Foundation
import Hummingbird
import PushClock
import PushModel

/// Routes for the gateway's clock, which a test may advance.
struct ClockRoutes {
    let gateway: Gateway

    /// The most that one request may advance the clock by, in seconds: a hundred years.
    private static let longestTurn = 3_155_760_000.0

    func add(to router: Router<BasicRequestContext>) {
        router.get("clock") { _, _ in Response(json: facts) }
        router.post("clock") { request, _ in
            guard let clock = gateway.clock as? TurnableClock else {
                throw ControlRefusal(status: .conflict, message: "The clock of this gateway cannot be turned.")
            }
            var json = try StrictJSONReader(try await request.json())
            let seconds = try json.need("turn", .number(in: 0...Self.longestTurn), orMissing: "seconds")
            try json.finish()
            clock.turn(by: .seconds(seconds))
            return Response(json: facts)
        }
    }

    private var facts: JSONObject {
        let turned = (gateway.clock as? TurnableClock)?.turned ?? .zero
        return [
            "now": .string(gateway.clock.date.iso8601),
            "seconds": .double(gateway.clock.date.timeIntervalSince1970),
            "turned": .double(turned / .seconds(1)),
        ]
    }
}
