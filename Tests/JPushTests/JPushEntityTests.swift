import CoreLocation
import JPush
import PosthornTesting
import Testing
import UIKit

@Suite("Entities of JPush")
@MainActor
struct JPushEntityTests {
    private func coded<Entity: NSObject & NSSecureCoding>(_ entity: Entity) throws -> Entity {
        let data = try NSKeyedArchiver.archivedData(withRootObject: entity, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Entity.self, from: data))
    }

    @Test("Defaults are the SDK's")
    func defaults() {
        #expect(JPUSHRegisterEntity().types == 0)
        #expect(JPUSHRegisterEntity().categories == nil)
        let which = JPushNotificationIdentifier()
        #expect(which.identifiers == nil)
        #expect(!which.delivered)
        let content = JPushNotificationContent()
        #expect(content.title == "")
        #expect(content.badge == nil)
        #expect(content.sound == nil)
        #expect(content.interruptionLevel == 1)
        #expect(JPushNotificationSound().criticalSoundVolume == 1)
        let trigger = JPushNotificationTrigger()
        #expect(!trigger.repeat)
        #expect("\(String(describing: trigger.region)) \(String(describing: trigger.fireDate))" == "nil nil")
        let control = JPushCollectControl()
        #expect([control.ssid, control.bssid, control.cell, control.gps] == [true, true, true, true])
        #expect(JPushInAppMessage().mesageId == "")
    }

    @Test("A request is copied and coded with its content, sound and trigger")
    func coding() throws {
        let request = JPushNotificationRequest()
        request.requestIdentifier = "r"
        request.content = JPushNotificationContent()
        request.content.title = "Title"
        request.content.action = "Go"
        request.content.badge = 3
        request.content.sound = "bell.caf"
        request.content.userInfo = ["key": "value"]
        request.content.summaryArgument = "many"
        request.content.summaryArgumentCount = 4
        request.content.soundSetting = JPushNotificationSound()
        request.content.soundSetting?.soundName = "horn.caf"
        request.content.soundSetting?.criticalSoundVolume = 0.5
        request.trigger = JPushNotificationTrigger()
        request.trigger.repeat = true
        request.trigger.dateComponents = DateComponents(hour: 8)
        request.trigger.region = CLCircularRegion(
            center: CLLocationCoordinate2DMake(1, 2),
            radius: 30,
            identifier: "home"
        )
        request.completionHandler = { _ in }
        let copy = try #require(request.copy() as? JPushNotificationRequest)
        #expect(copy.completionHandler != nil)
        request.content.title = "Changed"
        #expect(copy.content.title == "Title")
        for other in [copy, try coded(copy)] {
            #expect(other.requestIdentifier == "r")
            #expect(other.content.title == "Title")
            #expect(other.content.action == "Go")
            #expect(other.content.badge == 3)
            #expect(other.content.sound == "bell.caf")
            #expect(other.content.userInfo["key"] as? String == "value")
            #expect(other.content.summaryArgument == "many")
            #expect(other.content.summaryArgumentCount == 4)
            #expect(other.content.soundSetting?.soundName == "horn.caf")
            #expect(other.content.soundSetting?.criticalSoundVolume == 0.5)
            #expect(other.trigger.repeat)
            #expect(other.trigger.dateComponents.hour == 8)
            #expect((other.trigger.region as? CLCircularRegion)?.radius == 30)
        }
    }

    @Test("An identifier is copied and coded")
    func identifier() throws {
        let which = JPushNotificationIdentifier()
        which.identifiers = ["a"]
        which.delivered = true
        which.findCompletionHandler = { _ in }
        let copy = try #require(which.copy() as? JPushNotificationIdentifier)
        #expect(copy.findCompletionHandler != nil)
        for other in [copy, try coded(which)] {
            #expect(other.identifiers == ["a"])
            #expect(other.delivered)
        }
    }

    @Test("In-app messages and the collect control are copied")
    func plain() throws {
        let message = JPushInAppMessage()
        message.mesageId = "1"
        message.target = ["page"]
        message.extras = ["k": "v"]
        let copy = try #require(message.copy() as? JPushInAppMessage)
        #expect(copy.mesageId == "1")
        #expect(copy.target as? [String] == ["page"])
        #expect(copy.extras["k"] as? String == "v")
        let control = JPushCollectControl()
        control.gps = false
        #expect((control.copy() as? JPushCollectControl)?.gps == false)
    }

    @Test("Raw values and names are the header's")
    func rawValues() {
        let all: JPAuthorizationOptions = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings, .provisional,
            .announcement,
        ]
        #expect(all.rawValue == 255)
        #expect(JPAuthorizationStatus.statusProvisional.rawValue == 3)
        let names: [NSNotification.Name] = [
            .jpfNetworkIsConnecting, .jpfNetworkDidSetup, .jpfNetworkDidClose, .jpfNetworkDidRegister,
            .jpfNetworkFailedRegister, .jpfNetworkDidLogin, .jpfNetworkDidReceiveMessage, .jpfServiceError,
        ]
        #expect(
            names.map(\.rawValue) == [
                "kJPFNetworkIsConnectingNotification", "kJPFNetworkDidSetupNotification",
                "kJPFNetworkDidCloseNotification", "kJPFNetworkDidRegisterNotification",
                "kJPFNetworkFailedRegisterNotification", "kJPFNetworkDidLoginNotification",
                "kJPFNetworkDidReceiveMessageNotification", "kJPFServiceErrorNotification",
            ]
        )
    }
}
