import APNSGateway
import APNSProvider
import ActivityKit
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

private struct MatchAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var goals: Int
    }
}

private final class MatchApp: UIResponder, UIApplicationDelegate {}

/// A provider's channel client, the gateway's sockets, and the courier of an emulated iPhone.
@Suite("A broadcast channel from the provider to the device", .suiteLimit)
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

    @Test("A Live Activity hears each message of its channel once, linked or later, until the channel is deleted")
    func subscribed() async throws {
        try await withStack(managesChannels: true) { stack in
            let phone = try await stack.makePhone(name: "Fan", system: "18.0")
            defer { phone.switchOff() }
            let app = InstalledApp(
                bundleID: phone.bundleID,
                name: "Scores",
                environment: .production,
                info: ["NSSupportsLiveActivities": true]
            )
            phone.device.install(app) { MatchApp() }
            phone.device.open(app.bundleID)
            await phone.device.settled()
            let channels = try channels(of: stack)
            let channel = try await channels.create(.mostRecentMessageStored)
            func send(_ goals: Int) async throws -> String {
                let date = stack.settings.clock.date
                let now = phone.clock.date
                let payload: JSONValue = [
                    "aps": [
                        "event": "update", "timestamp": .integer(Int64(now.timeIntervalSince1970)),
                        "content-state": ["goals": .integer(Int64(goals))],
                    ]
                ]
                let end = date.addingTimeInterval(3600)
                let push = APNSBroadcast(to: channel, payload: payload.bytes, expiration: .at(end))
                try await channels.send(push)
                return push.requestID.uuidString.lowercased()
            }
            func told(_ id: String) async {
                _ = await stack.journeys.first(of: id) { $0 == .presented(.activityUpdated) }
            }
            try await phone.device.inside(app.bundleID) {
                _ = try Activity.request(
                    attributes: MatchAttributes(),
                    content: ActivityContent(state: .init(goals: 0), staleDate: nil),
                    pushType: .channel(channel.rawValue)
                )
            }
            // Whether the device is linked already or gets the stored one: it arrives.
            let first = try await send(1)
            await told(first)
            phone.device.disconnect()
            let second = try await send(2)
            phone.device.connect(courier: stack.gateway.server.courierURL)
            await told(second)
            #expect(phone.device.screen.activities.map(\.content) == [#"{"goals":2}"#])
            for id in [first, second] {
                #expect(stack.journeys.events(of: id).filter { $0.kind == .presented(.activityUpdated) }.count == 1)
                // The device's events come after its acknowledgement.
                let gateway = stack.gateway.server.gateway
                #expect(gateway.broadcastStanding(of: id, for: phone.device.id)?.state == .delivered)
            }
            try await channels.delete(channel)
            _ = await phone.device.deviceEvents(replaying: true).first {
                $0.kind == .changed("broadcast channel \(channel.rawValue) does not exist")
            }
            await channels.shutdown()
        }
    }
}
