import CallbackMatrix
import CoreLocation
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

/// Becomes the centre's delegate only when it is in front: too late for the response that launched it.
private final class LateApp: PlainApp, @preconcurrency UNUserNotificationCenterDelegate {
    var responses: [UNNotificationResponse] = []

    override func applicationDidBecomeActive(_ application: UIApplication) {
        UNUserNotificationCenter.current().delegate = self
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        responses.append(response)
        completionHandler()
    }
}

/// Becomes the centre's delegate in a block that the launch starts.
private final class AsyncDelegateApp: PlainApp, @preconcurrency UNUserNotificationCenterDelegate {
    enum Place: CaseIterable { case mainQueue, settingsHandler, task }

    var responses: [UNNotificationResponse] = []
    var place = Place.mainQueue

    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let result = super.application(application, didFinishLaunchingWithOptions: launchOptions)
        let become: @MainActor @Sendable () -> Void = { UNUserNotificationCenter.current().delegate = self }
        switch place {
        case .mainQueue: DispatchQueue.main.async(execute: become)
        case .settingsHandler:
            UNUserNotificationCenter.current().getNotificationSettings { _ in DispatchQueue.main.async(execute: become)
            }
        case .task: Task { become() }
        }
        return result
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        responses.append(response)
        completionHandler()
    }
}

private final class Listener: NSObject, UNUserNotificationCenterDelegate {}

@Suite("Rules of the notification centre")
@MainActor
struct CentreRules {
    // MARK: The object and its handlers

    @Test("There is one centre in a process, and it shows content extensions")
    func oneObject() async {
        let stage = await LocalStage()
        let inside = await stage.app { $0 }
        #expect(inside === UNUserNotificationCenter.current())
        #expect(inside?.supportsContentExtensions == true)
    }

    @Test("No handler runs on the main thread, nor before the call has returned")
    func handlersAreLater() async {
        let stage = await LocalStage()
        // The calls are made on the main queue: a handler on another cannot run within them.
        #expect(MainQueue.isCurrent)
        let onMain = await stage.app { center in
            let request = UNNotificationRequest(identifier: "a", content: UNNotificationContent(), trigger: nil)
            let calls: [(@escaping @Sendable () -> Void) -> Void] = [
                { done in center.requestAuthorization { _, _ in done() } },
                { done in center.getNotificationCategories { _ in done() } },
                { done in center.getNotificationSettings { _ in done() } },
                { done in center.add(request) { _ in done() } },
                { done in center.getPendingNotificationRequests { _ in done() } },
                { done in center.getDeliveredNotifications { _ in done() } },
                { done in center.setBadgeCount(-1) { _ in done() } },
            ]
            var found: [Bool] = []
            for call in calls {
                let isMain = await withCheckedContinuation { next in
                    call { next.resume(returning: MainQueue.isCurrent) }
                }
                found.append(isMain)
            }
            return found
        }
        #expect(onMain == Array(repeating: false, count: 7))
    }

    @Test("Calls are done one after the other, in the order in which they are made")
    func callsInOrder() async {
        let stage = await LocalStage()
        let log = Recorder<String>()
        let content = stage.content()
        await stage.app { center in
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            await withCheckedContinuation { done in
                for name in ["a", "b"] {
                    let request = UNNotificationRequest(identifier: name, content: content, trigger: trigger)
                    center.add(request) { _ in log.add("added \(name)") }
                }
                center.getPendingNotificationRequests { log.add("pending \($0.map(\.identifier))") }
                center.removePendingNotificationRequests(withIdentifiers: ["a"])
                center.getPendingNotificationRequests { log.add("pending \($0.map(\.identifier))") }
                center.removeAllPendingNotificationRequests()
                center.getPendingNotificationRequests { requests in
                    log.add("pending \(requests.map(\.identifier))")
                    done.resume()
                }
            }
        }
        #expect(
            log.elements == [
                "added a", "added b", "pending [\"a\", \"b\"]", "pending [\"b\"]", "pending []",
            ]
        )
    }

    @Test("The centre may be called from many threads at once")
    func manyThreads() async {
        let stage = await LocalStage()
        await stage.app { center in
            await withTaskGroup { group in
                for number in 0..<50 {
                    group.addTask {
                        let content = UNMutableNotificationContent()
                        content.title = "\(number)"
                        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
                        let request = UNNotificationRequest(identifier: "\(number)", content: content, trigger: trigger)
                        try? await UNUserNotificationCenter.current().add(request)
                    }
                }
            }
        }
        #expect(Set(await stage.pending()) == Set((0..<50).map(String.init)))
    }

    @Test("Both spellings of each question have one answer")
    func bothSpellings() async throws {
        let stage = await LocalStage()
        try await stage.add("later", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
        try await stage.add("now", nil)
        let same = await stage.app { center in
            let settings = await withCheckedContinuation { next in
                center.getNotificationSettings { next.resume(returning: $0) }
            }
            let categories = await withCheckedContinuation { next in
                center.getNotificationCategories { next.resume(returning: $0) }
            }
            let pending = await withCheckedContinuation { next in
                center.getPendingNotificationRequests { next.resume(returning: $0) }
            }
            let delivered = await withCheckedContinuation { next in
                center.getDeliveredNotifications { next.resume(returning: $0) }
            }
            return [
                await center.notificationSettings() == settings,
                await center.notificationCategories() == categories && !categories.isEmpty,
                await center.pendingNotificationRequests() == pending && pending.map(\.identifier) == ["later"],
                await center.deliveredNotifications() == delivered && delivered.map(\.request.identifier) == ["now"],
            ]
        }
        #expect(same == [true, true, true, true])
    }

    // MARK: The delegate

    @Test("The delegate is held weakly")
    func weakDelegate() async {
        let stage = await LocalStage()
        await stage.app { center in
            var listener: Listener? = Listener()
            center.delegate = listener
            #expect(center.delegate === listener && listener != nil)
            listener = nil
            #expect(center.delegate == nil)
        }
    }

    @Test("A delegate that is set after the launch loses the response that launched the app")
    func lateDelegate() async throws {
        let phone = await TestPhone().opening { LateApp() }
        await phone.terminate(.lab)
        let first = await phone.push(.alert, to: .lab)
        await phone.tap(first)
        let app = try phone.delegate(LateApp.self)
        #expect(app.responses.isEmpty)
        await phone.background(.lab)
        let second = await phone.push(.alert, to: .lab)
        await phone.tap(second)
        #expect(app.responses.count == 1)
    }

    @Test("deltachat2672_aDelegateSetAsynchronouslyLosesTheResponse", arguments: AsyncDelegateApp.Place.allCases)
    private func asyncDelegate(_ place: AsyncDelegateApp.Place) async throws {
        let phone = TestPhone()
        phone.install(.lab) {
            let app = AsyncDelegateApp()
            app.place = place
            return app
        }
        await phone.open(.lab)
        // Each time, whichever thread is faster.
        for round in 1...10 {
            await phone.terminate(.lab)
            await phone.tap(await phone.push(.alert, to: .lab))
            await phone.settle(within: usualLimit)
            let app = try phone.delegate(AsyncDelegateApp.self)
            #expect(app.responses.isEmpty, "round \(round)")
            await phone.background(.lab)
            await phone.tap(await phone.push(.alert, to: .lab))
            #expect(app.responses.count == 1, "round \(round)")
        }
    }

    @Test("A delegate that is set within the launch hears the response that launched the app")
    func delegateInTime() async throws {
        let phone = await TestPhone().opening { RecordingApp() }
        await phone.terminate(.lab)
        let push = await phone.push(.alert, to: .lab)
        await phone.tap(push)
        let app = try phone.delegate(RecordingApp.self)
        #expect(app.responses.map(\.actionIdentifier) == [UNNotificationDefaultActionIdentifier])
    }

    // MARK: Categories

    @Test("Setting categories replaces them all; they outlive the process; an unknown one has no buttons")
    func categories() async {
        let stage = await LocalStage()
        let action = UNNotificationAction(identifier: "ok", title: "OK")
        await stage.app { center in
            center.setNotificationCategories([
                UNNotificationCategory(identifier: "old", actions: [action], intentIdentifiers: [])
            ])
            center.setNotificationCategories([
                UNNotificationCategory(identifier: "new", actions: [action], intentIdentifiers: [])
            ])
        }
        await stage.phone.terminate(.lab)
        let expected = ["new": ["ok"], "old": [], "never": []]
        for (category, buttons) in expected {
            let push = await stage.phone.push(.texted(["category": .string(category)]), to: .lab)
            #expect(stage.phone.device.longPress(push).map(\.identifier) == buttons)
            #expect(stage.phone.journeys.kinds(of: push).contains(.presented(.banner)))
        }
    }

    // MARK: Pending

    @Test("The 65th request is not pending if it is the last to fire; a sooner one takes the place of the last")
    func sixtyFive() async throws {
        let stage = await LocalStage()
        for number in 1...64 {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Double(100 + number), repeats: false)
            try await stage.add("\(number)", trigger)
        }
        try await stage.add("last", UNTimeIntervalNotificationTrigger(timeInterval: 1000, repeats: false))
        #expect(await stage.pending() == (1...64).map(String.init))
        try await stage.add("first", UNTimeIntervalNotificationTrigger(timeInterval: 1, repeats: false))
        #expect(await stage.pending() == ["first"] + (1...63).map(String.init))
    }

    @Test("Replacing one of 64 drops none, and each app has 64 of its own")
    func replacingAtTheLimit() async throws {
        let stage = await LocalStage()
        let other = InstalledApp(bundleID: "com.example.other")
        stage.phone.install(other) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await stage.phone.open(other)
        for number in 1...64 {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Double(number), repeats: false)
            try await stage.add("\(number)", trigger)
            let request = UNNotificationRequest(identifier: "\(number)", content: stage.content(), trigger: trigger)
            try await stage.phone.device.inside(other.bundleID) {
                try await UNUserNotificationCenter.current().add(request)
            }
        }
        try await stage.add("64", UNTimeIntervalNotificationTrigger(timeInterval: 1000, repeats: false))
        #expect(await stage.pending() == (1...64).map(String.init))
        #expect(stage.phone.device.pendingRequests(of: other.bundleID).count == 64)
    }

    @Test("Requests for a place do not count among the 64")
    func placesDoNotCount() async throws {
        let stage = await LocalStage()
        for number in 1...3 {
            let center = CLLocationCoordinate2D(latitude: Double(number), longitude: 0)
            let region = CLCircularRegion(center: center, radius: 100, identifier: "\(number)")
            try await stage.add("place \(number)", UNLocationNotificationTrigger(region: region, repeats: false))
        }
        for number in 1...64 {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Double(number), repeats: false)
            try await stage.add("\(number)", trigger)
        }
        #expect(await stage.pending().count == 67)
    }

    @Test("Pending requests are listed by the moment at which they fire, then as they were added")
    func pendingOrder() async throws {
        let stage = await LocalStage()
        for (name, seconds) in [("c", 30.0), ("a", 10), ("d", 30), ("b", 20)] {
            try await stage.add(name, UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false))
        }
        #expect(await stage.pending() == ["a", "b", "c", "d"])
    }

    @Test("A repeating request stays pending after each delivery, one that does not repeat leaves")
    func staysPending() async throws {
        let stage = await LocalStage()
        try await stage.add("once", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
        try await stage.add("again", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
        await stage.phone.advance(by: .seconds(130))
        #expect(await stage.pending() == ["again"])
        #expect(stage.firings("again").count == 2 && stage.firings("once").count == 1)
    }

    @Test("expo19736_withoutPermissionPendingRequestsAreNeitherListedNorRemoved", arguments: [10, 17])
    func pendingWithoutPermission(_ version: Int) async throws {
        let stage = await LocalStage(.iOS(version))
        for name in ["a", "b", "c"] {
            try await stage.add(name, UNTimeIntervalNotificationTrigger(timeInterval: 3_600, repeats: true))
        }
        await stage.phone.perform { $0.setNotifications(of: lab, allowed: false) }
        #expect(await stage.pending() == [])
        await stage.app { $0.removePendingNotificationRequests(withIdentifiers: ["a"]) }
        await stage.app { $0.removeAllPendingNotificationRequests() }
        await stage.app { _ in UIApplication.shared.cancelAllLocalNotifications() }
        await stage.phone.settle(within: usualLimit)
        // notifee #544: a request with a known identifier replaces nothing.
        let changed = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        #expect(await errorCode { try await stage.add("a", changed) } == .notificationsNotAllowed)
        await stage.phone.perform { $0.setNotifications(of: lab, allowed: true) }
        #expect(await stage.pending() == ["a", "b", "c"])
        await stage.phone.advance(by: .seconds(120))
        #expect(stage.firings("a").isEmpty)
        await stage.app { $0.removePendingNotificationRequests(withIdentifiers: ["a"]) }
        #expect(await stage.pending() == ["b", "c"])
    }

    // MARK: Delivered

    @Test("The delivered ones come newest first")
    func deliveredOrder() async throws {
        let stage = await LocalStage()
        await stage.background()
        for name in ["a", "b", "c"] {
            try await stage.add(name, nil)
            await stage.phone.advance(by: .seconds(1))
        }
        #expect(await stage.delivered() == ["c", "b", "a"])
    }

    @Test("A notification that was only a banner, or was removed, tapped or acted on, is not among the delivered ones")
    func notDelivered() async throws {
        let stage = await LocalStage()
        let app = try stage.phone.delegate(CompleteMatrixApp.self)
        app.plan.options = [.banner]
        try await stage.add("banner", nil)
        #expect(await stage.delivered() == [])
        app.plan.options = [.list]
        try await stage.add("listed", nil)
        #expect(await stage.delivered() == ["listed"])
        await stage.background()
        let content = stage.content()
        content.categoryIdentifier = "quiet"
        for name in ["tapped", "acted", "removed", "dismissed"] { try await stage.add(name, nil, content: content) }
        #expect(await stage.delivered().count == 5)
        #expect(await stage.phone.choose("later", on: stage.id("acted")) == .done)
        #expect(await stage.phone.dismiss(stage.id("dismissed")))
        #expect(await stage.phone.tap(stage.id("tapped")))
        await stage.app { $0.removeDeliveredNotifications(withIdentifiers: ["removed", "unknown"]) }
        #expect(await stage.delivered() == ["listed"])
    }

    @Test(
        "A notification delivered by a location trigger can be removed and not be read back, unless the device is told otherwise"
    )
    func deliveredByPlace() async throws {
        let stage = await LocalStage()
        stage.phone.device.setLocationAccess(of: lab, allowed: true)
        await stage.phone.perform { $0.move(to: Coordinate(latitude: 0, longitude: 0)) }
        let center = CLLocationCoordinate2D(latitude: 1, longitude: 0)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "r")
        try await stage.add("place", UNLocationNotificationTrigger(region: region, repeats: false))
        await stage.background()
        await stage.phone.perform { $0.move(to: Coordinate(latitude: 1, longitude: 0)) }
        #expect(stage.list == ["place"])
        #expect(await stage.delivered() == [])
        stage.phone.device.setReadsBackLocationDeliveries(true)
        #expect(await stage.delivered() == ["place"])
        await stage.app { $0.removeDeliveredNotifications(withIdentifiers: ["place"]) }
        #expect(stage.list == [])
    }

    // MARK: Opening the app

    @Test("R1: opening a running app clears its delivered ones where the switch is on, never its pending ones")
    func activation() async throws {
        for clears in [true, false] {
            let stage = await LocalStage()
            stage.phone.device.setClearsDeliveredOnActivation(clears)
            await stage.background()
            try await stage.add("now", nil)
            try await stage.add("later", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
            await stage.phone.open(.lab)
            #expect(stage.list == (clears ? [] : ["now"]))
            #expect(await stage.pending() == ["later"])
        }
    }

    @Test("R1: a cold start keeps the list")
    func coldStart() async throws {
        let stage = await LocalStage(.iOS(10))
        await stage.background()
        try await stage.add("now", nil)
        await stage.phone.terminate(.lab)
        await stage.phone.open(.lab)
        #expect(stage.list == ["now"])
    }
}
