import APNSGateway
import APNSProvider
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing

/// A provider's channel client, the gateway's sockets, and the courier of an emulated iPhone.
@Suite("A broadcast channel from the provider to the device", .timeLimit(.minutes(5)))
struct ChannelRoadTests {
    private func channels(of stack: Stack) throws -> APNSChannels {
        func endpoint(_ port: Int?) throws -> APNSEndpoint {
            APNSEndpoint(host: "localhost", port: try #require(port), trust: .file(stack.gateway.caPath))
        }
        let key = stack.gateway.key
        return APNSChannels(
            app: Stack.bundleID,
            credential: .key(try APNSSigningKey(p8: key.p8, keyID: key.id, teamID: key.teamID)),
            endpoints: APNSChannels.Endpoints(
                management: try endpoint(stack.gateway.server.managementPort(for: .production)),
                broadcast: try endpoint(stack.gateway.server.port(for: .production))
            ),
            clock: stack.settings.clock
        )
    }

    @Test("A subscribed device gets each message once, linked or later, and says that no Live Activity takes it")
    func subscribed() async throws {
        try await withStack(managesChannels: true) { stack in
            let phone = try #require(stack.phones.first)
            let channels = try channels(of: stack)
            let channel = try await channels.create(.mostRecentMessageStored)
            let end = stack.settings.clock.date.addingTimeInterval(3600)
            func send() async throws -> String {
                let push = APNSBroadcast(to: channel, payload: Array(#"{"aps":{}}"#.utf8), expiration: .at(end))
                try await channels.send(push)
                return push.requestID.uuidString.lowercased()
            }
            func told(_ id: String) async {
                _ = await stack.journeys.first(of: id) { $0 == .suppressed(.noSubscribedActivity) }
            }
            phone.device.subscribe(Stack.bundleID, toChannels: [channel.rawValue])
            // Whether it is linked already or gets the stored one: it arrives.
            let first = try await send()
            await told(first)
            phone.device.disconnect()
            let second = try await send()
            phone.device.connect(courier: stack.gateway.server.courierURL)
            await told(second)
            for id in [first, second] {
                let sentence = Verdict(stack.journeys.events(of: id)).sentence
                #expect(sentence.hasPrefix("delivered, but nothing took it: no Live Activity is subscribed"))
            }
            let gateway = stack.gateway.server.gateway
            // The device's events come after its acknowledgement.
            #expect(gateway.broadcastStanding(of: second, for: phone.device.id)?.state == .delivered)
            try await channels.delete(channel)
            _ = await phone.device.deviceEvents(replaying: true).first {
                $0.kind == .changed("broadcast channel \(channel.rawValue) does not exist")
            }
            await channels.shutdown()
        }
    }
}
