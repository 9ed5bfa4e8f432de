import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID
private let willPresent = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
private let didReceive = "userNotificationCenter(_:didReceive:withCompletionHandler:)"

/// Notes on which thread each method is entered.
private final class ThreadApp: PlainApp, UNUserNotificationCenterDelegate {
    nonisolated let log = Recorder<String>()

    override func prepare() {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.alert, .providesAppNotificationSettings]) { _, _ in }
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        log.add("willPresent \(MainQueue.isCurrent)")
        completionHandler([.banner, .list])
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        log.add("didReceive \(MainQueue.isCurrent)")
        completionHandler()
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {
        log.add("openSettings \(MainQueue.isCurrent)")
    }
}

/// Keeps its handlers for the test to call.
private final class KeepingApp: PlainApp, @preconcurrency UNUserNotificationCenterDelegate {
    var presenting: [(UNNotificationPresentationOptions) -> Void] = []
    var contents: [UNNotificationContent] = []
    var responses = 0

    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        contents.append(notification.request.content)
        presenting.append(completionHandler)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        // The handler is forgotten.
        responses += 1
    }
}

/// A delegate with `willPresent` alone.
private final class PresentingApp: PlainApp, UNUserNotificationCenterDelegate {
    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list]
    }
}

@Suite("Rules of the delegate")
@MainActor
struct DelegateRules {
    private func opened(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async -> TestPhone {
        let phone = TestPhone()
        phone.install(.lab, delegate: delegate)
        await phone.open(.lab)
        return phone
    }

    @Test("Presentation options are badge 1, sound 2, alert 4, list 8, banner 16; alert is list and banner")
    func options() async throws {
        let all: [UNNotificationPresentationOptions] = [.badge, .sound, .alert, .list, .banner]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16])
        let stage = await LocalStage()
        let app = try stage.phone.delegate(CompleteMatrixApp.self)
        for options in [UNNotificationPresentationOptions.alert, [.list, .banner]] {
            app.plan.options = options
            try await stage.add("a", nil)
            #expect(stage.kinds("a").suffix(2) == [.presented(.banner), .presented(.list)])
        }
    }

    @Test("Every method is entered on the main thread")
    func mainThread() async throws {
        let phone = await opened { ThreadApp() }
        let push = await phone.push(.texted([:]), to: .lab)
        await phone.perform { $0.openNotificationSettings(of: lab) }
        await phone.tap(push)
        let app = try phone.delegate(ThreadApp.self)
        #expect(app.log.elements == ["willPresent true", "openSettings true", "didReceive true"])
    }

    @Test("willPresent is asked in front alone")
    func foregroundOnly() async throws {
        let phone = await opened { RecordingApp() }
        let app = try phone.delegate(RecordingApp.self)
        await phone.push(.alert, to: .lab)
        await phone.background(.lab)
        await phone.push(.alert, to: .lab)
        #expect(app.presented.count == 1)
    }

    @Test("Without willPresent nothing is shown in front: no banner, no list, no sound, no badge")
    func missingWillPresent() async {
        let phone = await opened { HalfApp() }
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.foreground)])
        #expect(phone.device.screen.list.isEmpty && phone.device.screen.badges.isEmpty)
    }

    @Test("A method that is left out is not called, and the other works", arguments: ["willPresent", "didReceive"])
    func optional(_ which: String) async {
        let phone = await opened { which == "willPresent" ? PresentingApp() : HalfApp() }
        let first = await phone.push(.texted([:]), to: .lab)
        #expect(phone.journeys.callbacks(of: first) == (which == "willPresent" ? ["\(willPresent)@active"] : []))
        await phone.background(.lab)
        let second = await phone.push(.texted([:]), to: .lab)
        await phone.tap(second)
        #expect(phone.journeys.callbacks(of: second) == (which == "willPresent" ? [] : ["\(didReceive)@inactive"]))
    }

    @Test("An answer that comes too late shows nothing; of two answers the first counts")
    func lateAndTwice() async throws {
        let phone = await opened { KeepingApp() }
        let app = try phone.delegate(KeepingApp.self)
        let late = await phone.push(.texted([:]), to: .lab)
        await phone.advance(by: .seconds(10))
        app.presenting[0]([.banner])
        await phone.device.settled()
        #expect(phone.journeys.kinds(of: late).last == .suppressed(.foreground))
        #expect(phone.device.screen.banner == nil)
        let twice = await phone.push(.texted([:]), to: .lab)
        app.presenting[1]([.list])
        app.presenting[1]([.banner])
        await phone.device.settled()
        #expect(phone.journeys.kinds(of: twice).suffix(1) == [.presented(.list)])
        #expect(phone.device.screen.banner == nil && phone.device.screen.list.map(\.id) == [twice])
    }

    @Test("In willPresent content cannot be changed: what is shown is what came")
    func contentStays() async throws {
        let phone = await opened { KeepingApp() }
        let app = try phone.delegate(KeepingApp.self)
        await phone.push(.texted([:]), to: .lab)
        let content = try #require(app.contents.first)
        #expect(!(content is UNMutableNotificationContent))
        (content.mutableCopy() as? UNMutableNotificationContent)?.title = "Changed"
        app.presenting[0]([.list])
        await phone.device.settled()
        #expect(phone.device.screen.list.map(\.title) == ["Ann"])
    }

    @Test("A response whose handler is forgotten is no exception: the next one comes too")
    func forgottenHandler() async throws {
        let phone = await opened { KeepingApp() }
        await phone.background(.lab)
        for _ in 0..<2 {
            let push = await phone.push(.texted([:]), to: .lab)
            await phone.tap(push)
            await phone.background(.lab)
        }
        #expect(phone.device.delegate(of: lab, as: KeepingApp.self)?.responses == 2)
    }

    @Test("A response comes in front, in the background and after the process ended", arguments: [0, 1, 2])
    func anyState(_ state: Int) async throws {
        let phone = await opened { RecordingApp() }
        if state > 0 { await phone.background(.lab) }
        if state > 1 { await phone.terminate(.lab) }
        let push = await phone.push(.alert, to: .lab)
        await phone.tap(push)
        let expected = state == 0 ? "\(didReceive)@active" : "\(didReceive)@inactive"
        #expect(phone.journeys.callbacks(of: push).last == expected)
        #expect(phone.device.delegate(of: lab, as: RecordingApp.self)?.responses.count == 1)
    }

    @Test("A banner that goes by itself or is flicked away tells nothing, even where dismissals are wanted")
    func bannerGoes() async throws {
        let phone = await opened { RecordingApp() }
        await phone.inCentre { $0.setNotificationCategories(CompleteMatrixApp.categories) }
        await phone.background(.lab)
        await phone.push(.texted(["category": "hears"]), to: .lab)
        await phone.advance(by: .seconds(6))
        let flicked = await phone.push(.texted(["category": "hears"]), to: .lab)
        await phone.perform { $0.flickBanner() }
        let app = try phone.delegate(RecordingApp.self)
        #expect(app.responses.isEmpty && phone.device.screen.list.count == 2)
        await phone.dismiss(flicked)
        #expect(app.responses.map(\.actionIdentifier) == [UNNotificationDismissActionIdentifier])
    }

    @Test("The app's own settings open only for an app that asked for them")
    func ownSettings() async throws {
        let with = await opened { ThreadApp() }
        #expect(await with.perform { $0.openNotificationSettings(of: lab) })
        let without = await opened { RecordingApp() }
        #expect(await without.perform { $0.openNotificationSettings(of: lab) } == false)
    }

    @Test("With a delegate of the centre the app delegate hears of content-available pushes only")
    func redirected() async {
        let phone = await opened { RecordingApp() }
        let fetch = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)@active"
        let plain = await phone.push(.alert, to: .lab)
        let fetching = await phone.push(.alertAndContent, to: .lab)
        #expect(phone.journeys.callbacks(of: plain) == ["\(willPresent)@active"])
        #expect(phone.journeys.callbacks(of: fetching) == [fetch, "\(willPresent)@active"])
    }
}
