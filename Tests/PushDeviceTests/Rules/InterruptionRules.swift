import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

/// An app that asks for permission when it is told to.
private final class AskingApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func applicationWillResignActive(_ application: UIApplication) {}
    func applicationDidBecomeActive(_ application: UIApplication) {}
    func applicationDidEnterBackground(_ application: UIApplication) {}

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { .newData }
}

@Suite("Rules of interruptions")
@MainActor
struct InterruptionRules {
    private func opened(_ prompts: PromptPolicy = .ask) async -> TestPhone {
        let phone = await TestPhone(prompts: prompts).opening { AskingApp() }
        return phone
    }

    private func request(on phone: TestPhone) {
        phone.device.inside(lab) {
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        }
    }

    private func ask(on phone: TestPhone) async {
        request(on: phone)
        await phone.device.settled()
    }

    private func state(on phone: TestPhone) -> UIApplication.State? {
        phone.device.inside(lab) { UIApplication.shared.applicationState }
    }

    @Test("A permission prompt makes the app inactive, and active again when it is answered", arguments: [true, false])
    func prompt(_ allow: Bool) async {
        let phone = await opened()
        let begin = phone.device.recentDeviceEvents.count
        #expect(state(on: phone) == .active)
        await ask(on: phone)
        #expect(state(on: phone) == .inactive)
        #expect(phone.device.callbacks(from: begin) == ["applicationWillResignActive(_:)@active"])
        await phone.answerPrompt(allow)
        #expect(state(on: phone) == .active)
        #expect(phone.device.callbacks(from: begin).last == "applicationDidBecomeActive(_:)@active")
    }

    @Test("A prompt that the user answers at once interrupts all the same, and one that is not shown does not")
    func atOnce() async {
        let phone = await opened(.allow)
        let begin = phone.device.recentDeviceEvents.count
        await ask(on: phone)
        await ask(on: phone)
        let names = ["applicationWillResignActive(_:)@active", "applicationDidBecomeActive(_:)@active"]
        #expect(phone.device.callbacks(from: begin) == names)
    }

    @Test("Events behind a prompt come in the state inactive")
    func behindThePrompt() async {
        let phone = await opened()
        await ask(on: phone)
        let push = await phone.push(.silent, to: .lab)
        let name = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        #expect(phone.journeys.callbacks(of: push) == ["\(name)@inactive"])
        #expect(state(on: phone) == .inactive)
    }

    @Test("An app that goes to the background behind a prompt has resigned already, and stays there")
    func background() async {
        let phone = await opened()
        let begin = phone.device.recentDeviceEvents.count
        await ask(on: phone)
        await phone.background(.lab)
        await phone.answerPrompt(true)
        let names = ["applicationWillResignActive(_:)@active", "applicationDidEnterBackground(_:)@background"]
        #expect(phone.device.callbacks(from: begin) == names)
        #expect(state(on: phone) == .background)
    }
}
