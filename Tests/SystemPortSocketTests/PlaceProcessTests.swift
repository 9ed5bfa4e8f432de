import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing

@Suite("Places of an app in a process of its own", .timeLimit(.minutes(2)))
struct PlaceProcessTests {
    private static let beacon = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    private let depot = Coordinate(latitude: 52.52, longitude: 13.40)

    private func place(north metres: Double) -> Coordinate {
        Coordinate(latitude: 52.50 + metres / 111_195, longitude: 13.40)
    }

    /// An app that follows places, in the foreground.
    private func stage() async throws -> OrdersStage {
        let stage = try OrdersStage()
        await stage.phone.setLocationAccess(of: stage.app, to: .always)
        await stage.phone.move(to: place(north: 0))
        await stage.phone.open(stage.app)
        let push = await stage.phone.push(["aps": ["alert": "Follow"], "atTap": "places"], to: stage.app)
        await stage.phone.tap(push)
        try await stage.prints("OrdersApp: follows [\"depot\", \"gate\"]")
        return stage
    }

    private func gate(_ stage: OrdersStage, minor: UInt16 = 1) async throws {
        let uuid = try #require(UUID(uuidString: Self.beacon))
        await stage.phone.setBeacons([NearbyBeacon(uuid: uuid, major: 7, minor: minor, distance: 4)])
    }

    @Test("Headings, beacons, visits, changes and crossings cross the port")
    func services() async throws {
        let stage = try await stage()
        try await stage.prints("OrdersApp: significant [52.5]")
        await stage.phone.turn(to: 90)
        try await stage.prints("OrdersApp: heading 90.0")
        try await gate(stage, minor: 9)
        try await stage.prints("OrdersApp: ranged [9]")
        try await stage.prints("OrdersApp: entered gate")
        await stage.phone.setBeacons([])
        try await stage.prints("OrdersApp: left gate")
        await stage.phone.advance(by: .seconds(299))
        #expect(!stage.lines.contains("OrdersApp: arrived"))
        await stage.phone.advance(by: .seconds(1))
        try await stage.prints("OrdersApp: arrived")
        await stage.phone.move(to: depot)
        for line in ["entered depot", "departed", "significant [52.52]"] {
            try await stage.prints("OrdersApp: \(line)")
        }
    }

    @Test("A crossing, a beacon, a visit and a change start an app that has ended, with the location key")
    func launches() async throws {
        let stage = try await stage()
        let first = try await stage.launched()
        await stage.phone.terminate(stage.app)
        try await OrdersStage.isGone(first)
        await stage.phone.move(to: depot)
        try await stage.prints("OrdersApp: entered depot")
        #expect(stage.lines.filter { $0 == "OrdersApp: woke for a place" }.count == 1)
        let second = try await stage.launched(2)
        await stage.phone.forceQuit(stage.app)
        try await OrdersStage.isGone(second)
        try await gate(stage)
        try await stage.prints("OrdersApp: entered gate")
        _ = try await stage.launched(3)
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        await stage.phone.terminate(stage.app)
        await stage.phone.advance(by: .seconds(299))
        #expect(!stage.lines.contains("OrdersApp: arrived"))
        await stage.phone.advance(by: .seconds(1))
        try await stage.prints("OrdersApp: arrived")
        let fourth = try await stage.launched(4)
        await stage.phone.terminate(stage.app)
        try await OrdersStage.isGone(fourth)
        await stage.phone.advance(by: .seconds(300))
        await stage.phone.move(to: Coordinate(latitude: 52.6, longitude: 13.40))
        try await stage.prints("OrdersApp: significant [52.6]")
        _ = try await stage.launched(5)
    }
}
