import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Permission to use the location")
@MainActor
struct LocationPermissionTests {
    @Test("A delegate hears once what is allowed, then what changes")
    func whenInUse() async {
        let stage = await PlaceStage()
        #expect(stage.heard() == ["status 0"])
        await stage.manager { #expect($0.location == nil) }
        await stage.manager { $0.requestWhenInUseAuthorization() }
        #expect(stage.heard() == ["status 4"])
        #expect(stage.access == .authorizedWhenInUse)
        await stage.manager { manager in
            #expect(manager.location?.coordinate.latitude == 52.50)
            manager.requestWhenInUseAuthorization()
        }
        #expect(stage.heard() == [])
    }

    @Test("A person answers the prompt; after a no nobody is asked again")
    func denied() async {
        let stage = await PlaceStage(prompts: .ask)
        await stage.manager { $0.requestWhenInUseAuthorization() }
        #expect(stage.phone.device.screen.prompt?.subject == .location)
        #expect(stage.access == .notDetermined)
        await stage.phone.answerPrompt(false)
        #expect(stage.heard() == ["status 0", "status 2"])
        await stage.manager { $0.requestAlwaysAuthorization() }
        #expect(stage.phone.device.screen.prompt == nil)
        await stage.manager { $0.startUpdatingLocation() }
        #expect(stage.heard() == ["failed 1"])
    }

    @Test("Questions about notifications and about the location wait for each other")
    func queue() async {
        let stage = await PlaceStage(prompts: .ask)
        await stage.manager { manager in
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
            manager.requestWhenInUseAuthorization()
        }
        #expect(stage.phone.device.screen.prompt?.subject == .notifications)
        await stage.phone.answerPrompt(false)
        #expect(stage.phone.device.screen.prompt?.subject == .location)
        await stage.phone.answerPrompt(true)
        #expect(stage.phone.device.screen.prompt == nil)
        #expect(stage.phone.device.settings(of: stage.app.bundleID)?.status == 1)
        #expect(stage.access == .authorizedWhenInUse)
    }

    @Test("While in use becomes always by a second question, which comes once")
    func upgrade() async {
        let stage = await PlaceStage(prompts: .ask)
        await stage.phone.setLocationAccess(of: stage.app, to: .whenInUse)
        await stage.manager { $0.requestAlwaysAuthorization() }
        #expect(stage.phone.device.screen.prompt?.subject == .locationAlways)
        await stage.phone.answerPrompt(false)
        #expect(stage.access == .authorizedWhenInUse)
        await stage.manager { $0.requestAlwaysAuthorization() }
        #expect(stage.phone.device.screen.prompt == nil)
        #expect(stage.reasons.last == "no location prompt: the app has already asked for always access")
    }

    @Test(
        "Always at once is provisional since iOS 13: the second question comes with the first crossing",
        arguments: [
            true, false,
        ]
    )
    func provisional(_ answer: Bool) async {
        let stage = await PlaceStage(prompts: .ask)
        await stage.manager { $0.requestAlwaysAuthorization() }
        #expect(stage.phone.device.screen.prompt?.subject == .location)
        await stage.phone.answerPrompt(true)
        #expect(stage.access == .authorizedAlways)
        await stage.manager { $0.startMonitoring(for: stage.region()) }
        await stage.phone.background(stage.app)
        _ = stage.heard()
        await stage.phone.move(to: PlaceStage.office)
        #expect(stage.phone.device.screen.prompt?.subject == .locationAlways)
        #expect(stage.heard() == [])
        await stage.phone.answerPrompt(answer)
        #expect(stage.heard() == (answer ? ["entered office background", "inside office"] : ["status 4"]))
        #expect(stage.access == (answer ? .authorizedAlways : .authorizedWhenInUse))
    }

    @Test("The user's choice in Settings stands, whatever an earlier prompt is answered")
    func changedMeanwhile() async {
        let stage = await PlaceStage(prompts: .ask)
        await stage.phone.setLocationAccess(of: stage.app, to: .whenInUse)
        await stage.manager { $0.requestAlwaysAuthorization() }
        await stage.phone.setLocationAccess(of: stage.app, to: .denied)
        await stage.phone.answerPrompt(true)
        #expect(stage.phone.device.screen.prompt == nil)
        #expect(stage.access == .denied)
        #expect(stage.heard() == ["status 0", "status 4", "status 2"])
        await stage.phone.setLocationAccess(of: stage.app, to: .notDetermined)
        await stage.manager { $0.requestWhenInUseAuthorization() }
        #expect(stage.phone.device.screen.prompt?.subject == .location)
    }

    @Test("Before iOS 13 always is one question")
    func oldAlways() async {
        let stage = await PlaceStage(.iOS(12), prompts: .ask)
        await stage.manager { manager in
            manager.requestAlwaysAuthorization()
            manager.startMonitoring(for: stage.region())
        }
        await stage.phone.answerPrompt(true)
        await stage.phone.background(stage.app)
        await stage.phone.move(to: PlaceStage.office)
        #expect(stage.phone.device.screen.prompt == nil)
        #expect(stage.heard().contains("entered office background"))
    }

    @Test("Without a purpose in the Info.plist there is no prompt, and the device says why", arguments: [0, 1])
    func purposes(_ count: Int) async {
        let stage = await PlaceStage(app: .places(purposes: count))
        await stage.manager { $0.requestAlwaysAuthorization() }
        #expect(stage.access == .notDetermined)
        let key = ["NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription"][count]
        #expect(stage.reasons == ["no location prompt: the Info.plist has no \(key)"])
    }

    @Test("The user changes their mind under Settings, for one app or for all")
    func settings() async {
        let stage = await PlaceStage()
        await stage.phone.setLocationAccess(of: stage.app, to: .always)
        await stage.manager { $0.startUpdatingLocation() }
        #expect(stage.heard() == ["status 0", "status 3", "at [52.5]"])
        await stage.phone.perform { $0.setLocationServices(enabled: false) }
        #expect(stage.heard() == ["status 2", "failed 1"])
        await stage.manager { _ in #expect(!CLLocationManager.locationServicesEnabled()) }
        await stage.phone.move(to: PlaceStage.office)
        #expect(stage.heard() == [])
        await stage.phone.perform { $0.setLocationServices(enabled: true) }
        #expect(stage.heard() == ["status 3", "at [52.52]"])
        stage.phone.device.setLocationAccess(of: stage.app.bundleID, allowed: false)
        await stage.phone.device.settled()
        #expect(stage.heard() == ["status 2", "failed 1"])
    }
}
