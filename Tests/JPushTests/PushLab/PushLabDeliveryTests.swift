import DeviceLink
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import TestSupport
import Testing
import UIKit

@Suite("PushLab's Live Activity", .suiteLimit)
@MainActor
struct PushLabDeliveryTests {
    private static let order = "4711"

    private static func content(_ place: String, _ stops: Int) -> JSONValue {
        ["place": .string(place), "stops": .integer(Int64(stops))]
    }

    private func details(of name: String, _ stage: LabStage) throws -> [String] {
        try stage.lab.log.lines.filter { $0.name == name }.map(\.detail)
    }

    private func heard(_ name: String, _ detail: String, _ stage: LabStage) async throws {
        let lab = try stage.lab
        try await eventually("PushLab logs \(name) \(detail); its log is \(lab.log.lines)") {
            lab.log.lines.contains { $0.name == name && $0.detail == detail }
        }
    }

    @Test("The app starts it and registers its token; pushes change it; it goes stale, and a push ends it")
    func life() async throws {
        let stage = await LabStage(18)
        try await stage.inside { try $0.deliveries.begin(Self.order, at: "Depot", stops: 9) }
        try await heard("activityUpdates", "4711 Depot, 9 stops", stage)
        try await heard("registerLiveActivity", "4711 code 0", stage)
        let shown = try #require(stage.phone.activities.first)
        let token = try #require(shown.record.pushToken)
        #expect(stage.service.requests.contains(.activityToken(id: Self.order, token)))

        var near = LiveActivityMessage.update(Self.content("Your street", 1))
        near.staleDate = stage.phone.clock.date.addingTimeInterval(600)
        await stage.phone.push(liveActivity: near, to: shown.id, of: stage.app)
        try await heard("contentUpdates", "4711 Your street, 1 stops", stage)
        await stage.phone.advance(by: .seconds(601))
        try await heard("activityStateUpdates", "4711 stale", stage)
        #expect(stage.phone.activities.map(\.state) == [.stale])

        let end = LiveActivityMessage.end(Self.content("At your door", 0))
        await stage.phone.push(liveActivity: end, to: shown.id, of: stage.app)
        try await heard("activityStateUpdates", "4711 ended", stage)
        #expect(stage.phone.activities.map(\.content) == [#"{"place":"At your door","stops":0}"#])
        try await eventually("the service is told that the activity has ended") {
            stage.service.requests.contains(.activityToken(id: Self.order, nil))
        }
    }

    @Test("A push starts it in an app that does not run, which registers the activity's token in the background")
    func startByPush() async throws {
        let stage = await LabStage(18)
        try await heard("registerLiveActivity", "DeliveryAttributes code 0", stage)
        await stage.phone.terminate(stage.app)
        let start = LiveActivityMessage.start(
            "DeliveryAttributes",
            attributes: ["order": .string(Self.order)],
            contentState: Self.content("Depot", 9)
        )
        await stage.phone.push(liveActivity: start, startingIn: stage.app)
        try await heard("registerLiveActivity", "4711 code 0", stage)
        #expect(try details(of: "activityUpdates", stage) == ["4711 Depot, 9 stops"])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
    }

    @Test("An app that is launched again follows the activity that it finds, and ends it")
    func secondLaunch() async throws {
        let stage = await LabStage(18)
        try await stage.inside { try $0.deliveries.begin(Self.order, at: "Depot", stops: 9) }
        await stage.phone.terminate(stage.app)
        await stage.phone.open(stage.app)
        try await heard("activityUpdates", "4711 Depot, 9 stops", stage)
        try await heard("registerLiveActivity", "4711 code 0", stage)
        try await stage.inside { await $0.deliveries.end(Self.order) }
        try await heard("contentUpdates", "4711 At your door, 0 stops", stage)
        #expect(try details(of: "activityUpdates", stage).count == 1)
        #expect(stage.phone.activities.map(\.state) == [.ended])
    }

    @Test("Before iOS 17.2 there is no token for starts, and before iOS 16.2 no activity", arguments: [9, 16, 17])
    func older(_ major: Int) async throws {
        let stage = await LabStage(major)
        try await stage.inside { try $0.deliveries.begin(Self.order, at: "Depot", stops: 9) }
        #expect(try details(of: "pushToStartTokenUpdates", stage).isEmpty)
        #expect(stage.phone.activities.count == (major < 17 ? 0 : 1))
        #expect(try details(of: "delivery", stage) == (major < 17 ? ["Live Activities need iOS 16.2"] : []))
    }
}
