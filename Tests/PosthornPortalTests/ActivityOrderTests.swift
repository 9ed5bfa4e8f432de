import ActivityKit
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import TestSupport
import Testing
import UIKit

@Suite("Orders about Live Activities, as the command line and the portal send them", .suiteLimit)
@MainActor
struct ActivityOrderTests {
    private let phone = TestPhone(system: "18.0")
    private let app = InstalledApp(
        bundleID: "com.example.ride",
        name: "Ride",
        info: ["NSSupportsLiveActivities": true, "NSSupportsLiveActivitiesFrequentUpdates": true]
    )

    /// Carries out an order as the page's script writes it.
    private func perform(_ json: String) async throws {
        try await carryOut(JSONDecoder().decode(DeviceOrder.self, from: Data(json.utf8)), on: phone, app)
    }

    private func start(_ car: String) async throws -> String {
        await phone.open(app)
        let activity = try await phone.device.inside(app.bundleID) {
            try Activity.request(
                attributes: RideAttributes(car: car),
                content: ActivityContent(state: .init(minutes: 5), staleDate: nil),
                pushType: nil
            )
        }
        await phone.background(app)
        return try #require(activity).id
    }

    @Test("Touch and remove an activity, by its id or the first")
    func actions() async throws {
        phone.install(app) { RideApp() }
        let first = try await start("red")
        _ = try await start("blue")
        try await perform(#"{"activity":{"_0":{"tap":{"id":"\#(first)"}}}}"#)
        #expect(phone.device.screen.front == app.bundleID)
        try await perform(#"{"activity":{"_0":{"dismiss":{"id":"\#(first)"}}}}"#)
        #expect(phone.activities.count == 1 && phone.activities.first?.id != first)
        try await perform(#"{"activity":{"_0":{"dismiss":{}}}}"#)
        #expect(phone.activities.isEmpty)
    }

    @Test("Switch them off and on, and more frequent updates")
    func settings() async throws {
        phone.install(app) { RideApp() }
        _ = try await start("red")
        #expect(phone.device.phoneState.apps.first?.liveActivities == true)
        try await perform(#"{"activity":{"_0":{"allow":{"_0":false}}}}"#)
        #expect(phone.activities.isEmpty && phone.device.phoneState.apps.first?.liveActivities == false)
        try await perform(#"{"activity":{"_0":{"allow":{"_0":true}}}}"#)
        #expect(phone.device.phoneState.apps.first?.liveActivities == true)
        try await perform(#"{"activity":{"_0":{"allowFrequent":{"_0":false}}}}"#)
        let frequent = await phone.device.inside(app.bundleID) { ActivityAuthorizationInfo().frequentPushesEnabled }
        #expect(frequent == false)
    }

    @Test("An order that the device refuses says what is there instead")
    func refusals() async throws {
        func refusal(_ json: String) async -> String? {
            await #expect(throws: DeviceOrderProblem.self) { try await perform(json) }?.description
        }
        phone.install(app) { RideApp() }
        let tap = #"{"activity":{"_0":{"tap":{}}}}"#
        #expect(await refusal(tap) == "No Live Activity is on the screen.")
        let id = try await start("red")
        let gone = await refusal(#"{"activity":{"_0":{"dismiss":{"id":"x"}}}}"#)
        #expect(gone == "There is no Live Activity x; on the screen are \(id) of Ride.")
        await phone.perform { $0.lock() }
        #expect(await refusal(tap) == "The device is locked; unlock it first.")
        let plain = InstalledApp(bundleID: app.bundleID, name: "Ride")
        phone.install(plain) { RideApp() }
        #expect(phone.device.phoneState.apps.first?.liveActivities == nil)
        let allow = #"{"activity":{"_0":{"allow":{"_0":true}}}}"#
        #expect(await refusal(allow)?.contains("NSSupportsLiveActivities") == true)
    }

    @Test("The run has the id of the activity that alerts, with which a picture of the phone opens its island")
    func alert() async throws {
        phone.install(app) { RideApp() }
        let id = try await start("red")
        var message = LiveActivityMessage.update(["minutes": 1])
        message.alert = ["title": "Your ride", "body": "is here"]
        await phone.push(liveActivity: message, to: id, of: app)
        let entry = phone.runFile.entries.last { $0.event == "activityAlerted" }
        #expect(entry?.notification == id && phone.device.phoneState.activities?.first?.isInIsland == true)
    }
}

private struct RideAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var minutes: Int
    }

    var car: String
}

private final class RideApp: UIResponder, UIApplicationDelegate {}
