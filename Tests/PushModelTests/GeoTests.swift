import PushModel
import Testing

private let apple = Coordinate(latitude: 37.3349, longitude: -122.0090)

/// A place `meters` north of Apple Park.
private func north(_ meters: Double) -> Coordinate {
    Coordinate(latitude: apple.latitude + meters / 111_195.08, longitude: apple.longitude)
}

private func circle(_ radius: Double, entry: Bool = true, exit: Bool = true) -> GeoRegion {
    GeoRegion(
        identifier: "home",
        shape: .circle(center: apple, radius: radius),
        notifyOnEntry: entry,
        notifyOnExit: exit
    )
}

@Suite("Coordinate")
struct CoordinateTests {
    @Test("Distances follow the ground")
    func distances() {
        let paris = Coordinate(latitude: 48.8566, longitude: 2.3522)
        let london = Coordinate(latitude: 51.5074, longitude: -0.1278)
        #expect(abs(paris.distance(to: london) - 343_556) < 100)
        #expect(paris.distance(to: paris) == 0)
        let poles = Coordinate(latitude: 90, longitude: 0).distance(to: Coordinate(latitude: -90, longitude: 77))
        #expect(abs(poles - 20_015_115) < 10)
    }

    @Test("The date line is no border")
    func dateLine() {
        let west = Coordinate(latitude: 0, longitude: 179.9995)
        let east = Coordinate(latitude: 0, longitude: -179.9995)
        #expect(abs(west.distance(to: east) - 111.2) < 0.1)
    }

    @Test(
        "A place has a latitude within 90 and a longitude within 180",
        arguments: [(100, 0), (0, 181), (.nan, 0), (-91, 0)]
    )
    func invalid(_ latitude: Double, _ longitude: Double) {
        #expect(!Coordinate(latitude: latitude, longitude: longitude).isValid)
    }
}

@Suite("Region watch")
struct RegionWatchTests {
    @Test("A 100 m region on entry only")
    func region100mOnEntryOnly() {
        var watch = RegionWatch(circle(100, exit: false), at: north(500))
        #expect(watch.move(to: north(101)) == nil)
        #expect(watch.move(to: north(99)) == .entry)
        #expect(watch.move(to: north(10)) == nil)
        #expect(watch.move(to: north(500)) == nil)
        #expect(watch.state == .outside)
        #expect(watch.move(to: apple) == .entry)
    }

    @Test("On exit only")
    func exitOnly() {
        var watch = RegionWatch(circle(100, entry: false), at: north(500))
        #expect(watch.move(to: apple) == nil)
        #expect(watch.move(to: north(500)) == .exit)
    }

    @Test("A device that is inside already has not entered")
    func insideAtAdd() {
        var watch = RegionWatch(circle(100), at: apple)
        #expect(watch.state == .inside)
        #expect(watch.move(to: north(1)) == nil)
        #expect(watch.move(to: north(200)) == .exit)
    }

    @Test("The first place that becomes known is no crossing")
    func unknownAtAdd() {
        var watch = RegionWatch(circle(100), at: nil)
        #expect(watch.state == .unknown)
        #expect(watch.move(to: apple) == nil)
        #expect(watch.move(to: north(200)) == .exit)
    }

    @Test("A centre that is no place on Earth never fires, and says so")
    func invalidCenter() {
        let region = GeoRegion(
            identifier: "nowhere",
            shape: .circle(center: Coordinate(latitude: 100, longitude: 0), radius: 1e9)
        )
        var watch = RegionWatch(region, at: north(500))
        #expect(watch.move(to: apple) == nil)
        #expect(watch.state == .unknown)
        #expect(region.problem == "The centre 100.0, 0.0 of region 'nowhere' is no place on Earth.")
    }

    @Test("A radius of 0 or less is watched as 1 m", arguments: [0, -5])
    func smallRadius(_ radius: Double) {
        var watch = RegionWatch(circle(radius), at: north(3))
        #expect(watch.move(to: north(0.5)) == .entry)
        #expect(watch.move(to: north(3)) == .exit)
    }

    @Test("A device that is nowhere stays where it was")
    func nowhere() {
        var watch = RegionWatch(circle(100), at: apple)
        #expect(watch.move(to: Coordinate(latitude: .nan, longitude: 0)) == nil)
        #expect(watch.state == .inside)
    }

    @Test("A place says nothing about a beacon; its own state does")
    func beacons() {
        let shape = GeoRegion.Shape.beacon(uuid: "E2C56DB5", major: 1, minor: nil, onDisplay: false)
        var watch = RegionWatch(GeoRegion(identifier: "door", shape: shape), at: north(500))
        #expect(watch.move(to: apple) == nil)
        #expect(watch.region.problem == nil && watch.state == .unknown)
        #expect(watch.update(to: .outside) == nil && watch.update(to: .unknown) == nil)
        #expect(watch.update(to: .inside) == .entry && watch.update(to: .inside) == nil)
        #expect(watch.update(to: .outside) == .exit)
    }
}
