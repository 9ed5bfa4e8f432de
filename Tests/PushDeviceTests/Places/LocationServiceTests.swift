import CoreLocation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Significant changes, visits, headings and beacons")
@MainActor
struct LocationServiceTests {
    @Test("A significant change takes 500 m and five minutes")
    func significant() async {
        let stage = await ServiceStage()
        await stage.manager { $0.startMonitoringSignificantLocationChanges() }
        #expect(stage.heard() == ["at 52.5"])
        await stage.phone.advance(by: .seconds(600))
        await stage.move(north: 490)
        #expect(stage.heard() == [])
        await stage.move(north: 510)
        #expect(stage.heard() == ["at 52.5046"])
        await stage.phone.advance(by: .seconds(60))
        await stage.move(north: 1200)
        #expect(stage.heard() == [])
        await stage.phone.advance(by: .seconds(239))
        #expect(stage.heard() == [])
        await stage.phone.advance(by: .seconds(1))
        #expect(stage.heard() == ["at 52.5108"])
        await stage.manager { $0.stopMonitoringSignificantLocationChanges() }
        await stage.phone.advance(by: .seconds(600))
        await stage.move(north: 5000)
        #expect(stage.heard() == [])
    }

    @Test("A significant change launches an app that was ended, with the location key")
    func significantLaunch() async throws {
        let stage = await ServiceStage()
        await stage.manager { $0.startMonitoringSignificantLocationChanges() }
        await stage.phone.terminate(stage.app)
        await stage.phone.advance(by: .seconds(300))
        await stage.move(north: 900)
        let launched = try #require(stage.delegate)
        #expect(launched.launchedForLocation)
        #expect(stage.heard().filter { $0.hasPrefix("at") } == ["at 52.5081"])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
    }

    @Test("While in use an app in the background hears of no significant change, and the device says why")
    func significantInUse() async {
        let stage = await ServiceStage(access: .whenInUse)
        await stage.manager { $0.startMonitoringSignificantLocationChanges() }
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(300))
        await stage.move(north: 900)
        #expect(stage.heard() == ["at 52.5"])
        let reason = "the app may use the location only while it is in use"
        #expect(stage.reasons.last == "significant change not reported: \(reason)")
        await stage.phone.open(stage.app)
        #expect(stage.heard() == ["at 52.5081"])
    }

    @Test("A stay of five minutes is a visit; leaving it by more than 100 m ends it")
    func visits() async throws {
        let stage = await ServiceStage()
        await stage.manager { $0.startMonitoringVisits() }
        await stage.move(north: 1000)
        let arrival = stage.phone.clock.date
        await stage.phone.advance(by: .seconds(299))
        #expect(stage.heard() == [])
        await stage.phone.advance(by: .seconds(1))
        #expect(stage.heard() == ["arrived"])
        await stage.move(north: 1050)
        #expect(stage.heard() == [])
        await stage.phone.advance(by: .seconds(3600))
        await stage.move(north: 2000)
        #expect(stage.heard() == ["departed"])
        let visits = try #require(stage.delegate?.visits)
        #expect(visits.map(\.arrivalDate) == [arrival, arrival])
        #expect(visits.last?.departureDate == stage.phone.clock.date)
        #expect(visits.allSatisfy { $0.coordinate.latitude > 52.508 && $0.coordinate.latitude < 52.51 })
        await stage.manager { $0.stopMonitoringVisits() }
        await stage.phone.advance(by: .seconds(600))
        #expect(stage.heard() == [])
    }

    @Test("The departure launches an app; an arrival before it listened is unknown")
    func visitLaunch() async throws {
        let stage = await ServiceStage()
        await stage.phone.advance(by: .seconds(400))
        await stage.manager { $0.startMonitoringVisits() }
        await stage.phone.terminate(stage.app)
        await stage.move(north: 1000)
        let launched = try #require(stage.delegate)
        #expect(launched.launchedForLocation)
        #expect(launched.visits.map(\.arrivalDate) == [.distantPast])
    }

    @Test("Headings come in front, filtered by the turn; true north needs a location that the app may know")
    func headings() async {
        let stage = await ServiceStage()
        await stage.manager { manager in
            manager.headingFilter = 10
            manager.startUpdatingHeading()
        }
        await stage.phone.perform { $0.turn(to: -5) }
        await stage.phone.perform { $0.turn(to: 350) }
        #expect(stage.heard() == ["heading 0.0 0.0", "heading 350.0 350.0"])
        await stage.phone.background(stage.app)
        await stage.phone.perform { $0.turn(to: 90) }
        #expect(stage.heard() == [])
        stage.phone.device.setLocationAccess(of: stage.app.bundleID, to: .denied)
        await stage.phone.open(stage.app)
        #expect(stage.heard() == ["status 2 fullAccuracy", "heading 90.0 -1.0"])
        await stage.manager { manager in
            #expect(manager.heading?.magneticHeading == 90)
            manager.stopUpdatingHeading()
        }
        await stage.phone.perform { $0.turn(to: 180) }
        #expect(stage.heard() == [])
    }

    @Test("Beacons are ranged at the start and at each change, the nearest first, within 70 m")
    func beacons() async {
        let stage = await ServiceStage()
        let uuid = UUID()
        let shop = CLBeaconIdentityConstraint(uuid: uuid, major: 7)
        await stage.manager { manager in
            manager.startRangingBeacons(satisfying: shop)
            #expect(manager.rangedBeaconConstraints == [shop])
        }
        #expect(stage.heard() == ["beacons []"])
        await stage.phone.perform {
            $0.setBeacons([
                NearbyBeacon(uuid: uuid, major: 7, minor: 1, distance: 20),
                NearbyBeacon(uuid: uuid, major: 7, minor: 2, distance: 0.2),
                NearbyBeacon(uuid: uuid, major: 7, minor: 3, distance: 71),
                NearbyBeacon(uuid: uuid, major: 8, minor: 4, distance: 1),
                NearbyBeacon(uuid: UUID(), major: 7, minor: 5, distance: 1),
            ])
        }
        #expect(stage.heard() == ["beacons [2, 1]"])
        #expect(stage.delegate?.beacons.map(\.proximity) == [.immediate, .far])
        #expect(stage.delegate?.beacons.map(\.rssi) == [-45, -85])
        await stage.manager { $0.stopRangingBeacons(satisfying: shop) }
        await stage.phone.perform { $0.setBeacons([]) }
        #expect(stage.heard() == [])
        await stage.phone.setLocationAccess(of: stage.app, to: .denied)
        await stage.manager { $0.startRangingBeacons(satisfying: shop) }
        #expect(stage.heard() == ["status 2 fullAccuracy", "no ranging 1"])
    }

    @Test("A location has its floor and its origin")
    func floor() async throws {
        let stage = await ServiceStage()
        await stage.phone.perform { $0.move(to: ServiceStage.office, floor: 3) }
        await stage.manager { manager in
            #expect(manager.location?.floor?.level == 3)
            #expect(manager.location?.sourceInformation?.isSimulatedBySoftware == true)
        }
        #expect(CLLocation(latitude: 1, longitude: 2).sourceInformation == nil)
    }

    @Test("Reports of the services survive an archive")
    func archive() async throws {
        let stage = await ServiceStage()
        await stage.phone.perform { $0.move(to: ServiceStage.office, floor: -1) }
        await stage.manager { $0.requestLocation() }
        let location = try #require(stage.delegate?.locations.last)
        #expect(try copy(location).floor?.level == -1)
        #expect(try copy(location).sourceInformation?.isSimulatedBySoftware == true)
        let uuid = UUID()
        for constraint in [
            CLBeaconIdentityConstraint(uuid: uuid), CLBeaconIdentityConstraint(uuid: uuid, major: 1),
            CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2),
        ] {
            #expect(try copy(constraint) == constraint)
        }
        let region = CLBeaconRegion(uuid: uuid, identifier: "any")
        #expect(try copy(region).major == nil)
        await stage.manager { $0.startMonitoringVisits() }
        await stage.phone.advance(by: .seconds(300))
        let visit = try #require(stage.delegate?.visits.last)
        #expect(try copy(CLHeading()).magneticHeading == 0 && copy(CLVisit()).departureDate == .distantFuture)
        #expect(try copy(CLBeacon()).proximity == .unknown && CLBeacon().proximityUUID == CLBeacon().uuid)
        #expect(try copy(visit).arrivalDate == visit.arrivalDate && copy(visit).departureDate == .distantFuture)
    }

    private func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
    }

    @Test("The geocoder fails as without a network, and says so")
    func geocoder() async {
        do {
            _ = try await CLGeocoder().geocodeAddressString("Invalidenstraße 116, Berlin")
            Issue.record("There is no map.")
        } catch {
            #expect((error as? CLError)?.code == .network)
            #expect(error.localizedDescription.contains("no map service"))
        }
        let code = await withCheckedContinuation { continuation in
            CLGeocoder().reverseGeocodeLocation(CLLocation(latitude: 1, longitude: 2)) { placemarks, error in
                continuation.resume(returning: placemarks == nil ? (error as? CLError)?.code : nil)
            }
        }
        #expect(code == .network)
    }
}
