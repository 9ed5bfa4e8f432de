import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Region monitoring and places")
@MainActor
struct RegionMonitoringTests {
    private let home = PlaceStage.home
    private let office = PlaceStage.office

    private func stage(_ access: LocationAuthorization = .always) async -> PlaceStage {
        let stage = await PlaceStage()
        await stage.phone.setLocationAccess(of: stage.app, to: access)
        _ = stage.heard()
        return stage
    }

    @Test("A 100 m region on entry only")
    func entryOnly() async {
        let stage = await stage()
        await stage.manager { manager in
            let region = stage.region()
            region.notifyOnExit = false
            manager.startMonitoring(for: region)
            region.notifyOnExit = true
            #expect(manager.monitoredRegions.map(\.identifier) == ["office"])
            #expect(manager.monitoredRegions.first?.notifyOnExit == false)
        }
        #expect(stage.heard() == ["watches office"])
        await stage.phone.move(to: Coordinate(latitude: 52.5188, longitude: 13.40))
        #expect(stage.heard() == [])
        await stage.phone.move(to: Coordinate(latitude: 52.5192, longitude: 13.40))
        #expect(stage.heard() == ["entered office active", "inside office"])
        await stage.phone.move(to: home)
        #expect(stage.heard() == [])
        await stage.phone.move(to: office)
        #expect(stage.heard() == ["entered office active", "inside office"])
    }

    @Test("The position at the start is not a crossing; the way out is")
    func exit() async {
        let stage = await stage()
        await stage.phone.move(to: office)
        await stage.manager { $0.startMonitoring(for: stage.region()) }
        #expect(stage.heard() == ["watches office"])
        await stage.phone.move(to: home)
        #expect(stage.heard() == ["left office active", "outside office"])
        await stage.manager { $0.stopMonitoring(for: stage.region()) }
        await stage.phone.move(to: office)
        #expect(stage.heard() == [])
        #expect(stage.phone.device.monitoredRegions(of: stage.app.bundleID).isEmpty)
    }

    @Test("The system starts an app for a crossing, also one that was swiped away", arguments: [false, true])
    func launch(_ isForceQuit: Bool) async throws {
        let stage = await stage()
        await stage.manager { $0.startMonitoring(for: stage.region()) }
        if isForceQuit { await stage.phone.forceQuit(stage.app) } else { await stage.phone.terminate(stage.app) }
        #expect(stage.delegate == nil)
        await stage.phone.move(to: office)
        let launched = try #require(stage.delegate)
        #expect((launched.launchOptions?[.location] as? NSNumber)?.boolValue == true)
        #expect(stage.heard() == ["entered office background", "inside office", "status 3"])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        await stage.phone.terminate(stage.app)
        await stage.phone.open(stage.app)
        #expect(stage.delegate?.launchOptions == nil)
    }

    @Test("A crossing waits for a delegate that comes after the launch")
    func lateDelegate() async {
        let phone = TestPhone(.iOS(17))
        let app = InstalledApp.places()
        phone.install(app) { LateApp() }
        phone.device.setLocationAccess(of: app.bundleID, to: .always)
        await phone.move(to: home)
        await phone.open(app)
        await phone.device.inside(app.bundleID) {
            let region = CLCircularRegion(center: .init(office), radius: 100, identifier: "office")
            CLLocationManager().startMonitoring(for: region)
        }
        await phone.terminate(app)
        await phone.move(to: office)
        let manager = phone.device.inside(app.bundleID) { CLLocationManager() }
        let ear = PlaceApp()
        await phone.device.inside(app.bundleID) { manager?.delegate = ear }
        await phone.device.settled()
        #expect(ear.heard == ["entered office background", "status 3"])
    }

    @Test("While in use: crossings are told in front only, and the device says why not")
    func whenInUse() async {
        let stage = await stage(.whenInUse)
        await stage.manager { $0.startMonitoring(for: stage.region()) }
        await stage.phone.move(to: office)
        #expect(stage.heard() == ["watches office", "entered office active", "inside office"])
        await stage.phone.background(stage.app)
        await stage.phone.move(to: home)
        #expect(stage.heard() == [])
        let reason = "the app may use the location only while it is in use"
        #expect(stage.reasons == ["exit of region 'office' not reported: \(reason)"])
    }

    @Test("Without Background App Refresh no crossing wakes the app")
    func backgroundRefresh() async {
        let stage = await stage()
        await stage.manager { $0.startMonitoring(for: stage.region()) }
        stage.phone.device.setBackgroundRefresh(of: stage.app.bundleID, allowed: false)
        await stage.phone.terminate(stage.app)
        await stage.phone.move(to: office)
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
        #expect(stage.reasons == ["entry of region 'office' not reported: Background App Refresh is off"])
    }

    @Test("The 21st region fails; one that takes another's place does not")
    func limit() async {
        let stage = await stage()
        await stage.manager { manager in
            for number in 1...21 { manager.startMonitoring(for: stage.region("r\(number)")) }
            #expect(manager.monitoredRegions.count == 20)
            manager.startMonitoring(for: stage.region("r7", home, radius: 5_000_000))
        }
        #expect(stage.heard().suffix(2) == ["no watch r21 5", "watches r7"])
        let regions = stage.phone.device.monitoredRegions(of: stage.app.bundleID)
        let place = Coordinate(latitude: home.latitude, longitude: home.longitude)
        #expect(regions[6].shape == .circle(center: place, radius: 1_000_000))
        #expect(stage.reasons.first?.contains("'r21' not monitored: The app already monitors 20 regions") == true)
    }

    @Test("A centre that is no place cannot be monitored; a radius of 0 acts as 1 m")
    func invalid() async {
        let stage = await stage()
        await stage.manager { manager in
            manager.startMonitoring(for: stage.region("north", Coordinate(latitude: 100, longitude: 0)))
            manager.startMonitoring(for: stage.region("point", radius: 0))
        }
        #expect(stage.heard() == ["no watch north 5", "watches point"])
        await stage.phone.move(to: Coordinate(latitude: 52.520_005, longitude: 13.40))
        #expect(stage.heard() == ["entered point active", "inside point"])
    }

    @Test("Regions of an app without permission are watched from the moment it has some")
    func later() async {
        let stage = await PlaceStage(prompts: .ask)
        await stage.manager { manager in
            manager.startMonitoring(for: stage.region())
            manager.startUpdatingLocation()
        }
        #expect(stage.heard() == ["status 0"])
        await stage.phone.move(to: office)
        await stage.phone.setLocationAccess(of: stage.app, to: .denied)
        await stage.manager { $0.startMonitoring(for: stage.region("other")) }
        #expect(stage.heard() == ["status 2", "no watch other 4"])
        await stage.phone.setLocationAccess(of: stage.app, to: .always)
        #expect(stage.heard() == ["status 3", "watches office", "watches other", "at [52.52]"])
        await stage.phone.move(to: home)
        #expect(stage.heard().contains("left office active"))
    }

    @Test("A state can be asked for; without a place or permission it is unknown")
    func state() async {
        let stage = await stage()
        await stage.manager { $0.requestState(for: stage.region()) }
        await stage.phone.move(to: office)
        await stage.manager { $0.requestState(for: stage.region()) }
        await stage.phone.setLocationAccess(of: stage.app, to: .denied)
        await stage.manager { $0.requestState(for: stage.region()) }
        #expect(stage.heard() == ["outside office", "inside office", "status 2", "unknown office"])
    }

    @Test("Regions outlive the app's processes, and end with the device's next start")
    func reboot() async {
        let stage = await stage()
        await stage.manager { $0.startMonitoring(for: stage.region()) }
        await stage.phone.terminate(stage.app)
        await stage.phone.open(stage.app)
        await stage.manager { #expect($0.monitoredRegions.map(\.identifier) == ["office"]) }
        await stage.phone.perform { $0.reboot() }
        await stage.phone.move(to: office)
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
        #expect(stage.phone.device.monitoredRegions(of: stage.app.bundleID).isEmpty)
    }

    // MARK: Places

    @Test("Places come in front, filtered by distance, the newest when it comes back, and stop")
    func updates() async {
        let stage = await stage(.whenInUse)
        await stage.manager { manager in
            manager.distanceFilter = 1000
            manager.startUpdatingLocation()
        }
        await stage.phone.move(to: Coordinate(latitude: 52.505, longitude: 13.40))
        await stage.phone.move(to: Coordinate(latitude: 52.51, longitude: 13.40))
        #expect(stage.heard() == ["at [52.5]", "at [52.51]"])
        await stage.phone.background(stage.app)
        await stage.phone.move(to: office)
        #expect(stage.heard() == [])
        await stage.phone.open(stage.app)
        #expect(stage.heard() == ["at [52.52]"])
        await stage.manager { $0.stopUpdatingLocation() }
        await stage.phone.move(to: home)
        #expect(stage.heard() == [])
    }

    @Test("With the background mode places go on coming behind others")
    func background() async {
        let stage = await PlaceStage(app: .places(backgroundModes: ["location"]))
        await stage.phone.setLocationAccess(of: stage.app, to: .whenInUse)
        await stage.manager { manager in
            manager.startUpdatingLocation()
            manager.allowsBackgroundLocationUpdates = true
        }
        await stage.phone.background(stage.app)
        await stage.phone.move(to: office)
        #expect(stage.heard() == ["status 0", "status 4", "at [52.5]", "at [52.52]"])
    }

    @Test("One place is one place; without one, or without permission, it is an error")
    func once() async {
        let stage = await stage(.whenInUse)
        await stage.manager { $0.requestLocation() }
        await stage.phone.move(to: office)
        #expect(stage.heard() == ["at [52.5]"])
        await stage.phone.setLocationAccess(of: stage.app, to: .notDetermined)
        await stage.manager { $0.requestLocation() }
        #expect(stage.heard() == ["status 0", "failed 1"])
        let lost = TestPhone(.iOS(17))
        lost.install(.places()) { PlaceApp() }
        await lost.setLocationAccess(of: .places(), to: .always)
        await lost.open(.places())
        let delegate = lost.device.delegate(of: InstalledApp.places().bundleID, as: PlaceApp.self)
        await lost.device.inside(InstalledApp.places().bundleID) { delegate?.manager.requestLocation() }
        await lost.device.settled()
        #expect(delegate?.heard == ["status 3", "failed 0"])
    }
}

/// An app that makes no location manager of its own.
private final class LateApp: UIResponder, UIApplicationDelegate {}
