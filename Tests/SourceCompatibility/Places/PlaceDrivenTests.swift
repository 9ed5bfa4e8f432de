import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("Sources about places, driven")
@MainActor
struct PlaceDrivenTests {
    private let app = InstalledApp(
        bundleID: "com.example.diary",
        info: ["NSLocationTemporaryUsageDescriptionDictionary": ["Diary": "To write down where you were."]]
    )
    private let home = Coordinate(latitude: 52.50, longitude: 13.40)
    private let lake = Coordinate(latitude: 52.51, longitude: 13.40)

    private func phone() async -> TestPhone {
        let phone = TestPhone(.iOS(18))
        phone.install(app) { CurrentApp() }
        phone.device.setLocationAccess(of: app.bundleID, to: .always)
        await phone.move(to: home)
        await phone.open(app)
        return phone
    }

    @Test("A diary hears of changes, visits, headings and beacons")
    func diary() async throws {
        let phone = await phone()
        let diary = PlaceDiary()
        await phone.device.inside(app.bundleID) { diary.start() }
        await phone.device.settled()
        #expect(diary.entries == ["changed, floor [0]", "heading 0"])
        await phone.advance(by: .seconds(300))
        await phone.perform { [lake] in $0.move(to: lake, floor: 2) }
        #expect(diary.entries.suffix(3) == ["arrived", "departed", "changed, floor [2]"])
        await phone.perform { $0.turn(to: 45) }
        #expect(diary.entries.last == "heading 45")
        let uuid = UUID()
        await phone.device.inside(app.bundleID) { diary.range(uuid) }
        await phone.perform { $0.setBeacons([NearbyBeacon(uuid: uuid, major: 1, minor: 9, distance: 2)]) }
        #expect(diary.entries.suffix(2) == ["near []", "near [9]"])
    }

    @Test("A diary asks for its precise location")
    func precise() async {
        let phone = await phone()
        await phone.perform { [app] in $0.setPreciseLocation(of: app.bundleID, allowed: false) }
        let diary = PlaceDiary()
        #expect(await phone.device.inside(app.bundleID) { await diary.askForPreciseLocation() } == true)
        await phone.background(app)
        await phone.open(app)
        phone.device.setPrompts(.deny)
        #expect(await phone.device.inside(app.bundleID) { await diary.askForPreciseLocation() } == false)
        #expect(diary.entries.isEmpty)
    }

    @Test("A diary's monitor and its first live location")
    func monitor() async throws {
        let phone = await phone()
        let diary = PlaceDiary()
        let place = CLLocationCoordinate2D(lake)
        let monitor = try #require(await phone.device.inside(app.bundleID) { await diary.watch(place) })
        await phone.move(to: lake)
        try await phone.device.inside(app.bundleID) { try await diary.follow(monitor) }
        #expect(diary.entries == ["inside Place"])
        let location = try await phone.device.inside(app.bundleID) { try await diary.firstLocation() }
        #expect(location??.coordinate.latitude == lake.latitude)
    }

    @Test("Swift 5 mode: a compass with a sound, and a request without another import")
    func compass() async throws {
        let phone = await phone()
        let compass = CompassReminder.shared
        await phone.device.inside(app.bundleID) { compass.begin() }
        try await eventually("the geocoder has answered") { compass.lines.count == 2 }
        #expect(compass.lines.sorted() == ["error 2", "heading 0"])
        #expect(compass.content().sound == UNNotificationSound.default)
        #expect(compass.request(for: "https://example.com")?.timeoutInterval == 60)
        await phone.device.inside(app.bundleID) { compass.end() }
    }
}
