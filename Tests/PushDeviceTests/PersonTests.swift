import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID
private let responseName = "userNotificationCenter(_:didReceive:withCompletionHandler:)"

/// Two buttons of which one wants the device unlocked, a text, and a settings page.
private final class ChatApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    var settingsFor: [UNNotification?] = []

    override func prepare() {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.alert, .sound, .badge, .carPlay, .providesAppNotificationSettings]) {
            _,
            _ in
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        responses.append(response)
        completionHandler()
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        settingsFor.append(notification)
    }
}

private func payload(_ aps: JSONObject) -> JSONValue {
    var aps = aps
    aps["alert"] = ["title": "Ann", "subtitle": "Chat", "body": "Hello 100%%"]
    return ["aps": .object(aps)]
}

@Suite("Actions of a person")
@MainActor
struct PersonTests {
    private func phone(
        _ profile: SystemProfile = .iOS(17),
        _ app: InstalledApp = .lab,
        categories: Set<UNNotificationCategory> = []
    ) async -> TestPhone {
        let phone = await TestPhone(profile).opening(app) { ChatApp() }
        if !categories.isEmpty {
            await phone.device.inside(app.bundleID) {
                UNUserNotificationCenter.current().setNotificationCategories(categories)
            }
        }
        await phone.background(app)
        return phone
    }

    private func app(_ phone: TestPhone) throws -> ChatApp {
        try phone.delegate(ChatApp.self)
    }

    @Test("A locked device tells its courier that it sleeps, on each link, and an unlocked one that it is awake")
    func sleep() async {
        let phone = TestPhone()
        #expect(phone.courier.asleep == [])
        await phone.perform { $0.lock() }
        #expect(phone.courier.asleep == [phone.device.id])
        await phone.perform { device in
            device.disconnect()
            device.connect(courier: TestPhone.courierURL)
        }
        #expect(phone.courier.asleep == [phone.device.id])
        await phone.perform { $0.unlock() }
        #expect(phone.courier.asleep == [])
    }

    @Test("Two-button and text categories: a button and a reply reach the app with the text")
    func buttons() async throws {
        let phone = await phone()
        let first = await phone.push(payload(["category": "quiet"]), to: .lab)
        #expect(phone.device.longPress(first).map(\.identifier) == ["later", "show", "answer"])
        #expect(await phone.choose("later", on: first) == .done)
        #expect(phone.device.condition(of: lab) == .background)
        let second = await phone.push(payload(["category": "quiet"]), to: .lab)
        #expect(await phone.reply("Hi Ann", with: "answer", to: second) == .done)
        let responses = try app(phone).responses
        #expect(responses.map(\.actionIdentifier) == ["later", "answer"])
        #expect((responses[1] as? UNTextInputNotificationResponse)?.userText == "Hi Ann")
        #expect(
            phone.journeys.kinds(of: second).suffix(3) == [
                .acted("answer"), .replied(6), .callback(name: responseName, state: .background),
            ]
        )
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("A button that is not there, a text without a field, a notification that is gone")
    func noSuchAction() async {
        let phone = await phone()
        let push = await phone.push(payload(["category": "unknown"]), to: .lab)
        #expect(phone.device.longPress(push) == [])
        #expect(await phone.perform { $0.choose("later", on: push) } == .noSuchAction)
        let other = await phone.push(payload(["category": "quiet"]), to: .lab)
        #expect(await phone.perform { $0.reply("x", with: "later", to: other) } == .noSuchAction)
        #expect(await phone.perform { $0.choose("answer", on: other) } == .noSuchAction)
        #expect(await phone.perform { $0.choose("later", on: "gone") } == .notThere)
    }

    @Test("Ten buttons are shown, four before iOS 12", arguments: [(10, 4), (11, 4), (12, 10), (18, 10)])
    func buttonLimit(_ system: Int, _ count: Int) async {
        let actions = (1...12).map { UNNotificationAction(identifier: "\($0)", title: "\($0)") }
        let category = UNNotificationCategory(identifier: "many", actions: actions, intentIdentifiers: [])
        let phone = await phone(.iOS(system), categories: [category])
        let push = await phone.push(payload(["category": "many"]), to: .lab)
        #expect(phone.device.longPress(push).count == count)
    }

    // MARK: Lock

    @Test("On the lock screen a tap waits for the unlocking")
    func lockedTap() async throws {
        let phone = await phone()
        await phone.perform { $0.lock() }
        let push = await phone.push(payload([:]), to: .lab)
        #expect(phone.journeys.kinds(of: push) == [.presented(.lockScreen), .presented(.list)])
        #expect(await phone.tap(push))
        #expect(try app(phone).responses.isEmpty)
        await phone.perform { $0.unlock() }
        #expect(try app(phone).responses.count == 1)
        #expect(phone.device.screen.front == lab)
    }

    @Test("A button with authenticationRequired waits, one without runs behind the lock")
    func lockedButtons() async throws {
        let category = UNNotificationCategory(
            identifier: "c",
            actions: [
                UNNotificationAction(identifier: "free", title: "Free"),
                UNNotificationAction(identifier: "safe", title: "Safe", options: .authenticationRequired),
                UNNotificationAction(identifier: "open", title: "Open", options: .foreground),
            ],
            intentIdentifiers: []
        )
        let phone = await phone(categories: [category])
        await phone.perform { $0.lock() }
        let outcomes: [(String, UserActionOutcome)] = [
            ("free", .done), ("safe", .waitsForUnlock), ("open", .waitsForUnlock),
        ]
        for (action, outcome) in outcomes {
            let push = await phone.push(payload(["category": "c"]), to: .lab)
            #expect(await phone.choose(action, on: push) == outcome)
        }
        #expect(try app(phone).responses.map(\.actionIdentifier) == ["free"])
        await phone.perform { $0.unlock() }
        #expect(try app(phone).responses.map(\.actionIdentifier) == ["free", "open"])
    }

    @Test("Locking sends the app in front to the background; unlocking brings it back")
    func lockAndUnlock() async {
        let phone = await phone()
        await phone.open(.lab)
        let start = phone.device.recentDeviceEvents.count
        await phone.perform { $0.lock() }
        await phone.perform { $0.unlock() }
        #expect(
            phone.device.callbacks(from: start)
                == [
                    "applicationDidEnterBackground(_:)@background", "applicationWillEnterForeground(_:)@background",
                    "applicationDidBecomeActive(_:)@active",
                ].reduce(into: ["applicationWillResignActive(_:)@active"]) { $0.append($1) }
        )
    }

    @Test("Hidden previews show the placeholder, and title and subtitle where the category says so")
    func previews() async {
        let plain = UNNotificationCategory(
            identifier: "plain",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "%u messages"
        )
        let open = UNNotificationCategory(
            identifier: "open",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "",
            options: [.hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle]
        )
        let phone = await phone(categories: [plain, open])
        phone.device.changeSettings(of: lab) { $0.showPreviews = 1 }
        await phone.push(payload(["category": "plain"]), to: .lab)
        await phone.push(payload(["category": "open"]), to: .lab)
        #expect(phone.device.screen.list.map(\.body) == ["Hello 100%", "Hello 100%"])
        await phone.perform { $0.lock() }
        #expect(phone.device.screen.list.map(\.body) == ["Notification", "2 messages"])
        #expect(phone.device.screen.list.map(\.title) == ["Ann", ""])
        #expect(phone.device.screen.list.map(\.subtitle) == ["Chat", ""])
    }

    // MARK: Clearing

    @Test("A flick and the banner's end tell the app nothing; clear all neither")
    func clearing() async throws {
        let phone = await phone()
        let push = await phone.push(payload(["category": "hears"]), to: .lab)
        await phone.perform { $0.flickBanner() }
        #expect(phone.device.screen.banner == nil)
        #expect(phone.device.screen.list.count == 1)
        await phone.perform { $0.clearAll() }
        #expect(phone.device.screen.list.isEmpty)
        #expect(try app(phone).responses.isEmpty)
        #expect(phone.journeys.kinds(of: push).last == .dismissed)
    }

    // MARK: Settings

    @Test("The app's own settings open from a notification and from the system's settings")
    func ownSettings() async throws {
        let phone = await phone()
        let push = await phone.push(payload([:]), to: .lab)
        #expect(await phone.perform { $0.openNotificationSettings(of: lab, from: push) })
        #expect(await phone.perform { $0.openNotificationSettings(of: lab) })
        let asked = try app(phone).settingsFor
        #expect(asked.map { $0?.request.content.title } == ["Ann", nil])
    }

    @Test("Switching an app's notifications off and on")
    func permission() async throws {
        let phone = await phone()
        phone.device.setNotifications(of: lab, allowed: false)
        let off = await phone.push(payload([:]), to: .lab)
        #expect(phone.journeys.kinds(of: off) == [.suppressed(.permissionDenied)])
        phone.device.setNotifications(of: lab, allowed: true)
        let on = await phone.push(payload([:]), to: .lab)
        #expect(phone.journeys.kinds(of: on) == [.presented(.banner), .presented(.list)])
        phone.device.changeSettings(of: lab) { $0.showsBanners = false }
        let quiet = await phone.push(payload([:]), to: .lab)
        #expect(phone.journeys.kinds(of: quiet) == [.presented(.list), .suppressed(.bannersOff)])
        let style = await phone.inCentre { await $0.notificationSettings().alertStyle }
        #expect(style == UNAlertStyle.none)
    }

    // MARK: Focus, levels, car, power

    @Test("A Focus keeps banners back, but not those of apps it allows, nor what is time-sensitive or critical")
    func focus() async {
        var app = InstalledApp.lab
        app.entitlements = [.timeSensitive]
        let phone = await phone(.iOS(17), app)
        await phone.perform { $0.setFocus(Focus(name: "Work")) }
        let plain = await phone.push(payload(["sound": "default"]), to: app)
        #expect(phone.journeys.kinds(of: plain) == [.presented(.list), .suppressed(.focus)])
        let urgent = await phone.push(payload(["interruption-level": "time-sensitive"]), to: app)
        #expect(phone.journeys.kinds(of: urgent) == [.presented(.banner), .presented(.list)])
        await phone.perform { $0.setFocus(Focus(name: "Work", allowedApps: [lab])) }
        let allowed = await phone.push(payload([:]), to: app)
        #expect(phone.journeys.kinds(of: allowed) == [.presented(.banner), .presented(.list)])
    }

    @Test("A Focus filter keeps back what its app does not let through", arguments: [16, 15])
    func focusFilter(_ system: Int) async throws {
        var app = InstalledApp.lab
        app.entitlements = [.timeSensitive]
        let phone = await phone(.iOS(system), app)
        await phone.perform { device in
            device.setFocus(Focus(name: "Work", allowedApps: [lab], filters: [lab: ["work"]]))
        }
        let loud: [JourneyEvent.Kind] = [.presented(.banner), .presented(.list)]
        let held: [JourneyEvent.Kind] = [.presented(.list), .suppressed(.focusFilter)]
        let cases: [(JSONObject, [JourneyEvent.Kind])] = [
            (["filter-criteria": "work"], loud), (["filter-criteria": "home"], system >= 16 ? held : loud), ([:], loud),
            (["filter-criteria": "home", "interruption-level": "time-sensitive"], loud),
        ]
        for (aps, kinds) in cases {
            let push = await phone.push(payload(aps), to: app)
            #expect(phone.journeys.kinds(of: push) == kinds)
        }
        // A local notification as well.
        try await phone.device.inside(lab) {
            let content = UNMutableNotificationContent()
            content.title = "Dinner"
            content.filterCriteria = "home"
            let request = UNNotificationRequest(identifier: "dinner", content: content, trigger: nil)
            try await UNUserNotificationCenter.current().add(request)
        }
        await phone.device.settled()
        let local = phone.journeys.kinds(of: phone.local("dinner", of: app))
        #expect(local.contains(.suppressed(.focusFilter)) == (system >= 16))
    }

    @Test("Time-sensitive without the entitlement acts as active; passive is for the list only")
    func levels() async {
        let phone = await phone()
        await phone.perform { $0.setFocus(.doNotDisturb) }
        let urgent = await phone.push(payload(["interruption-level": "time-sensitive"]), to: .lab)
        #expect(phone.journeys.kinds(of: urgent) == [.presented(.list), .suppressed(.focus)])
        await phone.perform { $0.setFocus(nil) }
        let passive = await phone.push(payload(["interruption-level": "passive", "sound": "default"]), to: .lab)
        #expect(phone.journeys.kinds(of: passive) == [.presented(.list), .suppressed(.passive)])
    }

    @Test("Before iOS 15 every notification is active")
    func levelsBefore() async {
        let phone = await phone(.iOS(14))
        let passive = await phone.push(payload(["interruption-level": "passive"]), to: .lab)
        #expect(phone.journeys.kinds(of: passive) == [.presented(.banner), .presented(.list)])
    }

    @Test("quickstart258_flutterfire2813_theWakeBudgetIsModelledAndVisible")
    func budget() async {
        let phone = await phone()
        var pushes: [String] = []
        for _ in 0..<5 {
            pushes.append(await phone.push(.silent, to: .lab))
            await phone.advance(by: .seconds(60))
        }
        for push in pushes.prefix(3) { #expect(phone.journeys.kinds(of: push).first == .woken(.background)) }
        #expect(phone.journeys.kinds(of: pushes[3]) == [.suppressed(.budget), .coalesced])
        #expect(phone.journeys.kinds(of: pushes[4]) == [.suppressed(.budget)])
        await phone.advance(by: .seconds(3600))
        #expect(phone.journeys.kinds(of: pushes[4]).contains(.woken(.background)))
    }

    @Test("A silent push that does not arrive says why: low power, background refresh, force-quit")
    func silentReasons() async {
        let phone = await phone()
        await phone.perform { $0.setLowPower(true) }
        let saved = await phone.push(.silent, to: .lab)
        #expect(phone.journeys.kinds(of: saved) == [.suppressed(.lowPower)])
        await phone.perform { $0.setLowPower(false) }
        #expect(phone.journeys.kinds(of: saved).contains(.woken(.background)))
        phone.device.setBackgroundRefresh(of: lab, allowed: false)
        let off = await phone.push(.silent, to: .lab)
        #expect(phone.journeys.kinds(of: off) == [.suppressed(.backgroundRefreshOff)])
        phone.device.setBackgroundRefresh(of: lab, allowed: true)
        await phone.perform { $0.setLowPower(true) }
        let held = await phone.push(.silent, to: .lab)
        await phone.forceQuit(.lab)
        #expect(phone.journeys.kinds(of: held) == [.suppressed(.lowPower), .suppressed(.forceQuit)])
    }

    @Test("The device's language picks the strings of a push and of localizedUserNotificationString")
    func strings() async {
        var app = InstalledApp.lab
        app.strings = ["en": ["HI": "Hello %@"], "de": ["HI": "Hallo %1$@"]]
        let phone = await phone(.iOS(17), app)
        let push: JSONValue = ["aps": ["alert": ["title-loc-key": "HI", "title-loc-args": ["Ann"], "loc-key": "NONE"]]]
        await phone.push(push, to: app)
        await phone.perform { $0.setLanguage("de") }
        await phone.push(push, to: app)
        #expect(phone.device.screen.list.map(\.title) == ["Hallo Ann", "Hello Ann"])
        #expect(phone.device.screen.list.map(\.body) == ["NONE", "NONE"])
        let text = await phone.device.inside(lab) {
            NSString.localizedUserNotificationString(forKey: "HI", arguments: ["Bo"])
        }
        #expect(text == "Hallo Bo")
    }
}
