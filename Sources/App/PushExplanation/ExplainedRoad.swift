import APNSGateway
import APNSProvider
import APNSTransport
import Crypto
import DeviceLink
import Foundation
import PosthornPhone
import PushClock
import PushModel

/// A gateway in this process with a key of its own, to which a push is sent as a provider sends it.
struct ExplainedRoad {
    private static let courierURL = "ws://gateway.explain"
    /// The id of a push that has none, as of another file.
    static let pushID = "00000000-0000-4000-8000-000000000001"

    let clock: VirtualClock
    private let gateway: Gateway

    private static let team = "TEAM000000"
    private static let keyID = "KEY0000000"
    private static let key = P256.Signing.PrivateKey()

    init(at date: Date) {
        clock = VirtualClock(date: date)
        gateway = Gateway(secret: Array(repeating: 1, count: 32), clock: clock)
        var order = KeyOrder(teamID: Self.team)
        order.id = Self.keyID
        order.publicKey = Self.key.publicKey
        // A gateway without a folder takes every key.
        _ = try? gateway.makeKey(order)
    }

    func connect(_ phone: TestPhone) {
        phone.dialer.serve(Self.courierURL, gateway.courier)
        phone.device.connect(courier: Self.courierURL)
    }

    /// Lets the time pass for which the gateway groups pushes to a phone that sleeps.
    func release(to phone: TestPhone) async {
        await phone.advance(by: .seconds(GatewayRules.usualGrouping))
        gateway.expire()
    }

    /// Returns why the gateway refuses a push to a token of its own kind; nil if it takes it.
    func reason(against push: ExplainedPush) -> APNSReason? {
        let topic = push.hasOwnToken ? push.topic : push.bundleID
        return send(push, to: gateway.issueToken(topic: topic, environment: .development), .development).reason
    }

    func send(
        _ push: ExplainedPush,
        to token: DeviceToken,
        _ environment: APNSEnvironment
    ) -> (id: String, reason: APNSReason?) {
        let signing = try? APNSSigningKey(p8: Self.key.pemRepresentation, keyID: Self.keyID, teamID: Self.team)
        let bearer = (try? signing?.token(issuedAt: clock.date)) ?? ""
        let id = push.header("apns-id") ?? Self.pushID
        let request = APNSRequest(
            method: "POST",
            path: "/3/device/\(token.hexadecimal)",
            headers: push.headers.filter { $0.name != "apns-id" }
                + [("apns-id", id), ("authorization", "bearer \(bearer)")],
            body: push.payload
        )
        let answer = gateway.respond(to: request, on: ProviderConnection(environment: environment))
        let reason = (try? JSONValue(parsing: answer.body))?.object?["reason"]?.string
        return (id.lowercased(), reason.map(APNSReason.init(rawValue:)))
    }
}
