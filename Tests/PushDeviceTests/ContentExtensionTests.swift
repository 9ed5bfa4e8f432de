import CallbackMatrix
import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit
import UserNotificationsUI

/// Shows the notification's title, and answers a button with what the test wants.
private final class Expanded: UIViewController, UNNotificationContentExtension {
    var option = UNNotificationContentExtensionResponseOption.dismiss

    convenience init(_ option: UNNotificationContentExtensionResponseOption) {
        self.init()
        self.option = option
    }

    func didReceive(_ notification: UNNotification) {
        title = notification.request.content.title
        guard title == "Hi", isViewLoaded else { return }
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(option)
    }
}

/// Shows, and leaves the buttons to the app.
private final class Plain: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}
}

@Suite("Content extensions")
@MainActor
struct ContentExtensionTests {
    private func run(
        _ make: @escaping @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension
    ) async -> (phone: TestPhone, push: String, responses: Int) {
        let phone = TestPhone()
        phone.install(.lab, contentExtensions: ["quiet": make]) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        let push = await phone.push(
            ["aps": ["alert": ["title": "Hi", "body": "there"], "category": "quiet"]],
            to: .lab
        )
        await phone.person { _ = $0.longPress(push) }
        #expect(await phone.choose("later", on: push) == .done)
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: CompleteMatrixApp.self)
        return (phone, push, app?.responses.count ?? -1)
    }

    @Test("doNotDismiss keeps view and entry, dismiss takes both, and only forwarding tells the app")
    func options() async {
        let stay = await run { Expanded(.doNotDismiss) }
        #expect(stay.responses == 0 && stay.phone.device.screen.list.count == 1)
        let close = await run { Expanded(.dismiss) }
        #expect(close.responses == 0 && close.phone.device.screen.list.isEmpty)
        #expect(close.phone.journeys.kinds(of: close.push).last == .acted("later"))
        let forward = await run { Expanded(.dismissAndForwardAction) }
        #expect(forward.responses == 1 && forward.phone.device.screen.list.isEmpty)
    }

    @Test("Without a method for buttons the app hears of them; the extension ran first")
    func forwards() async {
        let plain = await run { Plain() }
        #expect(plain.responses == 1)
        #expect(
            plain.phone.journeys.callbacks(of: plain.push) == [
                "UNNotificationContentExtension.didReceive(_:)@background",
                "userNotificationCenter(_:didReceive:withCompletionHandler:)@background",
            ]
        )
    }

    @Test("Another category has no extension; a closed view asks it no more")
    func others() async {
        let phone = TestPhone()
        phone.install(.lab, contentExtensions: ["quiet": { Expanded(.doNotDismiss) }]) {
            CompleteMatrixApp.make(MatrixAppPlan())
        }
        await phone.open(.lab)
        await phone.background(.lab)
        for category in ["hears", "quiet"] {
            let push = await phone.push(["aps": ["alert": "a", "category": .string(category)]], to: .lab)
            await phone.person { _ = $0.longPress(push) }
            await phone.person { $0.closeExpanded() }
            await phone.choose("later", on: push)
        }
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: CompleteMatrixApp.self)
        #expect(app?.responses.count == 2)
    }

    @Test("A tap on the expanded view opens the app and closes the view")
    func tapped() async {
        let phone = TestPhone()
        phone.install(.lab, contentExtensions: ["quiet": { Expanded(.doNotDismiss) }]) {
            CompleteMatrixApp.make(MatrixAppPlan())
        }
        await phone.open(.lab)
        await phone.background(.lab)
        for _ in 0..<2 {
            let push = await phone.push(
                ["aps": ["alert": "a", "category": "quiet"]],
                to: .lab,
                collapseID: "same"
            )
            await phone.person { _ = $0.longPress(push) }
            #expect(await phone.tap(push))
            await phone.background(.lab)
        }
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: CompleteMatrixApp.self)
        #expect(app?.details == ["default", "default"])
        #expect(phone.device.screen.list.isEmpty)
    }
}
