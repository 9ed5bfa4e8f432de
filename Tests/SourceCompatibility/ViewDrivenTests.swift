import PosthornTesting
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import TestSupport
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.parcels", name: "Parcels")

@Suite("App sources with views and alerts, driven")
@MainActor
struct ViewDrivenTests {
    private func run<Result>(_ phone: TestPhone, _ body: @MainActor () -> Result) throws -> Result {
        let result = phone.device.inside(app.bundleID, body)
        return try #require(result)
    }

    private func parcels() async throws -> (TestPhone, ParcelListViewController, ParcelAppDelegate) {
        let phone = TestPhone()
        phone.install(app) { ParcelAppDelegate() }
        await phone.open(app)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: ParcelAppDelegate.self))
        return (phone, delegate.list, delegate)
    }

    @Test("A push in the foreground becomes an alert that a person closes")
    func alertForPush() async throws {
        let (phone, list, _) = try await parcels()
        #expect(list.view.window != nil && list.navigationItem.title == "Parcels")
        phone.device.setNotifications(of: app.bundleID, allowed: true)
        await phone.push(["aps": ["alert": ["title": "Books", "body": "delivered"]]], to: app)
        #expect(phone.alert?.title == "Books" && phone.alert?.message == "delivered")
        #expect(phone.device.screen.banner == nil)
        try await phone.tapAlertButton("OK")
        #expect(phone.alert == nil && list.presentedViewController == nil)
    }

    @Test("The button of a bar asks for a name; the alert's button is enabled by what a person writes")
    func textField() async throws {
        let (phone, list, _) = try await parcels()
        try run(phone) {
            let button = list.navigationItem.rightBarButtonItem
            button?.primaryAction.map {
                UIControl(frame: .zero, primaryAction: $0).sendActions(for: .primaryActionTriggered)
            }
        }
        #expect(phone.alert?.record.fields.map(\.placeholder) == ["Name"])
        await #expect(throws: AlertProblem.self) { try await phone.tapAlertButton("Add") }
        try await phone.writeInAlert("Clock")
        #expect(phone.alert?.record.buttons.map(\.isEnabled) == [true, true])
        try await phone.writeInAlert("")
        #expect(phone.alert?.record.buttons.map(\.isEnabled) == [true, false])
        try await phone.writeInAlert("Clock")
        try await phone.tapAlertButton("Add")
        #expect(list.parcels == ["Books", "Lamp", "Clock"])
    }

    @Test("An action sheet deletes, and says so in an alert")
    func actionSheet() async throws {
        let (phone, list, _) = try await parcels()
        try run(phone) { list.delete("Lamp") }
        #expect(phone.alert?.record.style == .actionSheet)
        #expect(phone.alert?.record.buttons.map(\.role) == [.destructive, .cancel])
        try await phone.tapAlertButton("Cancel")
        #expect(list.parcels == ["Books", "Lamp"] && phone.alert == nil)
        try run(phone) { list.delete("Lamp") }
        try await phone.tapAlertButton("Delete")
        #expect(list.parcels == ["Books"])
        #expect(phone.alert?.title == "Deleted")
    }

    @Test("A page is pushed, and its button works")
    func navigation() async throws {
        let (phone, list, _) = try await parcels()
        try run(phone) { list.open("Books") }
        let page = try #require(list.navigationController?.topViewController as? ParcelViewController)
        #expect(page.title == "Books" && page.view.window != nil && list.view.window == nil)
        try run(phone) { page.shareButton.sendActions(for: .touchUpInside) }
        #expect(page.shareButton.currentTitle == "Share" && phone.alert?.title == "Shared")
        #expect(page.view.subviews.first?.subviews.count == 2)
    }

    @Test("A table asks for its rows when its tab is selected; cells are of the registered class")
    func table() async throws {
        let (phone, _, delegate) = try await parcels()
        let tabs = try #require(delegate.window?.rootViewController as? UITabBarController)
        let settings = try #require(tabs.viewControllers?.last as? ParcelSettingsViewController)
        #expect(!settings.isViewLoaded)
        try run(phone) { tabs.selectedIndex = 1 }
        #expect(settings.tableView.numberOfRows(inSection: 0) == 2)
        let cell = settings.tableView.cellForRow(at: IndexPath(row: 1, section: 0)) as? SwitchCell
        #expect(cell?.textLabel?.text == "Sounds" && cell?.reuseIdentifier == "SwitchCell")
        #expect(cell?.accessoryView === cell?.toggle)
        #expect(settings.tableView.cellForRow(at: IndexPath(row: 2, section: 0)) == nil)
        settings.tableView(settings.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
        #expect(settings.chosen == ["Notifications"])
    }

    private func box() async throws -> (TestPhone, MessageBoxApp) {
        let phone = TestPhone(.iOS(9))
        phone.install(app) { MessageBoxApp() }
        await phone.open(app)
        return (phone, try #require(phone.device.delegate(of: app.bundleID, as: MessageBoxApp.self)))
    }

    @Test("iOS 9: a push in the foreground is shown in an alert view; its delegate opens the message")
    func alertView() async throws {
        let (phone, delegate) = try await box()
        await phone.push(["aps": ["alert": "Hello"], "message": "m1"], to: app)
        #expect(phone.alert?.message == "Hello" && phone.alert?.buttons == ["Later", "Open"])
        try await phone.tapAlertButton("Later")
        #expect(delegate.opened.isEmpty && delegate.answers == ["dismissed Later"])
        await phone.push(["aps": ["alert": "Hello"], "message": "m2"], to: app)
        try await phone.tapAlertButton("Open")
        #expect(delegate.opened == ["m2"])
        let calls = phone.device.recentDeviceEvents.filter {
            if case .callback("alertView(_:clickedButtonAt:)", .active, _) = $0.kind { true } else { false }
        }
        #expect(calls.count == 2)
    }

    @Test("iOS 9: an alert view with a text field, and an action sheet")
    func oldQuestions() async throws {
        let (phone, delegate) = try await box()
        try run(phone) { delegate.askName() }
        #expect(phone.alert?.record.fields.map(\.placeholder) == ["First name"])
        try await phone.writeInAlert("Ann")
        try await phone.tapAlertButton("OK")
        #expect(delegate.answers == ["Ann", "dismissed OK"])
        let root = try #require(delegate.window?.rootViewController)
        try run(phone) { delegate.askToDelete(in: root.view) }
        #expect(phone.alert?.buttons == ["Delete", "Cancel", "Archive", "Forward"])
        #expect(phone.alert?.record.buttons.map(\.role) == [.destructive, .cancel, .normal, .normal])
        try await phone.tapAlertButton("Archive")
        #expect(delegate.answers.last == "2 Archive")
    }

    @Test("A screen asks when it has appeared; its alert opens the settings")
    func permission() async throws {
        let phone = TestPhone(prompts: .deny)
        phone.install(app) { PermissionAppDelegate() }
        await phone.open(app)
        let scene = try run(phone) { UIApplication.shared.connectedScenes.first?.delegate as? PermissionSceneDelegate }
        let screen = try #require(scene).screen
        try await eventually("the alert is presented") { screen.steps.count == 4 }
        #expect(screen.steps == [.loaded, .appeared, .asked(false), .explained])
        #expect(phone.alert?.buttons == ["Not now", "Settings"])
        #expect(screen.presentedViewController?.presentingViewController === screen.navigationController)
        try await phone.tapAlertButton("Settings")
        // An alert does not cover its presenter.
        #expect(screen.steps.last == .settings && !screen.steps.contains(.covered))
    }

    @Test("Swift 5 mode: storyboards and nibs name what is missing; a child without one appears and disappears")
    func storyboards() async throws {
        let phone = TestPhone()
        phone.install(app) { StoryboardApp() }
        await phone.open(app)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: StoryboardApp.self))
        let missing = try run(phone) {
            RaisedException.catching {
                delegate.openInbox()
                delegate.window?.rootViewController?.dismiss(animated: false)
            }
        }
        #expect(missing.count == 1)
        #expect(missing.first?.reason.contains("InboxViewController") == true)
        #expect(missing.first?.reason.contains("storyboard 'Main'") == true)
        let nib = try run(phone) { RaisedException.catching { delegate.openLogin() } }
        #expect(nib.map { $0.reason.contains("with name 'LoginViewController'") } == [true])
        try run(phone) { delegate.window?.rootViewController?.dismiss(animated: false) }
        try run(phone) { delegate.openMessages() }
        try run(phone) { delegate.closeMessages() }
        #expect(
            delegate.log == [
                "home appeared", "login presented", "messages will appear with 2", "messages disappeared",
            ]
        )
    }
}
