import CoreLocation
import Testing

@Suite("Rules of regions")
struct RegionRules {
    private let berlin = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405)

    @Test("Constants and raw values are Apple's")
    func constants() {
        #expect(kCLDistanceFilterNone == -1 && CLLocationDistanceMax == .greatestFiniteMagnitude)
        #expect(kCLLocationCoordinate2DInvalid.latitude == -180 && kCLLocationCoordinate2DInvalid.longitude == -180)
        let statuses: [CLAuthorizationStatus] = [
            .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    @Test(
        "A coordinate is valid within ±90 and ±180",
        arguments: [
            (90.0, 180.0, true), (-90, -180, true), (90.001, 0, false), (0, 180.001, false), (100, 20, false),
            (.nan, 0, false),
        ]
    )
    func validity(_ latitude: Double, _ longitude: Double, _ isValid: Bool) {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)) == isValid)
    }

    @Test("A region tells of entry and exit unless it is told otherwise, beacons too")
    func notifies() {
        let regions: [CLRegion] = [
            CLCircularRegion(center: berlin, radius: 1, identifier: "a"), CLBeaconRegion(uuid: UUID(), identifier: "b"),
        ]
        for region in regions { #expect(region.notifyOnEntry && region.notifyOnExit) }
    }

    @Test("A circle holds what is no farther than its radius along the ground; a negative radius is 0")
    func contains() {
        let east = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.406)
        #expect(CLCircularRegion(center: berlin, radius: 70, identifier: "a").contains(east))
        #expect(!CLCircularRegion(center: berlin, radius: 60, identifier: "a").contains(east))
        let none = CLCircularRegion(center: berlin, radius: -1, identifier: "a")
        #expect(none.contains(berlin) && !none.contains(east))
    }

    @Test("A beacon region may leave out minor, and major and minor")
    func beacons() {
        let uuid = UUID()
        let all = CLBeaconRegion(uuid: uuid, identifier: "a")
        let shop = CLBeaconRegion(uuid: uuid, major: 7, identifier: "a")
        let door = CLBeaconRegion(uuid: uuid, major: 7, minor: 8, identifier: "a")
        #expect(all.major == nil && all.minor == nil && !all.notifyEntryStateOnDisplay)
        #expect(shop.major == 7 && shop.minor == nil)
        #expect(door.major == 7 && door.minor == 8 && door.uuid == uuid)
    }
}
