import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Service sessions and background activities")
@MainActor
struct LocationSessionTests {
    private static let info: JSONObject = [
        "NSLocationWhenInUseUsageDescription": "To find shops.",
        "NSLocationAlwaysAndWhenInUseUsageDescription": "To remind you.",
        "NSLocationTemporaryUsageDescriptionDictionary": ["Delivery": "To find your door."],
    ]

    private func stage(
        access: LocationAuthorization = .notDetermined,
        modes: JSONValue? = nil,
        explicit: Bool = false
    ) async -> ServiceStage {
        var info = Self.info
        if explicit { info["NSLocationRequireExplicitServiceSession"] = true }
        let stage = await ServiceStage(access: access, info: info, backgroundModes: modes == nil ? [] : ["location"])
        _ = stage.heard()
        return stage
    }

    @Test("A session asks for the access that it needs, and its diagnostics say what is missing")
    func asks() async throws {
        let stage = await stage()
        let session = try #require(
            await stage.phone.device.inside(stage.app.bundleID) { CLServiceSession(authorization: .always) }
        )
        await stage.phone.device.settled()
        #expect(stage.phone.device.screen.prompt?.subject == .location)
        var diagnostics = session.diagnostics.makeAsyncIterator()
        let first = try #require(try await diagnostics.next())
        #expect(first.authorizationRequestInProgress && !first.authorizationDenied)
        await stage.phone.setLocationAccess(of: stage.app, to: .whenInUse)
        let second = try #require(try await diagnostics.next())
        #expect(second.alwaysAuthorizationDenied && !second.authorizationRequestInProgress)
        await stage.phone.setLocationAccess(of: stage.app, to: .denied)
        let third = try #require(try await diagnostics.next())
        #expect(third.authorizationDenied && !third.alwaysAuthorizationDenied && !third.authorizationDeniedGlobally)
        session.invalidate()
        let end = try await diagnostics.next()
        #expect(end == nil)
        #expect(stage.heard().allSatisfy { $0.hasPrefix("status") })
    }

    @Test("With a purpose a session asks for exact locations, and hears of the refusal", arguments: [true, false])
    func fullAccuracy(_ isAllowed: Bool) async throws {
        let stage = await stage(access: .whenInUse)
        await stage.phone.setPreciseLocation(of: stage.app, allowed: false)
        let session = try #require(
            await stage.phone.device.inside(stage.app.bundleID) {
                CLServiceSession(authorization: .whenInUse, fullAccuracyPurposeKey: "Delivery")
            }
        )
        await stage.phone.device.settled()
        #expect(stage.phone.device.screen.prompt?.subject == .locationAccuracy)
        await stage.phone.answerPrompt(isAllowed)
        var diagnostics = session.diagnostics.makeAsyncIterator()
        let now = try #require(try await diagnostics.next())
        #expect(now.fullAccuracyDenied == !isAllowed)
    }

    @Test("Live updates ask by themselves since iOS 18, unless the app takes sessions; then they miss one")
    func implicit() async throws {
        let asking = await stage()
        let updates = try #require(
            await asking.phone.device.inside(asking.app.bundleID) { CLLocationUpdate.liveUpdates() }
        )
        var iterator = updates.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.authorizationRequestInProgress && !first.serviceSessionRequired)
        #expect(asking.phone.device.screen.prompt?.subject == .location)

        let explicit = await stage(explicit: true)
        let other = try #require(
            await explicit.phone.device.inside(explicit.app.bundleID) { CLLocationUpdate.liveUpdates() }
        )
        var others = other.makeAsyncIterator()
        let second = try #require(try await others.next())
        #expect(second.serviceSessionRequired && explicit.phone.device.screen.prompt == nil)
    }

    @Test("A background activity keeps an app in use: locations and crossings reach it in the background")
    func activity() async throws {
        let stage = await stage(access: .whenInUse, modes: ["location"])
        await stage.manager { manager in
            manager.startUpdatingLocation()
            let office = CLCircularRegion(center: .init(ServiceStage.office), radius: 100, identifier: "office")
            manager.startMonitoring(for: office)
        }
        let session = try #require(
            await stage.phone.device.inside(stage.app.bundleID) { CLBackgroundActivitySession() }
        )
        var diagnostics = session.diagnostics.makeAsyncIterator()
        let active = try #require(try await diagnostics.next())
        #expect(!active.insufficientlyInUse && !active.authorizationDenied)
        await stage.phone.background(stage.app)
        _ = stage.heard()
        await stage.phone.move(to: ServiceStage.office)
        #expect(stage.heard() == ["at 52.51", "entered office"])
        // The activity outlives the process, which is launched for the next crossing.
        await stage.phone.terminate(stage.app)
        await stage.phone.move(to: ServiceStage.home)
        await stage.phone.move(to: ServiceStage.office)
        #expect(stage.delegate?.launchedForLocation == true)
        let again = try #require(
            await stage.phone.device.inside(stage.app.bundleID) { CLBackgroundActivitySession() }
        )
        await stage.phone.device.settled()
        await stage.manager { $0.startUpdatingLocation() }
        _ = stage.heard()
        await stage.phone.move(to: ServiceStage.home)
        #expect(stage.heard() == ["at 52.5"])
        again.invalidate()
        await stage.phone.device.settled()
        await stage.phone.move(to: ServiceStage.office)
        #expect(stage.heard() == [])
        session.invalidate()
    }

    @Test("An activity needs the background mode and the foreground, and says what is missing")
    func inactive() async throws {
        let plain = await stage(access: .whenInUse)
        let session = try #require(
            await plain.phone.device.inside(plain.app.bundleID) { CLBackgroundActivitySession() }
        )
        var diagnostics = session.diagnostics.makeAsyncIterator()
        let now = try #require(try await diagnostics.next())
        #expect(now.insufficientlyInUse)
        let reason = "UIBackgroundModes of the Info.plist has no 'location'"
        #expect(plain.reasons.last == "background activity not active: \(reason)")
        let background = await stage(access: .whenInUse, modes: ["location"])
        await background.phone.background(background.app)
        let late = await background.phone.device.inside(background.app.bundleID) { CLBackgroundActivitySession() }
        await background.phone.device.settled()
        #expect(background.reasons.last == "background activity not active: the app is not in the foreground")
        late?.invalidate()
    }

    @Test("Ending the updates leaves the heading and the beacons")
    func stops() async {
        let stage = await ServiceStage()
        let uuid = UUID()
        await stage.manager { manager in
            manager.startUpdatingHeading()
            manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
            manager.startUpdatingLocation()
            manager.stopUpdatingLocation()
        }
        _ = stage.heard()
        await stage.phone.turn(to: 90)
        await stage.phone.setBeacons([NearbyBeacon(uuid: uuid, major: 1, minor: 2, distance: 1)])
        #expect(stage.heard() == ["heading 90.0 90.0", "beacons [2]"])
    }
}
