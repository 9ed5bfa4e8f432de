import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit
import UserNotificationsUI

/// The code of Documentation/Guide/TestingOnLinux.md, as it stands there.
@Suite("The guide to testing")
@MainActor
struct TestingGuideTests {
    /// A phone on which the app has permission and is open.
    private func phone(with app: InstalledApp) async -> TestPhone {
        let phone = TestPhone(.iOS(17))
        phone.install(app) { AppDelegate() }
        await phone.open(app)
        return phone
    }

    @Test("A phone, a push, a tap, and what the app, the screen and the journey show")
    func tap() async {
        let app = InstalledApp(bundleID: "com.example.reminders")
        let phone = TestPhone(.iOS(17))
        phone.install(app) { AppDelegate() }
        await phone.open(app)

        await phone.background(app)
        let push = await phone.push(["aps": ["alert": "A note for you"], "note": "42"], to: app)
        await phone.tap(push)

        let note = await phone.device.inside(app.bundleID) {
            (UIApplication.shared.delegate as? AppDelegate)?.openedNote
        }
        #expect(note == "42", "\(phone.story)")
        #expect(phone.device.screen.list.isEmpty)
        #expect(phone.journeys.kinds(of: push).contains(.opened))
    }

    @Test("An app with scenes has the delegate that its Info.plist names")
    func scenes() async {
        let app = InstalledApp(
            bundleID: "com.example.reminders",
            info: [
                "UIApplicationSceneManifest": [
                    "UISceneConfigurations": [
                        "UIWindowSceneSessionRoleApplication": [
                            ["UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).SceneDelegate"]
                        ]
                    ]
                ]
            ]
        )
        let phone = await phone(with: app)
        let isThere = await phone.device.inside(app.bundleID) {
            UIApplication.shared.connectedScenes.first?.delegate is SceneDelegate
        }
        #expect(isThere == true)
    }

    @Test("iOS 27 launches the app as built with its SDK, if it has scenes")
    func sdk() async {
        let phone = TestPhone(.iOS(27))
        var app = InstalledApp(bundleID: "com.example.reminders")
        app.sdk = 27
        phone.install(app) { AppDelegate() }
        #expect(phone.device.launchRefusal(of: app.bundleID) != nil)
        app.configuresScenesInCode = true
        phone.install(app) { AppDelegate() }
        #expect(phone.device.launchRefusal(of: app.bundleID) == nil)
    }

    @Test("A link brings the app to the front")
    func link() async throws {
        let app = InstalledApp(
            bundleID: "com.example.reminders",
            info: ["CFBundleURLTypes": [["CFBundleURLSchemes": ["reminders"]]]]
        )
        let phone = await phone(with: app)
        await phone.background(app)
        let url = try #require(URL(string: "reminders://notes/42"))
        #expect(await phone.perform { $0.openURL(url) })
        #expect(phone.device.screen.front == app.bundleID)
    }

    @Test("A long press opens a content extension")
    func contentExtension() async throws {
        let app = InstalledApp(bundleID: "com.example.reminders")
        let phone = TestPhone(.iOS(17))
        let info: JSONObject = [
            "NSExtension": [
                "NSExtensionAttributes": [
                    "UNNotificationExtensionCategory": "clip",
                    "UNNotificationExtensionInitialContentSizeRatio": 1,
                ]
            ]
        ]
        let clip = try ContentExtension(info: info) { MediaNotificationController() }
        phone.install(app, contentExtensions: [clip]) { AppDelegate() }
        await phone.open(app)
        await phone.background(app)
        let push = await phone.push(["aps": ["alert": "A clip", "category": "clip"]], to: app)
        await phone.perform { _ = $0.longPress(push) }
        #expect(await phone.perform { $0.pressPlayPause() })
        #expect(phone.device.screen.expanded?.isPlaying == true)
    }

    @Test("The choices of the user")
    func choices() async {
        let app = InstalledApp(bundleID: "com.example.reminders")
        let phone = await phone(with: app)
        await phone.background(app)

        phone.device.changeSettings(of: app.bundleID) { $0.scheduledDelivery = true }
        await phone.perform { $0.setSummaryTimes([TimeOfDay(hour: 8)]) }
        await phone.perform {
            $0.setFocus(Focus(name: "Work", allowedApps: [app.bundleID], filters: [app.bundleID: ["work"]]))
        }
        await phone.perform { $0.setLanguage("de") }

        await phone.push(["aps": ["alert": "Later"]], to: app)
        #expect(phone.device.screen.upcoming.map(\.body) == ["Later"])
    }

    @Test("The clock is turned, and the phone carried")
    func timeAndPlace() async {
        let app = InstalledApp(bundleID: "com.example.reminders")
        let phone = await phone(with: app)
        await phone.background(app)
        await phone.setLocationAccess(of: app, to: .whenInUse)
        await phone.move(to: Coordinate(latitude: 52.50, longitude: 13.40))
        await phone.device.inside(app.bundleID) { AppDelegate.remind() }

        await phone.advance(by: .seconds(3 * 86_400))
        #expect(phone.device.screen.list.map(\.title) == ["In two days"])

        await phone.move(to: Coordinate(latitude: 52.50, longitude: 13.40))
        await phone.move(to: Coordinate(latitude: 52.52, longitude: 13.40))
        #expect(phone.device.screen.list.map(\.title) == ["At the gate", "In two days"])
    }
}

/// The app of the guide.
private final class AppDelegate: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    private(set) var openedNote: String?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.alert, .sound, .badge]) { _, _ in }
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        openedNote = response.notification.request.content.userInfo["note"] as? String
        completionHandler()
    }

    /// Two reminders: one of a time, one of a place.
    static func remind() {
        let gate = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.40),
            radius: 150,
            identifier: "gate"
        )
        let triggers: [(String, UNNotificationTrigger)] = [
            ("In two days", UNTimeIntervalNotificationTrigger(timeInterval: 2 * 86_400, repeats: false)),
            ("At the gate", UNLocationNotificationTrigger(region: gate, repeats: false)),
        ]
        for (title, trigger) in triggers {
            let content = UNMutableNotificationContent()
            content.title = title
            let request = UNNotificationRequest(identifier: title, content: content, trigger: trigger)
            UNUserNotificationCenter.current().add(request)
        }
    }
}

/// Made by its name.
class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
