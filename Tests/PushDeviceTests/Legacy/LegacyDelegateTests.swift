import CoreLocation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let withInfo = "withResponseInfo:completionHandler:)"
private let local = "application(_:handleActionWithIdentifier:for:"
private let remote = "application(_:handleActionWithIdentifier:forRemoteNotification:"
private let didReceive = "application(_:didReceive:)"

/// An app without a delegate of the notification centre, with what iOS 4 to 7 had.
private final class OldApp: UIResponder, UIApplicationDelegate {
    var received: [UILocalNotification] = []
    var launchOptions: [UIApplication.LaunchOptionsKey: Any]?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.launchOptions = launchOptions
        let actions = [
            UNNotificationAction(identifier: "later", title: "Later"),
            UNNotificationAction(identifier: "show", title: "Show", options: .foreground),
            UNTextInputNotificationAction(identifier: "answer", title: "Answer", options: []),
        ]
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(
                identifier: "c",
                actions: actions,
                intentIdentifiers: [],
                options: .customDismissAction
            )
        ])
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        return true
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        received.append(notification)
    }
}

/// The buttons of iOS 8.
private final class EightApp: UIResponder, UIApplicationDelegate {
    var acts: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        OldApp().application(application, didFinishLaunchingWithOptions: launchOptions)
    }

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping () -> Void
    ) {
        acts.append("\(identifier ?? "") \(notification.alertTitle ?? "")")
        completionHandler()
    }

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        acts.append("\(identifier ?? "") \(userInfo["from"] as? String ?? "")")
        completionHandler()
    }
}

/// The buttons of iOS 9, and those of iOS 8 beside them.
private final class NineApp: UIResponder, UIApplicationDelegate {
    var infos: [[AnyHashable: Any]] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        OldApp().application(application, didFinishLaunchingWithOptions: launchOptions)
    }

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        infos.append(responseInfo)
        completionHandler()
    }

    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        infos.append(responseInfo)
        completionHandler()
    }
}

@Suite("An app without a delegate of the notification centre")
@MainActor
struct LegacyDelegateTests {
    private let push: JSONValue = ["aps": ["alert": "Hi", "category": "c"], "from": "Ann"]

    private func phone(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async -> TestPhone {
        let phone = TestPhone()
        phone.install(.lab, delegate: delegate)
        await phone.open(.lab)
        return phone
    }

    /// Adds a request of the app's that is due in a minute.
    private func add(_ identifier: String, on phone: TestPhone, _ trigger: UNNotificationTrigger? = nil) async throws {
        let content = UNMutableNotificationContent()
        content.title = identifier
        content.categoryIdentifier = "c"
        let trigger = trigger ?? UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        try await phone.device.inside(InstalledApp.lab.bundleID) {
            try await UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
            )
        }
    }

    @Test("A tap that launches the app comes in the launch options alone; the next one by the method")
    func coldTap() async throws {
        let phone = await phone { OldApp() }
        try await add("a", on: phone)
        try await add("b", on: phone)
        await phone.terminate(.lab)
        await phone.advance(by: .seconds(60))
        await phone.tap(phone.local("a", of: .lab))
        let app = try phone.delegate(OldApp.self)
        let found = app.launchOptions?[.localNotification] as? UILocalNotification
        #expect(found?.alertTitle == "a")
        #expect(app.launchOptions?[.remoteNotification] == nil)
        #expect(app.received.isEmpty)
        await phone.tap(phone.local("b", of: .lab))
        #expect(app.received.map(\.alertTitle) == ["b"])
    }

    @Test("In front it hears of a local notification, of whose banner there is none, and why")
    func front() async throws {
        let phone = await phone { OldApp() }
        try await add("a", on: phone)
        await phone.advance(by: .seconds(60))
        let id = phone.local("a", of: .lab)
        #expect(phone.journeys.callbacks(of: id) == ["\(didReceive)@active"])
        #expect(phone.journeys.kinds(of: id).last == .suppressed(.foreground))
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("The buttons of iOS 8 are called where there are no others")
    func iOS8() async throws {
        let phone = await phone { EightApp() }
        try await add("a", on: phone)
        await phone.background(.lab)
        let pushed = await phone.push(push, to: .lab)
        #expect(await phone.choose("later", on: pushed) == .done)
        #expect(phone.journeys.callbacks(of: pushed) == ["\(remote)completionHandler:)@background"])
        await phone.advance(by: .seconds(60))
        let id = phone.local("a", of: .lab)
        #expect(await phone.choose("show", on: id) == .done)
        #expect(phone.journeys.callbacks(of: id) == ["\(local)completionHandler:)@inactive"])
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: EightApp.self)
        #expect(app?.acts == ["later Ann", "show a"])
    }

    @Test("Methods of iOS 9 come first, with what the user wrote")
    func iOS9() async throws {
        let phone = await phone { NineApp() }
        try await add("a", on: phone)
        try await add("b", on: phone)
        await phone.background(.lab)
        let pushed = await phone.push(push, to: .lab)
        #expect(await phone.reply("On my way", with: "answer", to: pushed) == .done)
        #expect(phone.journeys.callbacks(of: pushed) == ["\(remote)\(withInfo)@background"])
        await phone.advance(by: .seconds(60))
        #expect(await phone.reply("Soon", with: "answer", to: phone.local("a", of: .lab)) == .done)
        #expect(await phone.choose("later", on: phone.local("b", of: .lab)) == .done)
        #expect(phone.journeys.callbacks(of: phone.local("b", of: .lab)) == ["\(local)\(withInfo)@background"])
        let infos = phone.device.delegate(of: InstalledApp.lab.bundleID, as: NineApp.self)?.infos ?? []
        let texts = infos.map { $0[UIUserNotificationActionResponseTypedTextKey] as? String }
        #expect(texts == ["On my way", "Soon", nil])
        #expect(infos.last?.isEmpty == true)
    }

    @Test("A button or a dismissal for which it has no method calls nothing")
    func nothing() async throws {
        let phone = await phone { OldApp() }
        await phone.background(.lab)
        let first = await phone.push(push, to: .lab)
        #expect(await phone.choose("later", on: first) == .done)
        let second = await phone.push(push, to: .lab)
        #expect(await phone.dismiss(second))
        #expect(phone.journeys.callbacks(of: first).isEmpty)
        #expect(phone.journeys.callbacks(of: second).isEmpty)
    }

    @Test("Deliveries are reported in the old words")
    func content() async throws {
        let phone = await phone { OldApp() }
        let content = UNMutableNotificationContent()
        content.title = "Tea"
        content.body = "It is ready"
        content.sound = .default
        content.badge = 3
        content.categoryIdentifier = "c"
        content.launchImageName = "tea.png"
        content.userInfo = ["cup": 2]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 3_600, repeats: true)
        try await phone.device.inside(InstalledApp.lab.bundleID) {
            try await UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: "tea", content: content, trigger: trigger)
            )
        }
        await phone.advance(by: .seconds(3_600))
        let app = try phone.delegate(OldApp.self)
        let told = try #require(app.received.first)
        #expect(told.alertTitle == "Tea" && told.alertBody == "It is ready" && told.alertLaunchImage == "tea.png")
        #expect(told.soundName == UILocalNotificationDefaultSoundName)
        #expect(told.applicationIconBadgeNumber == 3 && told.category == "c")
        #expect(told.userInfo?["cup"] as? Int == 2)
        #expect(told.fireDate == phone.clock.date && told.repeatInterval == .hour)
        #expect(told.timeZone == nil && told.region == nil && told.repeatCalendar == nil)
        #expect(told.hasAction && told.alertAction == nil)
    }

    @Test("A repetition is told where it is one period of the calendar")
    func calendar() {
        let periods: [(DateComponents, NSCalendar.Unit)] = [
            (DateComponents(second: 0), .minute), (DateComponents(minute: 5), .hour),
            (DateComponents(hour: 8, minute: 0), .day), (DateComponents(hour: 8, weekday: 2), .weekOfYear),
            (DateComponents(day: 1, hour: 8), .month), (DateComponents(month: 3, day: 1), .year),
            (DateComponents(day: 13, weekday: 6), []), (DateComponents(year: 2030, month: 1), []),
        ]
        for (components, unit) in periods {
            var zoned = components
            zoned.timeZone = .gmt
            #expect(notification(.calendar(zoned, repeats: true)).repeatInterval == unit)
            #expect(notification(.calendar(zoned, repeats: false)).repeatInterval == [])
            #expect(notification(.calendar(zoned, repeats: true)).timeZone == .gmt)
        }
        #expect(notification(.timeInterval(604_800, repeats: true)).repeatInterval == .weekOfYear)
        #expect(notification(.timeInterval(90, repeats: true)).repeatInterval == [])
    }

    @Test("One of a place has the region, and no date")
    func region() {
        let region = GeoRegion(
            identifier: "office",
            shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 100),
            notifyOnExit: false
        )
        let once = notification(.location(region, repeats: false))
        #expect(once.fireDate == nil && once.regionTriggersOnce)
        #expect((once.region as? CLCircularRegion)?.radius == 100 && once.region?.notifyOnExit == false)
        #expect(!notification(.location(region, repeats: true)).regionTriggersOnce)
    }

    private func notification(_ trigger: TriggerRecord) -> UILocalNotification {
        UILocalNotification(
            NotificationRecord(identifier: "n", date: .distantPast, content: ContentRecord(), trigger: trigger)
        )
    }

    @Test("It is copied and coded whole, and equal if all it says is")
    func value() throws {
        let one = UILocalNotification()
        #expect(one.hasAction && one.regionTriggersOnce && one.applicationIconBadgeNumber == 0)
        one.fireDate = Date(timeIntervalSince1970: 1_767_596_400)
        one.timeZone = TimeZone(identifier: "Asia/Shanghai")
        one.repeatInterval = .weekOfYear
        one.repeatCalendar = Calendar(identifier: .chinese)
        one.region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 1, longitude: 2),
            radius: 100,
            identifier: "office"
        )
        one.regionTriggersOnce = false
        one.alertBody = "body"
        one.alertTitle = "title"
        one.hasAction = false
        one.alertAction = "open"
        one.alertLaunchImage = "image"
        one.soundName = "bell.caf"
        one.applicationIconBadgeNumber = 2
        one.category = "c"
        one.userInfo = ["n": 1, "when": Date(timeIntervalSince1970: 5)]
        let copy = try #require(one.copy() as? UILocalNotification)
        #expect(copy == one && copy !== one && copy.hash == one.hash)
        let data = try NSKeyedArchiver.archivedData(withRootObject: one, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: UILocalNotification.self, from: data)
        #expect(back == one)
        #expect(back?.userInfo?["when"] as? Date == Date(timeIntervalSince1970: 5))
        #expect(back?.repeatInterval == .weekOfYear && back?.region?.identifier == "office")
        copy.userInfo = ["n": 2]
        #expect(copy != one)
        copy.userInfo = one.userInfo
        copy.alertBody = "other"
        #expect(copy != one)
        one.region?.notifyOnExit.toggle()
        #expect(back != one)
    }
}
