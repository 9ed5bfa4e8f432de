import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

/// Keeps the handlers of buttons.
private final class KeepingApp: UIResponder, UIApplicationDelegate {
    var handlers: [() -> Void] = []

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        handlers.append(completionHandler)
    }

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping () -> Void
    ) {
        handlers.append(completionHandler)
    }
}

/// Source: Apple, `application(_:handleActionWithIdentifier:forRemoteNotification:completionHandler:)`.
@Suite("A button whose handler the app never calls")
@MainActor
struct UnansweredActionTests {
    private let app = InstalledApp(bundleID: "com.example.keeping", name: "Keeping")
    private let push: JSONValue = ["aps": ["alert": "hi", "category": "c"]]

    private func phone(_ major: Int, comesForward: Bool = false) async -> TestPhone {
        let phone = await TestPhone(.iOS(major)).opening(app) { KeepingApp() }
        await phone.device.inside(app.bundleID) {
            let action = UIMutableUserNotificationAction()
            action.identifier = "like"
            action.title = "Like"
            action.activationMode = comesForward ? .foreground : .background
            let category = UIMutableUserNotificationCategory()
            category.identifier = "c"
            category.setActions([action], for: .default)
            UIApplication.shared.registerUserNotificationSettings(
                UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: [category])
            )
        }
        await phone.device.settled()
        await phone.background(app)
        return phone
    }

    private func ends(_ phone: TestPhone) -> [String] {
        phone.device.recentDeviceEvents.compactMap { event in
            if case .processEnded(let reason) = event.kind, event.app == app.bundleID { reason } else { nil }
        }
    }

    @Test(
        "iOS 8 and 9 end the app after 30 seconds, in front and in the background; the log and the verdict say so",
        arguments: [8, 9],
        [true, false]
    )
    func ended(_ major: Int, _ comesForward: Bool) async {
        let phone = await phone(major, comesForward: comesForward)
        let shown = await phone.push(push, to: app)
        #expect(await phone.choose("like", on: shown) == .done)
        await phone.advance(by: .seconds(29))
        #expect(ends(phone) == [] && phone.device.condition(of: app.bundleID) == (comesForward ? .active : .background))
        await phone.advance(by: .seconds(1))
        #expect(phone.device.condition(of: app.bundleID) == .notRunning)
        #expect(ends(phone).count == 1)
        #expect(ends(phone).first?.contains("did not call the completion handler") == true)
        let verdict = Verdict(phone.journeys.events(of: shown))
        #expect(verdict.state == .opened)
        #expect(verdict.sentence.contains("did not call the completion handler"))
    }

    @Test("A local notification's button is one, too", arguments: [8, 9])
    func local(_ major: Int) async {
        let phone = await phone(major)
        await phone.device.inside(app.bundleID) {
            let notification = UILocalNotification()
            notification.alertBody = "tea"
            notification.category = "c"
            UIApplication.shared.presentLocalNotificationNow(notification)
        }
        await phone.device.settled()
        let shown = phone.device.screen.list.first?.id ?? ""
        #expect(await phone.choose("like", on: shown) == .done)
        await phone.advance(by: .seconds(30))
        #expect(phone.device.condition(of: app.bundleID) == .notRunning && ends(phone).count == 1)
    }

    @Test("An app that calls it in time goes on", arguments: [8, 9])
    func answered(_ major: Int) async {
        let phone = await phone(major)
        let shown = await phone.push(push, to: app)
        #expect(await phone.choose("like", on: shown) == .done)
        await phone.advance(by: .seconds(29))
        await phone.device.inside(app.bundleID) {
            for handler in (UIApplication.shared.delegate as? KeepingApp)?.handlers ?? [] { handler() }
        }
        await phone.advance(by: .seconds(60))
        #expect(phone.device.condition(of: app.bundleID) == .background && ends(phone) == [])
    }

    @Test("iOS 10 and later wait, and so does a tap before them")
    func waits() async {
        let phone = await phone(10)
        let shown = await phone.push(push, to: app)
        #expect(await phone.choose("like", on: shown) == .done)
        await phone.advance(by: .seconds(60))
        #expect(phone.device.condition(of: app.bundleID) == .background && ends(phone) == [])
        let old = await self.phone(9)
        await old.tap(await old.push(push, to: app))
        await old.advance(by: .seconds(60))
        #expect(old.device.condition(of: app.bundleID) == .active && ends(old) == [])
    }
}
