import CoreLocation
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

/// An app of before iOS 10 that keeps what it is told.
private final class EarlyApp: UIResponder, UIApplicationDelegate {
    var granted: [UIUserNotificationSettings] = []
    var received: [UILocalNotification] = []
    var tokens = 0

    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
        granted.append(notificationSettings)
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        received.append(notification)
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        tokens += 1
    }
}

/// A phone of a system of before iOS 10 with an app in front.
@MainActor
private struct EarlyPhone {
    let phone: TestPhone
    let app = InstalledApp(bundleID: "com.example.early", name: "Early")

    /// 10 March 2025, a Monday, at noon.
    static let monday = Date(timeIntervalSince1970: 1_741_608_000)

    init(_ major: Int, prompts: PromptPolicy = .allow, asks: Bool = true) async {
        phone = TestPhone(.iOS(major), prompts: prompts, clock: VirtualClock(date: Self.monday))
        phone.install(app) { EarlyApp() }
        await phone.open(app)
        guard asks, major >= 8 else { return }
        inside {
            $0.registerUserNotificationSettings(
                UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil)
            )
        }
        await phone.device.settled()
    }

    @discardableResult
    func inside<Value>(_ body: @MainActor (UIApplication) -> Value) -> Value? {
        phone.device.inside(app.bundleID) { body(UIApplication.shared) }
    }

    var delegate: EarlyApp? { phone.device.delegate(of: app.bundleID) }

    /// The moments at which something was listed, in seconds since Monday noon.
    var times: [Double] {
        phone.device.recentDeviceEvents.compactMap { deviceEvent in
            if case .listed = deviceEvent.kind { deviceEvent.date.timeIntervalSince(Self.monday) } else { nil }
        }
    }

    static func notification(_ body: String?, after seconds: Double? = 60) -> UILocalNotification {
        let notification = UILocalNotification()
        notification.alertBody = body
        notification.fireDate = seconds.map { monday.addingTimeInterval($0) }
        return notification
    }
}

@Suite("Notifications as apps of iOS 7 to 9 have them")
@MainActor
struct LegacyNotificationTests {
    // MARK: Permission

    @Test("The first call asks, each later one answers without a question")
    func settings() async throws {
        let early = await EarlyPhone(9, prompts: .ask, asks: false)
        let settings = UIUserNotificationSettings(types: [.alert, .sound], categories: nil)
        #expect(early.inside { $0.currentUserNotificationSettings?.types } == [])
        early.inside { $0.registerUserNotificationSettings(settings) }
        #expect(early.delegate?.granted.isEmpty == true)
        await early.phone.answerPrompt(true)
        #expect(early.delegate?.granted.map(\.types) == [[.alert, .sound]])
        early.inside { $0.registerUserNotificationSettings(settings) }
        await early.phone.device.settled()
        #expect(early.delegate?.granted.count == 2)
        #expect(early.phone.device.screen.prompt == nil)
        #expect(early.inside { $0.currentUserNotificationSettings?.types } == [.alert, .sound])
    }

    @Test("Calls that wait for one answer each have their kinds, and hear of them")
    func twice() async {
        let early = await EarlyPhone(9, prompts: .ask, asks: false)
        early.inside { application in
            application.registerUserNotificationSettings(UIUserNotificationSettings(types: .alert, categories: nil))
            application.registerUserNotificationSettings(
                UIUserNotificationSettings(types: [.badge, .sound], categories: nil)
            )
        }
        await early.phone.answerPrompt(true)
        #expect(early.delegate?.granted.map(\.types) == [[.alert, .badge, .sound], [.alert, .badge, .sound]])
    }

    @Test("Permission on trial is none to an app that asks as before iOS 10")
    func provisional() async {
        let early = await EarlyPhone(17, asks: false)
        _ = await early.phone.device.inside(early.app.bundleID) {
            try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .provisional])
        }
        #expect(early.inside { $0.currentUserNotificationSettings?.types } == [])
    }

    @Test("On iOS 7 neither showing nor clearing what is the app's own depends on what it may push")
    func seven() async {
        let early = await EarlyPhone(7, prompts: .deny)
        early.inside { $0.registerForRemoteNotifications(matching: .alert) }
        let notification = EarlyPhone.notification("tea")
        notification.applicationIconBadgeNumber = 1
        early.inside { $0.scheduleLocalNotification(notification) }
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(60))
        #expect(early.times == [60])
        #expect(early.phone.device.screen.badges == [early.app.bundleID: 1])
        early.inside { $0.applicationIconBadgeNumber = 0 }
        await early.phone.device.settled()
        #expect(early.phone.device.screen.badges.isEmpty)
    }

    @Test("Denied types are absent from the granted ones")
    func denied() async {
        let early = await EarlyPhone(8, prompts: .deny)
        #expect(early.delegate?.granted.map(\.types) == [[]])
        early.inside { $0.scheduleLocalNotification(EarlyPhone.notification("no")) }
        #expect(early.inside { $0.scheduledLocalNotifications } == [])
        let reasons = early.phone.journeys.subjects.flatMap { early.phone.journeys.kinds(of: $0.id) }
        #expect(reasons.contains(.suppressed(.permissionDenied)))
    }

    @Test("iOS 7 asks for kinds and a token in one call, later systems do neither", arguments: [7, 9])
    func types(_ major: Int) async {
        let early = await EarlyPhone(major, prompts: .ask, asks: false)
        early.inside { $0.registerForRemoteNotifications(matching: [.alert, .badge]) }
        #expect((early.phone.device.screen.prompt != nil) == (major == 7))
        if major == 7 { await early.phone.answerPrompt(true) }
        #expect(early.inside { $0.enabledRemoteNotificationTypes() } == (major == 7 ? [.alert, .badge] : []))
    }

    /// A use of a symbol, the version that it came with, and its name.
    private struct Use: Sendable, CustomTestStringConvertible {
        var since: Double
        var name: String
        var body: @MainActor @Sendable (UIApplication) -> Void

        init(_ since: Double, _ name: String, _ body: @escaping @MainActor @Sendable (UIApplication) -> Void) {
            self.since = since
            self.name = name
            self.body = body
        }

        var testDescription: String { name }
    }

    private nonisolated static let uses: [Use] = [
        Use(8, "-[UIApplication currentUserNotificationSettings]") { _ = $0.currentUserNotificationSettings },
        Use(8, "-[UIApplication registerForRemoteNotifications]") { $0.registerForRemoteNotifications() },
        Use(8, "-[UIApplication isRegisteredForRemoteNotifications]") { _ = $0.isRegisteredForRemoteNotifications },
        Use(8, "UIUserNotificationSettings") { _ in _ = UIUserNotificationSettings(types: [], categories: nil) },
        Use(8, "UIMutableUserNotificationAction") { _ in _ = UIMutableUserNotificationAction() },
        Use(8, "UIMutableUserNotificationCategory") { _ in _ = UIMutableUserNotificationCategory() },
        Use(8, "UIAlertController") { _ in _ = UIAlertController(title: "a", message: nil, preferredStyle: .alert) },
        Use(8, "-[UILocalNotification setRegion:]") { _ in
            UILocalNotification().region = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 1, longitude: 2),
                radius: 100,
                identifier: "r"
            )
        },
        Use(8, "-[UILocalNotification region]") { _ in _ = UILocalNotification().region },
        Use(8, "-[UILocalNotification setRegionTriggersOnce:]") { _ in
            UILocalNotification().regionTriggersOnce = false
        },
        Use(8, "-[UILocalNotification setCategory:]") { _ in UILocalNotification().category = "five" },
        Use(8.2, "-[UILocalNotification setAlertTitle:]") { _ in UILocalNotification().alertTitle = "title" },
        Use(8, "-[CLLocationManager requestWhenInUseAuthorization]") { _ in
            CLLocationManager().requestWhenInUseAuthorization()
        },
        Use(9, "-[CLLocationManager requestLocation]") { _ in CLLocationManager().requestLocation() },
        Use(9, "UIApplicationShortcutItem") { _ in _ = UIApplicationShortcutItem(type: "a", localizedTitle: "A") },
        Use(10, "UNUserNotificationCenter") { _ in _ = UNUserNotificationCenter.current() },
        Use(10, "UNMutableNotificationContent") { _ in _ = UNMutableNotificationContent() },
        Use(10, "UNTimeIntervalNotificationTrigger") { _ in
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        },
        Use(10, "UNCalendarNotificationTrigger") { _ in
            _ = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true)
        },
        Use(10, "UNNotificationAction") { _ in _ = UNNotificationAction(identifier: "a", title: "A") },
        Use(10, "UNNotificationCategory") { _ in
            _ = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
        },
        Use(10, "UNNotificationSound") { _ in _ = UNNotificationSound.default },
        Use(10, "UNNotificationAttachment") { _ in
            _ = try? UNNotificationAttachment(identifier: "a", url: URL(filePath: "/none.png"))
        },
        Use(10, "-[UIApplication openURL:options:completionHandler:]") { application in
            if let url = URL(string: "other:") { application.open(url) }
        },
    ]

    @Test("A symbol that a system does not have ends the app with its name", arguments: uses)
    private func missing(_ use: Use) async {
        for version in ["7.1.2", "8.1", "8.4", "9.3.5", "10.0", "17.0"] {
            let phone = TestPhone(SystemProfile(version: version))
            let app = InstalledApp(bundleID: "com.example.old", name: "Old")
            phone.install(app) { EarlyApp() }
            await phone.open(app)
            let raised = RaisedException.catching {
                phone.device.inside(app.bundleID) { use.body(UIApplication.shared) }
            }
            let major = Double(version.split(separator: ".").prefix(2).joined(separator: ".")) ?? 0
            // A later symbol of the same use may be missing too, such as the setter of a class.
            #expect((raised.first != nil) == (major < use.since), "\(version): \(raised)")
            guard let first = raised.first else { continue }
            #expect(first.reason.contains(use.name) && first.reason.contains("iOS \(version)"))
            #expect(first.name == (use.name.hasPrefix("-") ? "NSInvalidArgumentException" : "DYLD"))
        }
    }

    @Test("iOS 7 asks nobody for local notifications, iOS 8 does", arguments: [7, 8])
    func localWithoutPermission(_ major: Int) async {
        let early = await EarlyPhone(major, asks: false)
        early.inside { $0.scheduleLocalNotification(EarlyPhone.notification("tea")) }
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(60))
        #expect(early.times == (major == 7 ? [60] : []))
    }

    // MARK: Buttons

    private static func category(_ minimal: Int? = nil) -> UIUserNotificationCategory {
        let actions = (1...5).map { number in
            let action = UIMutableUserNotificationAction()
            action.identifier = "\(number)"
            action.title = "Button \(number)"
            action.activationMode = .background
            return action
        }
        actions[1].behavior = .textInput
        actions[1].parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]
        actions[2].activationMode = .foreground
        actions[2].isDestructive = true
        let category = UIMutableUserNotificationCategory()
        category.identifier = "five"
        category.setActions(actions, for: .default)
        if let minimal { category.setActions(Array(actions.suffix(minimal)), for: .minimal) }
        return category
    }

    @Test("seed0_239_buttonsForTheMinimalContextAlone", arguments: [8, 9, 10])
    func minimalAlone(_ major: Int) async throws {
        let early = await EarlyPhone(major)
        let action = UIMutableUserNotificationAction()
        action.identifier = "test2"
        action.title = "test"
        action.activationMode = .background
        action.isAuthenticationRequired = true
        let category = UIMutableUserNotificationCategory()
        category.identifier = "identifier"
        category.setActions([action], for: .minimal)
        let settings = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: [category])
        early.inside { $0.registerUserNotificationSettings(settings) }
        await early.phone.background(early.app)
        let payload: JSONValue = ["aps": ["alert": "hi", "category": "identifier"]]
        let device = early.phone.device
        let first = await early.phone.push(payload, to: early.app)
        #expect(device.screen.banner?.id == first)
        #expect(device.compactButtons(of: first).map(\.identifier) == ["test2"])
        #expect(device.longPress(first).map(\.title) == ["test"])
        // In the notification centre, without a banner.
        await early.phone.advance(by: .seconds(10))
        #expect(device.compactButtons(of: first).map(\.identifier) == ["test2"])
        #expect(await early.phone.choose("test2", on: first) == .done)
        await early.phone.perform { $0.lock() }
        let second = await early.phone.push(payload, to: early.app)
        #expect(device.longPress(second).map(\.identifier) == ["test2"])
        #expect(await early.phone.choose("test2", on: second) == .waitsForUnlock)
    }

    @Test("An alert shows the default context, the notification centre the minimal one")
    func alertStyle() async throws {
        let early = await EarlyPhone(9)
        let settings = UIUserNotificationSettings(types: .alert, categories: [Self.category(2)])
        early.inside { $0.registerUserNotificationSettings(settings) }
        await early.phone.background(early.app)
        let device = early.phone.device
        device.changeSettings(of: early.app.bundleID) { $0.hasPersistentBanners = true }
        let payload: JSONValue = ["aps": ["alert": "hi", "category": "five"]]
        let shown = await early.phone.push(payload, to: early.app)
        #expect(device.compactButtons(of: shown).map(\.identifier) == ["1", "2", "3", "4"])
        await early.phone.push(payload, to: early.app)
        #expect(device.compactButtons(of: shown).map(\.identifier) == ["4", "5"])
    }

    @Test(
        "Four buttons where there is room, two on a banner: the first, or those that the app named",
        arguments: [nil, 2]
    )
    func buttons(_ minimal: Int?) async throws {
        let early = await EarlyPhone(9)
        let category = Self.category(minimal)
        let settings = UIUserNotificationSettings(types: .alert, categories: [category])
        early.inside { $0.registerUserNotificationSettings(settings) }
        await early.phone.background(early.app)
        let push = await early.phone.push(["aps": ["alert": "hi", "category": "five"]], to: early.app)
        #expect(early.phone.device.longPress(push).map(\.identifier) == ["1", "2", "3", "4"])
        let banner = try #require(early.phone.device.screen.banner ?? early.phone.device.screen.list.first)
        #expect(banner.id == push)
        let compact = early.phone.device.compactButtons(of: push).map(\.identifier)
        #expect(compact == (minimal == nil ? ["1", "2"] : ["4", "5"]))
        let back = early.inside { $0.currentUserNotificationSettings?.categories?.first }
        #expect(back??.actions(for: .default)?.count == 5)
        #expect(back??.actions(for: .minimal)?.map(\.identifier) == (minimal == nil ? ["1", "2"] : ["4", "5"]))
        #expect(back??.actions(for: .default)?[1].behavior == .textInput)
        #expect(
            back??.actions(for: .default)?[1].parameters as? [String: String] == [
                "UIUserNotificationActionTextInputButtonTitle": "Send"
            ]
        )
        #expect(back??.actions(for: .default)?[2].isAuthenticationRequired == true)
    }

    @Test("iOS 7 shows no buttons, and on iOS 8 none asks for text", arguments: [7, 8, 9])
    func generations(_ major: Int) async {
        let early = await EarlyPhone(major, asks: false)
        if major == 7 {
            early.inside { $0.registerForRemoteNotifications(matching: .alert) }
        } else {
            let settings = UIUserNotificationSettings(types: .alert, categories: [Self.category()])
            early.inside { $0.registerUserNotificationSettings(settings) }
        }
        await early.phone.background(early.app)
        let push = await early.phone.push(["aps": ["alert": "hi", "category": "five"]], to: early.app)
        let buttons = early.phone.device.longPress(push)
        #expect(buttons.count == (major == 7 ? 0 : 4))
        #expect(buttons.contains { $0.textInput != nil } == (major == 9))
    }

    // MARK: Local notifications

    @Test("One waits, says all that was said, comes in its time, and is handed on at a tap")
    func schedule() async throws {
        let early = await EarlyPhone(9)
        let notification = EarlyPhone.notification("tea")
        notification.alertTitle = "Now"
        notification.alertAction = "drink"
        notification.hasAction = false
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.applicationIconBadgeNumber = 3
        notification.userInfo = ["id": 7]
        notification.timeZone = .gmt
        early.inside { $0.scheduleLocalNotification(notification) }
        notification.alertBody = "changed later"
        let waiting = try #require(early.inside { $0.scheduledLocalNotifications }??.first)
        #expect(waiting.alertBody == "tea")
        #expect(waiting.alertAction == "drink")
        #expect(!waiting.hasAction)
        #expect(waiting.userInfo?["id"] as? Int == 7)
        let description = early.inside { _ in waiting.description } ?? ""
        #expect(description.contains("next fire date = 2025-03-10T12:01:00Z"))
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(60))
        let shown = try #require(early.phone.device.screen.list.first)
        #expect(shown.title == "Now")
        #expect(early.phone.device.screen.badges == [early.app.bundleID: 3])
        #expect(await early.phone.tap(shown.id))
        #expect(early.delegate?.received == [waiting])
    }

    @Test("In front the app is told and nothing is shown, also of one that has nothing to show")
    func foreground() async {
        let early = await EarlyPhone(9)
        early.inside { $0.scheduleLocalNotification(EarlyPhone.notification(nil)) }
        await early.phone.advance(by: .seconds(60))
        #expect(early.delegate?.received.count == 1)
        #expect(early.phone.device.screen.list.isEmpty)
    }

    @Test("A date that has passed is now, and so is no date; one that repeats waits for its next time")
    func past() async {
        let early = await EarlyPhone(9)
        let daily = EarlyPhone.notification("daily", after: -60)
        daily.repeatInterval = .day
        early.inside { application in
            application.scheduleLocalNotification(EarlyPhone.notification("late", after: -60))
            application.scheduleLocalNotification(EarlyPhone.notification("dateless", after: nil))
            application.presentLocalNotificationNow(EarlyPhone.notification("now", after: 3600))
            application.scheduleLocalNotification(daily)
        }
        await early.phone.device.settled()
        #expect(early.delegate?.received.map(\.alertBody) == ["late", "dateless", "now"])
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(2 * 86_400))
        #expect(early.times == [86_340, 2 * 86_400 - 60])
    }

    struct Interval: CustomStringConvertible, Sendable {
        var unit: NSCalendar.Unit
        /// In days.
        var after: [Double]

        var description: String { "\(unit.rawValue)" }
    }

    private nonisolated static let intervals: [Interval] = [
        Interval(unit: .minute, after: [1.0 / 1440, 2.0 / 1440]), Interval(unit: .hour, after: [1.0 / 24, 2.0 / 24]),
        Interval(unit: .day, after: [1, 2]), Interval(unit: .weekday, after: [1, 2]),
        Interval(unit: .weekOfYear, after: [7, 14]), Interval(unit: .weekdayOrdinal, after: [7, 14]),
        Interval(unit: .month, after: [31, 61]), Interval(unit: .quarter, after: [92, 184]),
        Interval(unit: .year, after: [365, 730]), Interval(unit: .second, after: []), Interval(unit: [], after: []),
    ]

    @Test("An interval is one unit of the calendar, from the first date on", arguments: intervals)
    func interval(_ interval: Interval) {
        let first = EarlyPhone.monday.addingTimeInterval(60)
        let rule = FireDate(first, repeatInterval: interval.unit.rawValue)
        var found: [Double] = []
        var last = EarlyPhone.monday
        while found.count < 3, let next = TriggerDates.next(of: .fireDate(rule), after: last, in: .gmt) {
            found.append(next.timeIntervalSince(first).rounded())
            last = next
        }
        #expect(found == [0] + interval.after.map { ($0 * 86_400).rounded() })
        #expect(rule.repeats == !interval.after.isEmpty)
    }

    @Test("The 31st comes again after a February, and noon stays noon when clocks change")
    func calendar() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        func dates(from first: DateComponents, every unit: NSCalendar.Unit, count: Int) throws -> [String] {
            let start = try #require(calendar.date(from: first))
            let rule = FireDate(start, repeatInterval: unit.rawValue)
            var last = start
            return (0..<count).compactMap { _ in
                guard let next = TriggerDates.next(of: .fireDate(rule), after: last, in: zone) else { return nil }
                last = next
                let parts = calendar.dateComponents([.month, .day, .hour], from: next)
                return "\(parts.month ?? 0)-\(parts.day ?? 0) \(parts.hour ?? 0)"
            }
        }
        #expect(
            try dates(from: DateComponents(year: 2025, month: 1, day: 31, hour: 9), every: .month, count: 3) == [
                "2-28 9", "3-31 9", "4-30 9",
            ]
        )
        let spring = DateComponents(year: 2025, month: 3, day: 29, hour: 12)
        #expect(try dates(from: spring, every: .day, count: 2) == ["3-30 12", "3-31 12"])
    }

    @Test("With a zone the date is a time on the wall, wherever the device is; without one an instant")
    func zones() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let noon = EarlyPhone.monday.addingTimeInterval(3600)
        let before = EarlyPhone.monday.addingTimeInterval(-86_400)
        let wall = TriggerDates.next(of: .fireDate(FireDate(noon, timeZone: berlin)), after: before, in: tokyo)
        // 14:00 in Berlin is 13:00 UTC; 14:00 in Tokyo comes eight hours before.
        #expect(wall == noon.addingTimeInterval(-8 * 3600))
        #expect(TriggerDates.next(of: .fireDate(FireDate(noon)), after: before, in: tokyo) == noon)
    }

    @Test("A date long ago is found at once, and one that no calendar knows has passed")
    func farDates() throws {
        let old = FireDate(Date(timeIntervalSince1970: -62_135_568_000), repeatInterval: NSCalendar.Unit.day.rawValue)
        let next = try #require(TriggerDates.next(of: .fireDate(old), after: EarlyPhone.monday, in: .gmt))
        #expect((0...86_400).contains(next.timeIntervalSince(EarlyPhone.monday)))
        for seconds in [Double.infinity, -.infinity, .nan, 1e30] {
            let rule = FireDate(
                Date(timeIntervalSinceReferenceDate: seconds),
                repeatInterval: NSCalendar.Unit.day.rawValue
            )
            #expect(TriggerDates.next(of: .fireDate(rule), after: EarlyPhone.monday, in: .gmt) == nil)
        }
    }

    @Test("A date and a place together raise an exception; a title without a body shows nothing")
    func odd() async {
        let early = await EarlyPhone(9)
        let both = EarlyPhone.notification("both")
        let center = CLLocationCoordinate2D(latitude: 10, longitude: 10)
        both.region = CLCircularRegion(center: center, radius: 200, identifier: "r")
        let raised = RaisedException.catching { early.inside { $0.scheduleLocalNotification(both) } }
        #expect(raised.map(\.name) == ["NSInvalidArgumentException"])
        let untold = EarlyPhone.notification(nil)
        untold.alertTitle = "Title"
        early.inside { $0.scheduleLocalNotification(untold) }
        #expect(early.inside { $0.scheduledLocalNotifications?.map(\.alertTitle) } == ["Title"])
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(60))
        #expect(early.times.isEmpty)
    }

    @Test("A notification of the notification centre is removed by its entry in the list")
    func cancelForeign() async {
        let early = await EarlyPhone(17)
        await early.phone.device.inside(early.app.bundleID) {
            let content = UNMutableNotificationContent()
            content.title = "centre"
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            let request = UNNotificationRequest(identifier: "r", content: content, trigger: trigger)
            try? await UNUserNotificationCenter.current().add(request)
        }
        early.inside { application in
            for waiting in application.scheduledLocalNotifications ?? [] {
                application.cancelLocalNotification(waiting)
            }
        }
        #expect(early.inside { $0.scheduledLocalNotifications } == [])
    }

    @Test("Equal ones are taken away, waiting or shown")
    func cancel() async throws {
        let early = await EarlyPhone(9)
        let tea = EarlyPhone.notification("tea")
        let cake = EarlyPhone.notification("cake", after: 120)
        early.inside { application in
            application.scheduleLocalNotification(tea)
            application.scheduleLocalNotification(cake)
            application.cancelLocalNotification(EarlyPhone.notification("cake", after: 120))
        }
        #expect(early.inside { $0.scheduledLocalNotifications?.map(\.alertBody) } == ["tea"])
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(60))
        #expect(early.phone.device.screen.list.count == 1)
        early.inside { $0.cancelLocalNotification(tea) }
        await early.phone.device.settled()
        #expect(early.phone.device.screen.list.isEmpty)
    }

    @Test("All are taken away; before iOS 10 also what was delivered", arguments: [9, 17])
    func cancelAll(_ major: Int) async {
        let early = await EarlyPhone(major)
        early.inside { application in
            application.scheduleLocalNotification(EarlyPhone.notification("tea"))
            application.scheduleLocalNotification(EarlyPhone.notification("cake", after: 120))
        }
        await early.phone.background(early.app)
        await early.phone.advance(by: .seconds(60))
        early.inside { $0.cancelAllLocalNotifications() }
        await early.phone.device.settled()
        #expect(early.inside { $0.scheduledLocalNotifications } == [])
        #expect(early.phone.device.screen.list.count == (major == 9 ? 0 : 1))
    }

    @Test("Setting the list takes the place of all; the soonest 64 stay")
    func list() async {
        let early = await EarlyPhone(9)
        early.inside { $0.scheduleLocalNotification(EarlyPhone.notification("old")) }
        early.inside { application in
            application.scheduledLocalNotifications = (1...70).map {
                EarlyPhone.notification("\($0)", after: Double($0) * 60)
            }
        }
        let waiting = early.inside { $0.scheduledLocalNotifications ?? [] } ?? []
        #expect(waiting.map(\.alertBody) == (1...64).map { "\($0)" })
    }

    @Test("At a border once, or each time", arguments: [true, false])
    func region(once: Bool) async {
        let early = await EarlyPhone(9)
        await early.phone.setLocationAccess(of: early.app, to: .always)
        await early.phone.move(to: Coordinate(latitude: 0, longitude: 0))
        let notification = EarlyPhone.notification("there", after: nil)
        notification.region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 10, longitude: 10),
            radius: 200,
            identifier: "r"
        )
        notification.region?.notifyOnExit = false
        notification.regionTriggersOnce = once
        early.inside { $0.scheduleLocalNotification(notification) }
        await early.phone.background(early.app)
        for _ in 0..<2 {
            await early.phone.move(to: Coordinate(latitude: 10, longitude: 10))
            await early.phone.move(to: Coordinate(latitude: 0, longitude: 0))
        }
        #expect(early.times.count == (once ? 1 : 2))
    }

    @Test("Pending notifications outlive the process, and are in the list of the notification centre since iOS 10")
    func kept() async throws {
        let early = await EarlyPhone(17)
        early.inside { $0.scheduleLocalNotification(EarlyPhone.notification("tea")) }
        await early.phone.background(early.app)
        await early.phone.terminate(early.app)
        await early.phone.open(early.app)
        #expect(early.inside { $0.scheduledLocalNotifications?.map(\.alertBody) } == ["tea"])
        let requests = await early.phone.device.inside(early.app.bundleID) {
            await UNUserNotificationCenter.current().pendingNotificationRequests().map(\.content.body)
        }
        #expect(requests == ["tea"])
    }

    // MARK: What the old systems do not know

    @Test("Before iOS 10 no extension runs")
    func noCentre() async {
        let phone = TestPhone(.iOS(9))
        let app = InstalledApp(bundleID: "com.example.new", name: "New")
        phone.install(app, serviceExtension: { UNNotificationServiceExtension() }) { PlainApp() }
        await phone.open(app)
        let push = await phone.push(["aps": ["alert": "hi", "mutable-content": 1]], to: app)
        #expect(
            phone.journeys.callbacks(of: push) == [
                "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)@active"
            ]
        )
    }
}
