import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

/// A delegate in the async spellings.
private final class AsyncApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var states: [UIApplication.State] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        states.append(application.applicationState)
        return .failed
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        states.append(UIApplication.shared.applicationState)
        await Task.yield()
        return [.banner]
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        states.append(UIApplication.shared.applicationState)
    }
}

/// Sets a delegate that does nothing.
private final class IdleApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }
}

/// The method from before iOS 7.
private final class LegacyApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {}
}

@Suite("UserNotifications")
@MainActor
struct UserNotificationsTests {
    private func phone(
        prompts: PromptPolicy = .allow,
        _ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) async -> TestPhone {
        let phone = TestPhone(prompts: prompts)
        phone.install(.lab, delegate: delegate)
        await phone.open(.lab)
        return phone
    }

    @Test("The async spellings are called, each in its state")
    func asyncSpellings() async throws {
        let phone = await phone { AsyncApp() }
        let first = await phone.push(.alertAndContent, to: .lab)
        #expect(await phone.journeys.first(of: first) { $0 == .presented(.banner) } != nil)
        #expect(await phone.journeys.first(of: first) { $0 == .finished(.failed) } != nil)
        await phone.background(.lab)
        await phone.tap(first)
        let app = try phone.delegate(AsyncApp.self)
        #expect(app.states == [.active, .active, .inactive])
        #expect(phone.journeys.callbacks(of: first).count == 3)
    }

    @Test("A delegate without methods shows nothing, and no callback is claimed")
    func idle() async {
        let phone = await phone { IdleApp() }
        let push = await phone.push(.alertAndContent, to: .lab)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.foreground)])
    }

    @Test("The old method is called where there is no other, in front and at a tap")
    func legacy() async {
        let phone = await phone { LegacyApp() }
        let name = "application(_:didReceiveRemoteNotification:)"
        let first = await phone.push(.alert, to: .lab)
        #expect(phone.journeys.callbacks(of: first) == ["\(name)@active"])
        await phone.background(.lab)
        let second = await phone.push(.alert, to: .lab)
        await phone.tap(second)
        #expect(phone.journeys.callbacks(of: second) == ["\(name)@inactive"])
    }

    @Test("A payload becomes content, the whole of it in userInfo")
    func content() async throws {
        let phone = await phone { RecordingApp() }
        await phone.push(
            [
                "aps": [
                    "alert": ["title": "T", "subtitle": "S", "body": "B"], "badge": 3, "sound": "chime.caf",
                    "thread-id": "t", "category": "c", "interruption-level": "time-sensitive", "relevance-score": 0.5,
                ], "_j_msgid": 9_007_199_254_740_993, "flag": true, "list": [1, "a"],
            ],
            to: .lab,
            collapseID: "score"
        )
        let app = try phone.delegate(RecordingApp.self)
        let notification = try #require(app.presented.first)
        #expect(notification.date == phone.clock.date)
        #expect(notification.request.identifier == "score")
        #expect(notification.request.trigger is UNPushNotificationTrigger)
        let content = notification.request.content
        #expect([content.title, content.subtitle, content.body] == ["T", "S", "B"])
        #expect(content.badge == 3)
        #expect(content.sound == UNNotificationSound(named: UNNotificationSoundName("chime.caf")))
        #expect(content.threadIdentifier == "t")
        #expect(content.categoryIdentifier == "c")
        #expect(content.interruptionLevel == .timeSensitive)
        #expect(content.relevanceScore == 0.5)
        #expect(content.userInfo["_j_msgid"] as? Int64 == 9_007_199_254_740_993)
        #expect(content.userInfo["flag"] as? Bool == true)
        #expect((content.userInfo["aps"] as? [String: Any])?["badge"] as? Int == 3)
        let copy = try #require(content.mutableCopy() as? UNMutableNotificationContent)
        #expect(copy == content)
        copy.title = "Other"
        #expect(copy != content)
    }

    @Test("A handler runs on another thread, after the call, and knows its device")
    func handlers() async throws {
        let phone = await phone { PlainApp() }
        let port = try #require(phone.device.port(of: InstalledApp.lab.bundleID))
        let (isMain, isBound) = try #require(
            await phone.device.inside(InstalledApp.lab.bundleID) {
                await withCheckedContinuation { continuation in
                    UNUserNotificationCenter.current().getNotificationSettings { _ in
                        continuation.resume(returning: (MainQueue.isCurrent, CurrentPort.bound === port))
                    }
                }
            } as (Bool, Bool)?
        )
        #expect(!isMain)
        #expect(isBound)
    }

    @Test("Work sent through Dispatch or a detached task keeps its device")
    func context() async throws {
        let phone = await phone { PlainApp() }
        let port = try #require(phone.device.port(of: InstalledApp.lab.bundleID))
        let kept = try #require(
            await phone.device.inside(InstalledApp.lab.bundleID) {
                let now = await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: CurrentPort.bound === port) }
                }
                let later = await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: .now()) {
                        continuation.resume(returning: CurrentPort.bound === port)
                    }
                }
                let main = await withCheckedContinuation { continuation in
                    DispatchQueue.main.async { continuation.resume(returning: CurrentPort.bound === port) }
                }
                let detached = await Task.detached { CurrentPort.bound === port }.value
                let throwing = try? await Task.detached { () throws -> Bool in CurrentPort.bound === port }.value
                return [now, later, main, detached, throwing == true]
            } as [Bool]?
        )
        #expect(kept == [true, true, true, true, true])
    }

    @Test(
        "Without a device nothing is allowed; with one it is meant; with several, outside of tests, the process stops"
    )
    func whichDevice() async throws {
        #expect(CurrentPort.choose(among: []) === NoDevice.shared)
        let phone = await phone { PlainApp() }
        let port = try #require(phone.device.port(of: InstalledApp.lab.bundleID))
        #expect(CurrentPort.choose(among: [port]) === port)
        await #expect(processExitsWith: .failure) {
            _ = CurrentPort.choose(among: [NoDevice.shared, NoDevice.shared])
        }
    }

    @Test("UIDevice tells which iOS is played")
    func device() async {
        let phone = await TestPhone(name: "Tom's phone", system: "10.2").opening { PlainApp() }
        let texts = await phone.device.inside(InstalledApp.lab.bundleID) {
            [UIDevice.current.name, UIDevice.current.systemName, UIDevice.current.systemVersion]
        }
        #expect(texts == ["Tom's phone", "iOS", "10.2"])
        let vendor = await phone.device.inside(InstalledApp.lab.bundleID) { UIDevice.current.identifierForVendor }
        #expect(vendor != nil)
    }
}
