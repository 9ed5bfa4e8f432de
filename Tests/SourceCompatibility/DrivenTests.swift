import CoreLocation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import TestSupport
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.app")

@Suite("App sources, driven")
@MainActor
struct DrivenTests {
    private func phone(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async -> TestPhone {
        let phone = TestPhone(.iOS(17))
        phone.install(app, serviceExtension: { NotificationService() }, delegate: delegate)
        await phone.open(app)
        return phone
    }

    private func alert(_ more: JSONObject = [:], _ info: JSONObject = [:]) -> JSONValue {
        var aps: JSONObject = ["alert": ["title": "Ann", "body": "Hi"]]
        for member in more.members { aps[member.key] = member.value }
        var payload: JSONObject = ["aps": .object(aps), "from": "Ann"]
        for member in info.members { payload[member.key] = member.value }
        return .object(payload)
    }

    @Test("A manager in the completion style schedules, lists and cancels")
    func manager() async {
        let phone = await phone { CurrentApp() }
        await phone.device.inside(app.bundleID) {
            ReminderManager.shared.remindWeekly("monday", weekday: 2, hour: 8, text: "Plan")
        }
        #expect(phone.device.pendingRequests(of: app.bundleID).map(\.identifier) == ["monday"])
        await phone.background(app)
        await phone.advance(by: .seconds(7 * 86_400))
        #expect(phone.device.screen.list.map(\.body) == ["Plan"])
        #expect(phone.device.screen.badges[app.bundleID] == 1)
        let names = await phone.device.inside(app.bundleID) {
            await withCheckedContinuation { continuation in
                ReminderManager.shared.list { continuation.resume(returning: $0) }
            }
        }
        #expect(names == ["monday"])
        await phone.device.inside(app.bundleID) { ReminderManager.shared.cancel(["monday"]) }
        #expect(phone.device.pendingRequests(of: app.bundleID).isEmpty)
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("Async reminders are scheduled, dated and cleared; errors are caught by name")
    func asyncStyle() async throws {
        let phone = await phone { CurrentApp() }
        let dates = try await phone.device.inside(app.bundleID) {
            let reminders = AsyncReminders()
            _ = try await reminders.schedule(in: 60, title: "Tea")
            return await reminders.nextDates()
        }
        #expect(dates == [phone.clock.date.addingTimeInterval(60)])
        await phone.device.inside(app.bundleID) { await AsyncReminders().clear() }
        #expect(phone.device.pendingRequests(of: app.bundleID).isEmpty)
        phone.device.setNotifications(of: app.bundleID, allowed: false)
        let text = await phone.device.inside(app.bundleID) {
            await AsyncReminders().describe {
                let request = UNNotificationRequest(
                    identifier: "a",
                    content: UNNotificationContent(),
                    trigger: nil
                )
                try await UNUserNotificationCenter.current().add(request)
            }
        }
        #expect(text == "not allowed")
    }

    @Test("A reply goes through an async delegate method to the app's actor")
    func chat() async throws {
        let phone = await phone { ChatApp() }
        await phone.background(app)
        let push = await phone.push(alert(["category": "CHAT"]), to: app)
        #expect(await phone.reply("Hello!", with: "REPLY", to: push) == .done)
        _ = await phone.journeys.first(of: push) { $0 == .replied(6) }
        let second = await phone.push(alert(["category": "CHAT"]), to: app)
        await phone.dismiss(second)
        let store = try #require(phone.device.delegate(of: app.bundleID, as: ChatApp.self)).chat.store
        try await eventually("both replies are sent") { await store.sent.count == 2 }
        #expect(await store.sent == ["Ann: Hello!", "Ann: (dismissed)"])
    }

    @Test("The service extension of the template changes the title and attaches a picture")
    func service() async {
        let phone = await phone { CurrentApp() }
        await phone.background(app)
        await phone.push(alert(["mutable-content": 1], ["picture": "cat.gif"]), to: app)
        #expect(phone.device.screen.list.map(\.title) == ["Ann [modified]"])
        #expect(
            phone.device.screen.list.first?.notification.content.attachments.map(\.type) == ["com.compuserve.gif"]
        )
    }

    @Test("Code behind a mirror protocol reaches the device")
    func mirror() async {
        let phone = await phone { CurrentApp() }
        await phone.device.inside(app.bundleID) { WaterReminder().start() }
        #expect(phone.device.pendingRequests(of: app.bundleID).count == 5)
        await phone.background(app)
        await phone.advance(by: .seconds(86_400))
        #expect(phone.device.screen.list.count == 5)
    }

    @Test("A reminder at a place is opened")
    func geofence() async throws {
        let phone = await phone { GeofenceApp() }
        try await eventually("a request is pending") { !phone.device.pendingRequests(of: app.bundleID).isEmpty }
        await phone.setLocationAccess(of: app, to: .whenInUse)
        await phone.background(app)
        await phone.perform { $0.move(to: Coordinate(latitude: 48, longitude: 11)) }
        await phone.perform { $0.move(to: Coordinate(latitude: 48.1371, longitude: 11.5751)) }
        // The first place told that the device was outside, the second that it came in.
        #expect(phone.device.screen.list.map(\.title) == ["Market"])
        await phone.tap(phone.local("Market", of: app))
        #expect(phone.device.delegate(of: app.bundleID, as: GeofenceApp.self)?.opened == ["Market"])
    }

    @Test("A geofence singleton asks twice, watches, and is launched for an entry")
    func geofenceManager() async throws {
        let office = InstalledApp(bundleID: "com.example.office", info: Self.purposes)
        let phone = TestPhone(.iOS(17))
        await phone.move(to: Coordinate(latitude: 52.50, longitude: 13.405))
        phone.install(office) { OfficeApp() }
        await phone.open(office)
        #expect(phone.device.locationAccess(of: office.bundleID) == .always)
        #expect(phone.device.monitoredRegions(of: office.bundleID).map(\.identifier) == ["office"])
        await phone.terminate(office)
        await phone.move(to: Coordinate(latitude: 52.52, longitude: 13.405))
        #expect(GeofenceManager.shared.visits == ["office"])
        #expect(phone.device.screen.list.map(\.title) == ["Welcome to office"])
        #expect(phone.device.condition(of: office.bundleID) == .background)
        #expect(phone.device.delegate(of: office.bundleID, as: OfficeApp.self)?.launchedForLocation == true)
        await phone.move(to: Coordinate(latitude: 52.50, longitude: 13.405))
        #expect(GeofenceManager.shared.visits.count == 1)
        #expect(GeofenceManager.shared.problems.isEmpty)
    }

    private static let purposes: JSONObject = [
        "NSLocationWhenInUseUsageDescription": "To welcome you.",
        "NSLocationAlwaysAndWhenInUseUsageDescription": "To welcome you at any time.",
        "NSLocationAlwaysUsageDescription": "To welcome you at any time.",
    ]

    @Test("Swift 5 mode: a region monitor of 2016 hears of states and places")
    func regionMonitor() async {
        let market = InstalledApp(bundleID: "com.example.market", info: Self.purposes)
        let phone = TestPhone(.iOS(10))
        await phone.move(to: Coordinate(latitude: 48.137, longitude: 11.575))
        phone.install(market) { CurrentApp() }
        await phone.open(market)
        var events: [String] = []
        await phone.device.inside(market.bundleID) {
            RegionMonitor.sharedInstance.onEvent = { event in MainActor.assumeIsolated { events.append(event) } }
            RegionMonitor.sharedInstance.startMonitoring()
        }
        await phone.device.settled()
        #expect(events == ["status 3", "inside market"])
        await phone.move(to: Coordinate(latitude: 48.147, longitude: 11.575))
        #expect(events.suffix(2) == ["left market", "outside market"])
        #expect(RegionMonitor.sharedInstance.lastLocation?.coordinate.latitude == 48.147)
        await phone.move(to: Coordinate(latitude: 48.1471, longitude: 11.575))
        #expect(RegionMonitor.sharedInstance.lastLocation?.coordinate.latitude == 48.147)
        await phone.device.inside(market.bundleID) { RegionMonitor.sharedInstance.stop() }
        #expect(phone.device.monitoredRegions(of: market.bundleID).isEmpty)
        RegionMonitor.sharedInstance.onEvent = nil
    }

    @Test("A silent push syncs within a background task")
    func sync() async {
        let phone = await phone { SyncApp() }
        await phone.background(app)
        let push = await phone.push(["aps": ["content-available": 1]], to: app)
        #expect(phone.journeys.kinds(of: push).last == .finished(.newData))
        #expect(phone.device.delegate(of: app.bundleID, as: SyncApp.self)?.synced == 1)
    }

    @Test("Swift 5 mode: an app of 2017 gets a token, presents, and opens")
    func oldStyle() async throws {
        let phone = await phone { OldStyleApp() }
        try await eventually("the app has a token") { phone.device.token(of: app.bundleID) != nil }
        await phone.device.settled()
        #expect(phone.device.delegate(of: app.bundleID, as: OldStyleApp.self)?.token?.count == 64)
        let push = await phone.push(alert(), to: app)
        #expect(phone.journeys.kinds(of: push).contains(.presented(.banner)))
        await phone.tap(push)
        let payloads = phone.device.delegate(of: app.bundleID, as: OldStyleApp.self)?.payloads
        #expect(payloads?.compactMap { $0["from"] as? String } == ["Ann", "Ann"])
    }

    @Test("JPush today: it is heard, and its extension reports before the push is shown")
    func currentJPush() async {
        let phone = TestPhone(.iOS(17))
        phone.install(app, serviceExtension: { ReceiptService() }) { CurrentJPushApp() }
        await phone.open(app)
        let push = await phone.push(alert(["mutable-content": 1], ["_j_msgid": 7]), to: app)
        #expect(await phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        #expect(phone.device.screen.banner?.title == "Ann [reported]")
    }

    @Test("Swift 5 mode: JPush before 5.2, everything implicitly unwrapped")
    func oldJPush() async throws {
        let phone = await phone { OldJPushApp() }
        let push = await phone.push(alert(), to: app)
        #expect(await phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        await phone.tap(push)
        await phone.device.inside(app.bundleID) {}
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: OldJPushApp.self))
        #expect(delegate.shown == ["Hi"])
        #expect(delegate.opened == ["Hi"])
        try await eventually("the app is told the status") { !delegate.statuses.isEmpty }
        #expect(delegate.statuses == [2])
        await phone.device.inside(app.bundleID) { delegate.logOut() }
    }

    @Test("Swift 5 mode: JPush as its own sample writes it")
    func vendorJPush() async throws {
        let phone = await phone { VendorStyleApp() }
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: VendorStyleApp.self))
        await phone.device.inside(app.bundleID) {
            delegate.remind("tea", in: 60)
            delegate.remind("coffee", in: 600)
        }
        await phone.advance(by: .seconds(60))
        #expect(delegate.shown == ["tea"])
        await phone.device.inside(app.bundleID) { delegate.list() }
        try await eventually("requests are found") { !delegate.found.isEmpty }
        #expect(delegate.found == ["coffee"])
        await phone.device.inside(app.bundleID) { delegate.remove(nil) }
        #expect(phone.device.pendingRequests(of: app.bundleID).isEmpty)
    }

    @Test("Swift 5 mode: the bridge of a plugin, by raw names")
    func pluginBridge() async throws {
        let phone = await phone { CurrentApp() }
        let bridge = PluginBridge { _, _ in }
        let added = await phone.device.inside(app.bundleID) {
            await withCheckedContinuation { continuation in
                bridge.call("sendLocalNotification", ["id": 7, "title": "T", "content": "C", "fireTime": 60_000.0]) {
                    continuation.resume(returning: $0 as? Bool ?? false)
                }
            }
        }
        #expect(added == true)
        #expect(phone.device.pendingRequests(of: app.bundleID).map(\.identifier) == ["7"])
        let extras = PluginBridge.extras(of: ["aps": [:], "_j_msgid": 1, "_j_uid": 2, "_j_business": 1, "order": 42])
        #expect(extras.keys.sorted() == ["order"])
    }

    @Test("Swift 5 mode: JPush by branches for iOS 8", arguments: [9, 17])
    func branchingJPush(_ version: Int) async throws {
        let phone = TestPhone(.iOS(version))
        phone.install(app) { BranchingJPushApp() }
        await phone.open(app)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: BranchingJPushApp.self))
        await phone.push(alert(), to: app)
        #expect(delegate.reported == 1)
        let later = phone.clock.date.addingTimeInterval(60)
        let counts: [Int]? = await phone.device.inside(app.bundleID) {
            [delegate.remind("r", at: later) ? 1 : 0, delegate.reminders("r"), delegate.reminders("other")]
        }
        #expect(counts == [1, 1, 0])
        // Before iOS 10 the SDK shows it in the foreground as an alert.
        await phone.advance(by: .seconds(60))
        #expect(phone.alert?.message == (version < 10 ? "Reminder" : nil))
        if version < 10 { try await phone.tapAlertButton("OK") }
        #expect(phone.alert == nil)
    }

    @Test("Swift 5 mode: an app of 2015 without a delegate of the notification centre")
    func medicine() async throws {
        let phone = await phone { MedicineApp() }
        await phone.device.inside(app.bundleID) {
            for (place, medicine) in ["A", "B", "C", "D", "E"].enumerated() {
                MedicineApp.remind(of: medicine, in: TimeInterval(60 * (place + 1)))
            }
        }
        await phone.advance(by: .seconds(60))
        await phone.background(app)
        await phone.advance(by: .seconds(180))
        #expect(await phone.choose("TAKE", on: phone.local("B", of: app)) == .done)
        #expect(await phone.reply("half", with: "NOTE", to: phone.local("C", of: app)) == .done)
        await phone.tap(phone.local("D", of: app))
        let push = await phone.push(alert(["category": "DOSE"]), to: app)
        #expect(phone.device.screen.list.isEmpty)
        await phone.background(app)
        let next = await phone.push(alert(["category": "DOSE"]), to: app)
        #expect(await phone.choose("TAKE", on: next) == .done)
        #expect(phone.journeys.callbacks(of: push).isEmpty)
        let first = try #require(phone.device.delegate(of: app.bundleID, as: MedicineApp.self))
        #expect(first.shown == ["Time for A", "opened D"])
        #expect(first.taken == ["B"] && first.notes == ["half"] && first.doctor == ["Ann"])
        await phone.terminate(app)
        await phone.advance(by: .seconds(60))
        await phone.tap(phone.local("E", of: app))
        #expect(phone.device.delegate(of: app.bundleID, as: MedicineApp.self)?.shown == ["opened E"])
    }

    @Test("Swift 5 mode: a scheduler with a queue of its own")
    func scheduler() async {
        let phone = await phone { CurrentApp() }
        await phone.device.inside(app.bundleID) {
            await withCheckedContinuation { continuation in
                LocalScheduler.shared.scheduleDaily(hour: 7, minute: 30) { @Sendable _ in continuation.resume() }
            }
            await withCheckedContinuation { continuation in
                LocalScheduler.shared.refresh { @Sendable in continuation.resume() }
            }
        }
        #expect(LocalScheduler.shared.pendingCount == 1)
        let next = phone.device.nextFiring(of: "daily", in: app.bundleID)
        #expect(next == phone.clock.date.addingTimeInterval(23.5 * 3600))
    }

    @Test("A scene app opens the deep link of a push, cold and warm")
    func deepLink() async throws {
        let declared = InstalledApp(
            bundleID: "com.example.orders",
            info: [
                "UIApplicationSceneManifest": [
                    "UISceneConfigurations": [
                        "UIWindowSceneSessionRoleApplication": [
                            [
                                "UISceneConfigurationName": "Default Configuration",
                                "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).OrdersSceneDelegate",
                            ]
                        ]
                    ]
                ]
            ]
        )
        let phone = TestPhone(.iOS(17))
        phone.install(declared) { OrdersAppDelegate() }
        await phone.open(declared)
        await phone.forceQuit(declared)
        await phone.tap(await phone.push(alert([:], ["link": "shop://orders/41"]), to: declared))
        let scene = try #require(
            await phone.device.inside(declared.bundleID) {
                UIApplication.shared.connectedScenes.first?.delegate as? OrdersSceneDelegate
            } ?? nil
        )
        try await eventually("the first link is routed") { scene.router.calls >= 2 }
        #expect(scene.router.opened == ["41"])
        await phone.background(declared)
        await phone.tap(await phone.push(alert([:], ["link": "shop://orders/42"]), to: declared))
        try await eventually("the second link is routed") { scene.router.calls >= 3 }
        #expect(scene.router.opened == ["41", "42"])
        #expect(scene.window?.rootViewController?.title == "Order 42")
    }

    @Test("Links open an order in an app with scenes, cold and warm, and a delegate of Swift 5 hears of its own")
    func links() async throws {
        let shop = InstalledApp(
            bundleID: "com.example.shop",
            info: [
                "CFBundleURLTypes": [["CFBundleURLSchemes": ["shop"]]],
                "UIApplicationSceneManifest": [
                    "UISceneConfigurations": [
                        "UIWindowSceneSessionRoleApplication": [
                            [
                                "UISceneConfigurationName": "Default Configuration",
                                "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).OrdersSceneDelegate",
                            ]
                        ]
                    ]
                ],
            ]
        )
        let old = InstalledApp(
            bundleID: "com.example.old",
            info: ["CFBundleURLTypes": [["CFBundleURLSchemes": ["old"]]]]
        )
        let phone = TestPhone(.iOS(17))
        phone.install(shop) { OrdersAppDelegate() }
        phone.install(old) { OldStyleApp() }
        for text in ["shop://orders/41", "old://home", "shop://orders/42"] {
            let url = try #require(URL(string: text))
            #expect(await phone.perform { $0.openURL(url) })
        }
        let scene = await phone.device.inside(shop.bundleID) {
            UIApplication.shared.connectedScenes.first?.delegate as? OrdersSceneDelegate
        }
        #expect(scene??.router.opened == ["41", "42"])
        #expect(phone.device.delegate(of: old.bundleID, as: OldStyleApp.self)?.openedHost == "home")
    }

    @Test("A content extension plays its clip, changes its buttons, and opens the app")
    func mediaExtension() async throws {
        final class Made { var controller: MediaNotificationController? }
        let made = Made()
        let clip = try ContentExtension(
            info: [
                "NSExtension": [
                    "NSExtensionAttributes": [
                        "UNNotificationExtensionCategory": "clip",
                        "UNNotificationExtensionInitialContentSizeRatio": 1,
                    ]
                ]
            ]
        ) {
            let controller = MediaNotificationController()
            made.controller = controller
            return controller
        }
        let phone = TestPhone(.iOS(17))
        phone.install(app, contentExtensions: [clip]) { CurrentApp() }
        await phone.open(app)
        await phone.device.inside(app.bundleID) {
            let actions = ["like", "open"].map { UNNotificationAction(identifier: $0, title: $0) }
            let category = UNNotificationCategory(identifier: "clip", actions: actions, intentIdentifiers: [])
            UNUserNotificationCenter.current().setNotificationCategories([category])
        }
        await phone.background(app)
        let push = await phone.push(alert(["category": "clip"], ["clip": "cat.mp4", "autoplay": true]), to: app)
        await phone.perform { _ = $0.longPress(push) }
        let controller = try #require(made.controller)
        #expect(controller.clip == "cat.mp4" && phone.device.screen.expanded?.isPlaying == true)
        #expect(phone.device.screen.expanded?.content?.height == 120)
        #expect(await phone.perform { $0.pressPlayPause() })
        #expect(!controller.isPlaying && phone.device.screen.expanded?.isPlaying == false)
        #expect(await phone.choose("open", on: push) == .done)
        #expect(phone.device.screen.front == app.bundleID && phone.device.screen.expanded == nil)

        await phone.background(app)
        let second = await phone.push(alert(["category": "clip"]), to: app)
        await phone.perform { _ = $0.longPress(second) }
        #expect(await phone.choose("like", on: second) == .done)
        #expect(phone.device.screen.expanded?.actions.map(\.title) == ["Unlike"])
    }
}
