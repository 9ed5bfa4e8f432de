import CoreLocation
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit
import UserNotifications

@Suite("Beacon regions")
@MainActor
struct BeaconRegionTests {
    private static let shop = UUID()

    private func stage(_ access: LocationAuthorization = .always) async -> PlaceStage {
        let stage = await PlaceStage()
        await stage.phone.setLocationAccess(of: stage.app, to: access)
        _ = stage.heard()
        return stage
    }

    private func near(_ phone: TestPhone, major: UInt16 = 7, distance: Double = 3) async {
        await phone.setBeacons([NearbyBeacon(uuid: Self.shop, major: major, minor: 1, distance: distance)])
    }

    private func region(major: UInt16? = 7) -> CLBeaconRegion {
        major.map { CLBeaconRegion(uuid: Self.shop, major: $0, identifier: "door") }
            ?? CLBeaconRegion(uuid: Self.shop, identifier: "shop")
    }

    @Test("A beacon that the device begins to hear is an entry, one that it hears no longer an exit; others are none")
    func crossings() async {
        let stage = await stage()
        await near(stage.phone, major: 8)
        await stage.manager { manager in
            manager.startMonitoring(for: region())
            manager.startMonitoring(for: region(major: nil))
        }
        #expect(stage.heard() == ["watches door", "watches shop"])
        await near(stage.phone, distance: 70)
        #expect(stage.heard() == ["entered door active", "inside door"])
        await near(stage.phone, distance: 71)
        #expect(stage.heard() == ["left door active", "outside door", "left shop active", "outside shop"])
        // Places say nothing about beacons.
        await stage.phone.move(to: PlaceStage.office)
        #expect(stage.heard() == [])
        await stage.manager { $0.stopMonitoring(for: region()) }
        await near(stage.phone)
        #expect(stage.heard() == ["entered shop active", "inside shop"])
    }

    @Test("A state can be asked for, without monitoring")
    func state() async {
        let stage = await stage()
        await stage.manager { $0.requestState(for: region()) }
        await near(stage.phone)
        await stage.manager { $0.requestState(for: region()) }
        await stage.phone.setPreciseLocation(of: stage.app, allowed: false)
        await stage.manager { $0.requestState(for: region()) }
        #expect(stage.heard() == ["outside door", "inside door", "status 3", "unknown door"])
    }

    @Test("A beacon launches an app, also one that was swiped away", arguments: [false, true])
    func launch(_ isForceQuit: Bool) async throws {
        let stage = await stage()
        await stage.manager { $0.startMonitoring(for: region()) }
        if isForceQuit { await stage.phone.forceQuit(stage.app) } else { await stage.phone.terminate(stage.app) }
        await near(stage.phone)
        let launched = try #require(stage.delegate)
        #expect((launched.launchOptions?[.location] as? NSNumber)?.boolValue == true)
        #expect(stage.heard() == ["entered door background", "inside door", "status 3"])
    }

    @Test("While in use an app in the background hears of no beacon, and the device says why")
    func whenInUse() async {
        let stage = await stage(.whenInUse)
        await stage.manager { $0.startMonitoring(for: region()) }
        await stage.phone.background(stage.app)
        await near(stage.phone)
        #expect(stage.heard() == ["watches door"])
        let reason = "the app may use the location only while it is in use"
        #expect(stage.reasons == ["entry of region 'door' not reported: \(reason)"])
    }

    @Test("With notifyEntryStateOnDisplay each unlocking reports the beacon nearby, to a launched app too")
    func display() async {
        let stage = await stage()
        await near(stage.phone)
        await stage.manager { manager in
            let region = region()
            region.notifyEntryStateOnDisplay = true
            manager.startMonitoring(for: region)
            manager.startMonitoring(for: CLBeaconRegion(uuid: Self.shop, identifier: "quiet"))
        }
        _ = stage.heard()
        await stage.phone.perform { $0.lock() }
        await stage.phone.perform { $0.unlock() }
        #expect(stage.heard() == ["inside door"])
        await stage.phone.terminate(stage.app)
        await stage.phone.perform { $0.lock() }
        #expect(stage.delegate == nil)
        await stage.phone.perform { $0.unlock() }
        #expect(stage.heard() == ["inside door", "status 3"])
        await stage.phone.perform { $0.lock() }
        await stage.phone.setBeacons([])
        _ = stage.heard()
        await stage.phone.perform { $0.unlock() }
        #expect(stage.heard() == [])
    }

    @Test("A local notification fires at a beacon, and not with an approximate location")
    func trigger() async throws {
        let stage = await stage()
        let id = stage.phone.local("welcome", of: stage.app)
        await stage.phone.device.inside(stage.app.bundleID) {
            let center = UNUserNotificationCenter.current()
            _ = try? await center.requestAuthorization(options: [.alert])
            let content = UNMutableNotificationContent()
            content.title = "Welcome"
            let region = region()
            region.notifyOnExit = false
            let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
            try? await center.add(UNNotificationRequest(identifier: "welcome", content: content, trigger: trigger))
        }
        await stage.phone.background(stage.app)
        await near(stage.phone)
        #expect(stage.phone.device.screen.banner?.id == id)
        await stage.phone.setBeacons([])
        await stage.phone.setPreciseLocation(of: stage.app, allowed: false)
        await near(stage.phone)
        let kinds = stage.phone.journeys.events(of: id).map(\.kind)
        #expect(kinds.filter { $0 == .fired }.count == 1)
        #expect(kinds.last == .suppressed(.reducedAccuracy))
    }

    @Test("The spellings before iOS 13 and a constraint make the same region; a region without values is a placeholder")
    @available(*, deprecated)
    func spellings() {
        let door = CLBeaconRegion(proximityUUID: Self.shop, major: 7, minor: 1, identifier: "door")
        #expect(door.proximityUUID == Self.shop && door.major == 7 && door.minor == 1)
        #expect(CLBeaconRegion(proximityUUID: Self.shop, major: 7, identifier: "a").minor == nil)
        #expect(CLBeaconRegion(proximityUUID: Self.shop, identifier: "a").major == nil)
        let constraint = CLBeaconIdentityConstraint(uuid: Self.shop, major: 7, minor: 1)
        #expect(door.beaconIdentityConstraint == constraint)
        #expect(CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "b").minor == 1)
        let placeholder = CLCircularRegion()
        #expect(placeholder.identifier == "" && placeholder.radius == 0 && placeholder.center.latitude == 0)
        #expect((placeholder.copy() as? CLCircularRegion)?.radius == 0)
    }
}
