import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Reduced accuracy")
@MainActor
struct LocationAccuracyTests {
    private static let purposes: JSONObject = [
        "NSLocationTemporaryUsageDescriptionDictionary": ["Delivery": "To find your door."]
    ]

    @Test("An approximate location is the centre of a field of 5 km, and is renewed every 15 minutes")
    func approximate() async {
        let stage = await ServiceStage()
        await stage.manager { $0.startUpdatingLocation() }
        #expect(stage.heard() == ["at 52.5"])
        await stage.move(north: 1000)
        #expect(stage.heard() == ["at 52.509"])
        await stage.phone.perform { $0.setPreciseLocation(of: stage.app.bundleID, allowed: false) }
        #expect(stage.heard() == ["status 3 reducedAccuracy", "at 52.5"])
        #expect(stage.delegate?.locations.last?.horizontalAccuracy == 5000)
        await stage.move(north: 8000)
        #expect(stage.heard() == [])
        await stage.phone.advance(by: .seconds(899))
        #expect(stage.heard() == [])
        await stage.phone.advance(by: .seconds(1))
        #expect(stage.heard() == ["at 52.55"])
        await stage.phone.perform { $0.setPreciseLocation(of: stage.app.bundleID, allowed: true) }
        #expect(stage.heard() == ["status 3 fullAccuracy", "at 52.5719"])
    }

    @Test("With reduced accuracy regions and beacons are silent, and the device says why")
    func regions() async {
        let stage = await ServiceStage()
        await stage.manager { manager in
            let office = CLCircularRegion(center: .init(ServiceStage.office), radius: 100, identifier: "office")
            manager.startMonitoring(for: office)
            manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        }
        await stage.phone.perform { $0.setPreciseLocation(of: stage.app.bundleID, allowed: false) }
        _ = stage.heard()
        await stage.phone.perform { $0.move(to: ServiceStage.office) }
        await stage.phone.perform { $0.setBeacons([]) }
        #expect(stage.heard() == [])
        #expect(stage.reasons.contains("beacons not ranged: the app may use an approximate location only"))
        await stage.move(north: 0)
        await stage.phone.perform { $0.setPreciseLocation(of: stage.app.bundleID, allowed: true) }
        await stage.phone.perform { $0.move(to: ServiceStage.office) }
        #expect(stage.heard().contains("entered office"))
    }

    @Test("Full accuracy can be asked for, and ends when the app leaves the foreground", arguments: [true, false])
    func temporary(_ isAllowed: Bool) async {
        let stage = await ServiceStage(info: Self.purposes)
        await stage.phone.perform { $0.setPreciseLocation(of: stage.app.bundleID, allowed: false) }
        _ = stage.heard()
        await stage.manager { manager in
            manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Delivery") { error in
                MainActor.assumeIsolated {
                    let code = (error as? CLError).map { "\($0.code)" } ?? "granted"
                    stage.delegate?.heard.append(code)
                }
            }
        }
        #expect(stage.phone.device.screen.prompt?.subject == .locationAccuracy)
        #expect(stage.heard() == [])
        await stage.phone.perform { $0.answerPrompt(isAllowed) }
        #expect(stage.heard() == (isAllowed ? ["status 3 fullAccuracy", "granted"] : ["promptDeclined"]))
        await stage.phone.background(stage.app)
        #expect(stage.heard() == (isAllowed ? ["status 3 reducedAccuracy"] : []))
    }

    @Test("Without its purpose in the Info.plist there is no prompt")
    func purpose() async {
        let stage = await ServiceStage(info: ["NSLocationDefaultAccuracyReduced": true])
        await stage.manager { manager in
            #expect(manager.accuracyAuthorization == .reducedAccuracy)
            manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Delivery") { error in
                MainActor.assumeIsolated { stage.delegate?.heard.append(error?.localizedDescription ?? "granted") }
            }
        }
        let text = "NSLocationTemporaryUsageDescriptionDictionary of the Info.plist has no text for 'Delivery'"
        #expect(stage.heard() == [text])
        #expect(stage.phone.device.screen.prompt == nil)
    }

    @Test("Before iOS 14 every location is exact")
    func old() async {
        let stage = await ServiceStage(.iOS(13), info: ["NSLocationDefaultAccuracyReduced": true])
        await stage.manager { #expect($0.accuracyAuthorization == .fullAccuracy) }
    }
}
