import CoreLocation
import PushModel
import Testing

private let apple = CLLocationCoordinate2D(latitude: 37.3349, longitude: -122.0090)

@Suite("Regions")
struct RegionTests {
    @Test("A circle keeps what it was made of and tells of entry and exit")
    func circle() {
        let region = CLCircularRegion(center: apple, radius: 100, identifier: "home")
        #expect(region.identifier == "home")
        #expect(region.radius == 100)
        #expect(region.center.latitude == apple.latitude)
        #expect(region.notifyOnEntry && region.notifyOnExit)
    }

    @Test("A circle contains what lies within its radius along the ground")
    func contains() {
        let region = CLCircularRegion(center: apple, radius: 100, identifier: "home")
        #expect(region.contains(apple))
        #expect(region.contains(CLLocationCoordinate2DMake(apple.latitude + 0.000_89, apple.longitude)))
        #expect(!region.contains(CLLocationCoordinate2DMake(apple.latitude + 0.000_91, apple.longitude)))
        #expect(!region.contains(kCLLocationCoordinate2DInvalid))
        #expect(!CLCircularRegion(center: kCLLocationCoordinate2DInvalid, radius: 1e9, identifier: "x").contains(apple))
        #expect(CLCircularRegion(center: apple, radius: -5, identifier: "x").contains(apple))
    }

    @Test("Regions are equal by their identifiers")
    func equality() {
        let circle = CLCircularRegion(center: apple, radius: 100, identifier: "home")
        let other = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 5, identifier: "home")
        #expect(circle == other)
        #expect(circle.hash == other.hash)
        #expect(circle != CLCircularRegion(center: apple, radius: 100, identifier: "work"))
        #expect(Set<CLRegion>([circle, other]).count == 1)
        #expect(!circle.isEqual("home"))
    }

    @Test("A copy is a region of its own")
    func copies() throws {
        let region = CLCircularRegion(center: apple, radius: 100, identifier: "home")
        region.notifyOnExit = false
        let copy = try #require(region.copy() as? CLCircularRegion)
        region.notifyOnEntry = false
        #expect(copy !== region)
        #expect(copy.notifyOnEntry && !copy.notifyOnExit)
        #expect(copy.radius == 100 && copy.identifier == "home")
    }

    @Test("Beacon regions keep their numbers")
    func beacons() throws {
        let uuid = UUID()
        let any = CLBeaconRegion(uuid: uuid, identifier: "any")
        #expect(any.uuid == uuid && any.major == nil && any.minor == nil)
        #expect(CLBeaconRegion(uuid: uuid, major: 0, identifier: "shop").major == 0)
        let door = CLBeaconRegion(uuid: uuid, major: 1, minor: 65_535, identifier: "door")
        door.notifyEntryStateOnDisplay = true
        let copy = try #require(door.copy() as? CLBeaconRegion)
        #expect(copy.major == 1 && copy.minor == 65_535 && copy.notifyEntryStateOnDisplay)
    }

    @Test("Regions survive an archive")
    func archive() throws {
        let circle = CLCircularRegion(center: apple, radius: 100, identifier: "home")
        circle.notifyOnExit = false
        let data = try NSKeyedArchiver.archivedData(withRootObject: circle, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: data))
        #expect(read.record == circle.record)
        let door = CLBeaconRegion(uuid: UUID(), major: 1, minor: 2, identifier: "door")
        let doorData = try NSKeyedArchiver.archivedData(withRootObject: door, requiringSecureCoding: true)
        let readDoor = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLBeaconRegion.self, from: doorData)
        )
        #expect(readDoor.record == door.record)
    }

    @Test("Records and regions turn into each other")
    func records() {
        let circle = CLCircularRegion(center: apple, radius: 100, identifier: "home")
        circle.notifyOnExit = false
        let place = Coordinate(latitude: apple.latitude, longitude: apple.longitude)
        let record = GeoRegion(identifier: "home", shape: .circle(center: place, radius: 100), notifyOnExit: false)
        #expect(circle.record == record)
        #expect(CLRegion.make(record) is CLCircularRegion)
        #expect(CLRegion.make(record).record == record)
        let door = CLBeaconRegion(uuid: UUID(), major: 1, identifier: "door")
        #expect(CLRegion.make(door.record).record == door.record)
    }

    @Test("The interface of iOS 4 makes a circle too")
    func legacy() throws {
        let region = CLRegion(circularRegionWithCenter: apple, radius: 100, identifier: "home")
        #expect(region.contains(apple) && region.radius == 100)
        let copy = try #require(region.copy() as? CLRegion)
        #expect(copy.contains(apple))
    }
}

@Suite("Coordinates and locations")
struct LocationTests {
    @Test("The seed's latitude of 100 is not valid")
    func latitude100() {
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: 100, longitude: 20)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
        #expect(CLLocationCoordinate2D().latitude == 0)
    }

    @Test("A location has a distance from another")
    func distance() {
        let here = location(at: 52.52)
        #expect(abs(here.distance(from: location(at: 52.53)) - 1_112) < 1)
        #expect(location(at: 100).distance(from: here).isNaN)
    }

    private func location(at latitude: Double) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2DMake(latitude, 13.405),
            altitude: 0,
            horizontalAccuracy: 5,
            verticalAccuracy: -1,
            timestamp: Date(timeIntervalSince1970: 1_767_254_400)
        )
    }

    @Test("A location keeps what it was made of")
    func values() throws {
        let date = Date(timeIntervalSince1970: 1_767_254_400)
        let location = CLLocation(
            coordinate: apple,
            altitude: 30,
            horizontalAccuracy: 5,
            verticalAccuracy: 6,
            course: 90,
            speed: 1.5,
            timestamp: date
        )
        let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
        #expect(read.timestamp == date && read.course == 90 && read.speed == 1.5 && read.altitude == 30)
        #expect(read.coordinate.longitude == apple.longitude && read.verticalAccuracy == 6)
        #expect(read.courseAccuracy == -1 && read.speedAccuracy == -1 && read.ellipsoidalAltitude == 30)
        #expect(read.floor == nil && read.sourceInformation == nil)
    }

    @Test("A location keeps the accuracies of course and speed, and its origin")
    func accuracies() throws {
        let date = Date(timeIntervalSince1970: 1_767_254_400)
        let plain = CLLocation(
            coordinate: apple,
            altitude: 30,
            horizontalAccuracy: 5,
            verticalAccuracy: 6,
            course: 90,
            courseAccuracy: 10,
            speed: 1.5,
            speedAccuracy: 0.5,
            timestamp: date
        )
        let measured = CLLocation(
            coordinate: apple,
            altitude: 30,
            horizontalAccuracy: 5,
            verticalAccuracy: 6,
            course: 90,
            courseAccuracy: 10,
            speed: 1.5,
            speedAccuracy: 0.5,
            timestamp: date,
            sourceInfo: CLLocationSourceInformation(softwareSimulationState: false, andExternalAccessoryState: true)
        )
        for (location, isOfAccessory) in [(plain, nil), (measured, true)] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
            let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
            #expect(read.course == 90 && read.courseAccuracy == 10 && read.speed == 1.5 && read.speedAccuracy == 0.5)
            #expect(read.sourceInformation?.isProducedByAccessory == isOfAccessory)
            #expect(read.sourceInformation?.isSimulatedBySoftware != true)
        }
    }

    @Test("Status values are Apple's")
    func status() {
        #expect(CLAuthorizationStatus(rawValue: 3) == .authorizedAlways)
        #expect(CLAuthorizationStatus.authorizedWhenInUse.rawValue == 4)
        #expect(kCLDistanceFilterNone == -1 && kCLHeadingFilterNone == -1)
        #expect(CLTimeIntervalMax == .greatestFiniteMagnitude && CLLocationDistanceMax == .greatestFiniteMagnitude)
    }
}
